import NoroshiWire
import Yams

/// Scalars of YAML as values of JSON and back.
enum YAMLScalar {
    static func value(of scalar: Node.Scalar) -> JSONValue {
        guard scalar.style == .plain || scalar.style == .any else { return .string(scalar.string) }
        return plain(scalar.string)
    }

    /// What a text means where it has no quotes.
    private static func plain(_ text: String) -> JSONValue {
        switch text {
        case "", "~", "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: break
        }
        guard isNumber(text) else { return .string(text) }
        if let whole = Int64(text), text != "-0" { return .integer(whole) }
        guard let number = Double(text), number.isFinite else { return .string(text) }
        return .number(number)
    }

    /// As the grammar of JSON has it (RFC 8259, 6). Every scalar of a file is asked, so it is no regular expression,
    /// which would be made each time.
    private static func isNumber(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        func skip(_ isWanted: (UInt8) -> Bool) -> Bool {
            guard let byte = rest.first, isWanted(byte) else { return false }
            rest.removeFirst()
            return true
        }
        func skipDigits() -> Bool {
            let count = rest.prefix(while: isDigit).count
            rest.removeFirst(count)
            return count > 0
        }
        func isDigit(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        _ = skip { $0 == UInt8(ascii: "-") }
        guard skip({ $0 == UInt8(ascii: "0") }) || skipDigits() else { return false }
        if skip({ $0 == UInt8(ascii: ".") }), !skipDigits() { return false }
        if skip({ $0 | 0x20 == UInt8(ascii: "e") }) {
            _ = skip { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
            guard skipDigits() else { return false }
        }
        return rest.isEmpty
    }

    static func node(_ value: JSONValue) -> Node {
        switch value {
        case .null: .scalar(Node.Scalar("null", .implicit, .plain))
        case .bool(let flag): .scalar(Node.Scalar(flag ? "true" : "false", .implicit, .plain))
        case .integer(let whole): .scalar(Node.Scalar(String(whole), .implicit, .plain))
        case .number(let number): .scalar(Node.Scalar("\(number)", .implicit, .plain))
        case .string(let text): .scalar(Node.Scalar(text, .implicit, style(of: text)))
        case .array, .object: .scalar(Node.Scalar(""))
        }
    }

    /// The quotes that stood there stay, where they can hold the text.
    static func style(of text: String, like former: Node.Scalar.Style) -> Node.Scalar.Style {
        switch former {
        case .doubleQuoted: .doubleQuoted
        case .singleQuoted where !text.contains(where: \.isNewline): .singleQuoted
        default: style(of: text)
        }
    }

    /// Texts that a reader of any version of YAML could take for something else are in quotes.
    private static func style(of text: String) -> Node.Scalar.Style {
        if text.contains(where: \.isNewline) {
            // What other breaks there are would be read as ordinary ones.
            let others: Set<Unicode.Scalar> = [
                "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}",
            ]
            return text.unicodeScalars.contains(where: others.contains) ? .doubleQuoted : .literal
        }
        let scalar = Node.Scalar(text, .implicit, .plain)
        let isText =
            plain(text) == .string(text) && Resolver.default.resolveTag(of: .scalar(scalar)) == .str
        return isText ? .plain : .doubleQuoted
    }
}
