import NoroshiWire

/// Writes JSON for people: indented, what is short on one line, and the keys of objects in an order
/// that reads well.
package struct JSONLayout {
    private let width: Int
    private let first: [String]
    private let last: [String]

    /// - Parameters:
    ///   - first: Keys that come before the others, in this order.
    ///   - last: Keys that come after them. All others are in alphabetical order.
    package init(width: Int = 80, first: [String] = [], last: [String] = []) {
        self.width = width
        self.first = first
        self.last = last
    }

    /// The text, with a line end.
    package func text(_ value: JSONValue) -> String {
        lines(value, indent: 0, prefix: "") + "\n"
    }

    private func lines(_ value: JSONValue, indent: Int, prefix: String) -> String {
        let short = line(value)
        let inner = String(repeating: " ", count: indent + 2)
        guard prefix.count + short.count + indent > width else { return prefix + short }
        switch value {
        case .array(let elements) where !elements.isEmpty:
            let rows = elements.map { inner + lines($0, indent: indent + 2, prefix: "") }
            return prefix + "[\n" + rows.joined(separator: ",\n") + "\n"
                + String(repeating: " ", count: indent) + "]"
        case .object(let members) where !members.isEmpty:
            let rows = ordered(members).map { name, value in
                inner + lines(value, indent: indent + 2, prefix: key(name))
            }
            return prefix + "{\n" + rows.joined(separator: ",\n") + "\n"
                + String(repeating: " ", count: indent) + "}"
        default: return prefix + short
        }
    }

    private func line(_ value: JSONValue) -> String {
        switch value {
        case .array(let elements): "[" + elements.map(line).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + ordered(members).map { key($0) + line($1) }.joined(separator: ", ") + "}"
        case .null, .bool, .integer, .number, .string: JSONWriter.text(value)
        }
    }

    private func key(_ name: String) -> String { JSONWriter.text(.string(name)) + ": " }

    /// Members in the order of their keys.
    package func ordered(_ members: [String: JSONValue]) -> [(String, JSONValue)] {
        func rank(_ name: String) -> Int {
            if let place = first.firstIndex(of: name) { return place - first.count }
            return last.firstIndex(of: name).map { $0 + 1 } ?? 0
        }
        return members.sorted { (rank($0.key), $0.key) < (rank($1.key), $1.key) }
            .map { ($0.key, $0.value) }
    }
}
