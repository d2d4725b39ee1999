import NoroshiWire

/// Members or parameters of which a request has at least one.
enum Alternatives {
    /// What people read of them.
    static func rule(_ names: [String]) -> String {
        guard let last = names.last else { return "" }
        return "One of \(names.dropLast().joined(separator: ", ")) and \(last) is needed."
    }

    /// Those of an object's members; none if each stands alone.
    static func names(in schema: JSONValue) -> [String] {
        guard schema["type"] != nil else { return [] }
        return (schema["anyOf"]?.arrayValue ?? []).compactMap {
            $0["required"]?.arrayValue?.first?.stringValue
        }
    }
}
