import Foundation

/// Reads the identifiers of an uploaded list: the first column of a CSV file.
package enum UserListParser {
    /// Distinct identifiers, in the order of the file.
    package static func read(_ text: String) -> [String] {
        var seen: Set<String> = []
        var ids: [String] = []
        let lines = text.split(whereSeparator: \.isNewline)
        for (number, line) in lines.enumerated() {
            var id = first(line)
            if number == 0 {
                if id.hasPrefix("\u{FEFF}") { id.removeFirst() }
                if ["external_id", "user_id", "id"].contains(id.lowercased()) { continue }
            }
            if !id.isEmpty, seen.insert(id).inserted { ids.append(id) }
        }
        return ids
    }

    /// The first field of a line, without its quotes.
    private static func first(_ line: Substring) -> String {
        let line = line.drop { $0 == " " || $0 == "\t" }
        guard line.first == "\"" else {
            return line.prefix { $0 != "," && $0 != ";" && $0 != "\t" }
                .trimmingCharacters(in: .whitespaces)
        }
        var field = ""
        var rest = line.dropFirst()
        while let character = rest.popFirst() {
            guard character == "\"" else {
                field.append(character)
                continue
            }
            // Two quotes encode one; a single one ends the field.
            guard rest.first == "\"" else { break }
            rest.removeFirst()
            field.append("\"")
        }
        return field
    }
}
