import JSON

/// A mistake in a fault script.
package struct FaultScriptError: Error, Hashable, CustomStringConvertible {
    package var description: String

    init(description: String) {
        self.description = description
    }

    /// A text that is no JSON: names the line and the column.
    init(_ error: JSONError, in json: some Collection<UInt8>) {
        let before = json.prefix(error.offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
        description = """
            The fault script is not valid JSON: line \(line), column \(column): \(error.message).
            """
    }

    /// A value of the wrong kind: names the key.
    init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            let path = context.codingPath.map { key in
                key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
            }
            let place = path.joined().drop { $0 == "." }
            description = "The fault script is wrong at \"\(place)\": \(context.debugDescription)"
        @unknown default:
            description = "The fault script cannot be read: \(error)"
        }
    }
}
