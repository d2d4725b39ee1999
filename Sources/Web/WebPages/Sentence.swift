import Foundation

/// The form of a sentence that a service says, such as `at most {count} pairs`.
struct Sentence: Sendable {
    /// Under which its translations stand.
    let key: String
    /// What stands before, between and behind the places.
    private let parts: [Substring]
    private let names: [String]
    /// How many characters are fixed; the sentence with the most is the one that is meant.
    private let weight: Int

    init(key: String, pattern: String) {
        self.key = key
        var parts: [Substring] = []
        var names: [String] = []
        var rest = pattern[...]
        while let open = rest.firstIndex(of: "{"),
            let close = rest[open...].firstIndex(of: "}")
        {
            parts.append(rest[..<open])
            names.append(String(rest[rest.index(after: open)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        parts.append(rest)
        self.parts = parts
        self.names = names
        weight = parts.map(\.count).reduce(0, +)
    }

    /// Whether this form is tried first when both fit. One that begins with a place also fits
    /// sentences that hold it.
    func goesBefore(_ other: Sentence) -> Bool {
        let begins = [self, other].map { $0.parts.first?.isEmpty == false }
        guard begins[0] == begins[1] else { return begins[0] }
        return (weight, key) > (other.weight, other.key)
    }

    /// What stands in the places of a text of this form; `nil` for another text.
    func arguments(of text: String) -> [String: String]? {
        guard let first = parts.first, text.hasPrefix(first) else { return nil }
        guard let last = parts.last, parts.count > 1 else { return text == first ? [:] : nil }
        var rest = text.dropFirst(first.count)
        var arguments: [String: String] = [:]
        for (name, part) in zip(names, parts.dropFirst().dropLast()) {
            guard let range = rest.range(of: part) else { return nil }
            arguments[name] = String(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        guard rest.hasSuffix(last), let name = names.last else { return nil }
        arguments[name] = String(rest.dropLast(last.count))
        return arguments
    }
}
