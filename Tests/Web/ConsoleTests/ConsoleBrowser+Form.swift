import Foundation

extension ConsoleBrowser.Page {
    /// What a browser would send of the form that posts to an address, before anybody has changed
    /// anything in it; without its buttons.
    func form(_ action: String) -> [(name: String, value: String)] {
        guard let start = text.range(of: "<form method=\"post\" action=\"\(action)\""),
            let end = text.range(of: "</form>", range: start.upperBound..<text.endIndex)
        else { return [] }
        // A browser reads every end of a line as a line feed.
        var rest = text[start.upperBound..<end.lowerBound].replacing("\r\n", with: "\n")[...]
        var fields: [(name: String, value: String)] = []
        while let opening = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: opening)...]
            let kind = rest.prefix { $0.isLetter }
            guard ["input", "textarea", "select"].contains(kind),
                let close = rest.firstIndex(of: ">")
            else { continue }
            let attributes = Self.attributes(rest[kind.endIndex..<close])
            rest = rest[rest.index(after: close)...]
            guard let name = attributes["name"] else { continue }
            switch kind {
            case "input":
                let isSwitch = ["radio", "checkbox"].contains(attributes["type"])
                if isSwitch, attributes["checked"] == nil { continue }
                fields.append((name, attributes["value"] ?? (isSwitch ? "on" : "")))
            case "textarea":
                // The line feed at its beginning is not the field's.
                let content = rest.range(of: "</textarea>").map { rest[..<$0.lowerBound] } ?? ""
                fields.append(
                    (name, Self.decoded(content.dropFirst(content.hasPrefix("\n") ? 1 : 0)))
                )
            default:
                let content = rest.range(of: "</select>").map { rest[..<$0.lowerBound] } ?? ""
                let options = content.components(separatedBy: "<option").dropFirst()
                    .map { Self.attributes($0.prefix { $0 != ">" }) }
                let chosen = options.first { $0["selected"] != nil } ?? options.first
                if let chosen { fields.append((name, chosen["value"] ?? "")) }
            }
        }
        return fields
    }

    private static func attributes(_ text: Substring) -> [String: String] {
        var found: [String: String] = [:]
        var rest = text.drop(while: \.isWhitespace)
        while !rest.isEmpty {
            let name = rest.prefix { !$0.isWhitespace && $0 != "=" }
            rest = rest[name.endIndex...]
            if rest.hasPrefix("=\"") {
                let value = rest.dropFirst(2).prefix { $0 != "\"" }
                found[String(name)] = decoded(value)
                rest = rest[value.endIndex...].dropFirst()
            } else {
                found[String(name)] = ""
                rest = rest.dropFirst(name.isEmpty ? 1 : 0)
            }
            rest = rest.drop(while: \.isWhitespace)
        }
        return found
    }

    private static func decoded(_ text: Substring) -> String {
        let named = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        var parts = text.components(separatedBy: "&")
        for index in parts.indices.dropFirst() {
            guard let end = parts[index].firstIndex(of: ";") else {
                parts[index] = "&" + parts[index]
                continue
            }
            let name = parts[index][..<end]
            let number =
                name.hasPrefix("#x")
                ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
            let character =
                named[String(name)] ?? number.flatMap(Unicode.Scalar.init).map { String($0) }
            let rest = parts[index][parts[index].index(after: end)...]
            parts[index] = character.map { $0 + rest } ?? "&" + parts[index]
        }
        return parts.joined()
    }
}
