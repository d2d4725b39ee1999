import JSON
import NoroshiWire
import Yams

/// Writes a value as the one was written in whose place it stands: its quotes, the order of its members
/// and whether it is on one line stay.
extension YAMLWriter {
    /// - Parameters:
    ///   - old: What was written, which says `before`.
    /// - Throws: `YamlError` for a text that YAML cannot hold.
    static func text(
        _ value: JSONValue,
        like old: Node,
        saying before: JSONValue
    ) throws -> String {
        try text(of: node(value, like: old, saying: before))
    }

    /// One member of a mapping.
    static func member(
        _ key: Node.Scalar,
        _ value: JSONValue,
        like old: Node,
        saying before: JSONValue
    ) throws -> String {
        let pair = (self.key(key), node(value, like: old, saying: before))
        return try text(of: .mapping(Node.Mapping([pair], .implicit, .block)))
    }

    /// One element of a sequence, with its dash.
    static func element(
        _ value: JSONValue,
        like old: Node?,
        saying before: JSONValue?
    ) throws -> String {
        let node = node(value, like: old, saying: before)
        return try text(of: .sequence(Node.Sequence([node], .implicit, .block)))
    }

    private static func key(_ old: Node.Scalar) -> Node {
        let style = YAMLScalar.style(of: old.string, like: old.style)
        return .scalar(Node.Scalar(old.string, .implicit, style))
    }

    private static func node(
        _ value: JSONValue,
        like old: Node?,
        saying before: JSONValue?
    ) -> Node {
        switch (value, old, before) {
        case (.string(let text), .scalar(let scalar)?, _):
            let style = YAMLScalar.style(of: text, like: scalar.style)
            return .scalar(Node.Scalar(text, .implicit, style))
        case (.array(let elements), .sequence(let sequence)?, .array(let former)?)
        where sequence.count == former.count && !elements.isEmpty && !former.isEmpty:
            return .sequence(
                Node.Sequence(
                    nodes(elements, like: sequence, saying: former),
                    .implicit,
                    sequence.style == .flow && isOnOneLine(value) ? .flow : .block
                )
            )
        case (.object(let members), .mapping(let mapping)?, .object(let former)?)
        where !members.isEmpty && !former.isEmpty:
            return .mapping(
                Node.Mapping(
                    pairs(members, like: mapping, saying: former),
                    .implicit,
                    mapping.style == .flow && isOnOneLine(value) ? .flow : .block
                )
            )
        default: return node(value)
        }
    }

    private static func nodes(
        _ elements: [JSONValue],
        like sequence: Node.Sequence,
        saying former: [JSONValue]
    ) -> [Node] {
        let ends = SharedEnds(former, elements)
        let isSame = former.count == elements.count
        // What is new among texts in quotes is in quotes too.
        let styles = Set(sequence.map { $0.scalar?.style })
        let common = styles.count == 1 ? sequence.first : nil
        return elements.enumerated().map { place, element in
            var old: Int?
            if place < ends.head || isSame {
                old = place
            } else if place >= elements.count - ends.tail {
                old = place + former.count - elements.count
            }
            return node(
                element,
                like: old.map { sequence[$0] } ?? common.flatMap { $0.scalar.map(Node.scalar) },
                saying: old.map { former[$0] }
            )
        }
    }

    private static func pairs(
        _ members: [String: JSONValue],
        like mapping: Node.Mapping,
        saying former: [String: JSONValue]
    ) -> [(Node, Node)] {
        var kept: [String: (key: Node.Scalar, value: Node)] = [:]
        var names: [String] = []
        for (key, value) in mapping {
            guard let scalar = key.scalar, members[scalar.string] != nil else { continue }
            kept[scalar.string] = (scalar, value)
            names.append(scalar.string)
        }
        var place = 0
        for (name, _) in layout.ordered(members) {
            if let known = names.firstIndex(of: name) {
                place = known + 1
            } else {
                names.insert(name, at: place)
                place += 1
            }
        }
        return names.compactMap { name in
            members[name].map { member in
                guard let old = kept[name] else {
                    return (YAMLScalar.node(.string(name)), node(member))
                }
                return (key(old.key), node(member, like: old.value, saying: former[name]))
            }
        }
    }

    private static func isOnOneLine(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): !text.contains(where: \.isNewline)
        case .array(let elements): elements.allSatisfy(isOnOneLine)
        case .object(let members): members.values.allSatisfy(isOnOneLine)
        default: true
        }
    }
}
