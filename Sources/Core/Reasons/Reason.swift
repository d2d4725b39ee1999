/// Why something cannot be done: a code, and what stands in the places of its sentence.
///
/// It describes itself in English, also after it was stored by a version with other sentences. Whoever
/// speaks another language chooses words by the code.
package struct Reason: Sendable, Hashable, Codable, CustomStringConvertible {
    package enum Argument: Sendable, Hashable, Codable, ExpressibleByStringInterpolation {
        /// A name, a number, or what somebody has written: the same in every language.
        case text(String)
        case reason(Reason)

        package init(stringLiteral text: String) { self = .text(text) }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .reason(try container.decode(Reason.self))
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .reason(let reason): try container.encode(reason)
            }
        }
    }

    /// Family and code, such as `liquid.dividedByZero`.
    package let code: String
    package let arguments: [String: Argument]
    private let english: String

    private enum CodingKeys: String, CodingKey {
        case code, arguments
        case english = "sentence"
    }

    /// - Parameter arguments: For each place of the code's sentence what stands in it.
    package init<Code: ReasonCode>(_ code: Code, _ arguments: [String: Argument] = [:]) {
        assert(
            Self.places(in: code.rawValue) == Set(arguments.keys),
            "\(code.key) is said with \(arguments.keys)"
        )
        self.code = code.key
        self.arguments = arguments
        english = code.rawValue
    }

    package var description: String { text(english) { $0.description } }

    /// A sentence with its places filled in.
    ///
    /// - Parameter inner: Says a reason that stands in this one.
    package func text(_ sentence: String, saying inner: (Reason) -> String) -> String {
        var text = ""
        var rest = sentence[...]
        while let open = rest.firstIndex(of: "{") {
            text += rest[..<open]
            rest = rest[open...]
            guard let close = rest.firstIndex(of: "}"),
                let argument = arguments[String(rest[rest.index(after: open)..<close])]
            else {
                text += "{"
                rest = rest.dropFirst()
                continue
            }
            switch argument {
            case .text(let value): text += value
            case .reason(let reason): text += inner(reason)
            }
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }

    /// The names that stand in braces in a sentence: two letters or more, and nothing else.
    package static func places(in sentence: String) -> Set<String> {
        var names: Set<String> = []
        for part in sentence.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
            guard let close = part.firstIndex(of: "}") else { continue }
            let name = part[..<close]
            if name.count > 1, name.allSatisfy({ $0.isASCII && $0.isLetter }) {
                names.insert(String(name))
            }
        }
        return names
    }
}
