import Foundation

/// The pattern of a sentence from a service, such as `at most {count} pairs`.
struct Sentence: Sendable {
    /// The key of its translations.
    let key: String
    /// The fixed parts before, between and after the placeholders.
    private let parts: [Substring]
    private let names: [String]
    /// Number of fixed characters; of several matching patterns the one with the most is used.
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

    /// Whether this pattern is tried first if both match. A pattern that begins with a placeholder
    /// also matches sentences that contain it.
    func goesBefore(_ other: Sentence) -> Bool {
        let begins = [self, other].map { $0.parts.first?.isEmpty == false }
        guard begins[0] == begins[1] else { return begins[0] }
        return (weight, key) > (other.weight, other.key)
    }

    /// The values of the placeholders in a text; `nil` if it does not match.
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
