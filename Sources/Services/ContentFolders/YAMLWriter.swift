import JSON
import NoroshiWire
import Yams

/// Writes values of JSON as YAML that people read: a member a line, texts of several lines as they are.
struct YAMLWriter {
    static let layout = JSONLayout(
        first: [
            "name", "title", "description", "note", "author", "archived", "state", "tags",
            "channel",
            "type", "entry", "audience", "delivery",
        ],
        last: [
            "message", "variants", "experiment", "steps", "paths", "shares", "late", "next", "text",
            "content", "page", "confirmation",
        ]
    )

    /// - Throws: `YamlError` for a text that YAML cannot hold.
    static func text(_ value: JSONValue) throws -> String {
        try text(of: node(value))
    }

    static func text(of node: Node) throws -> String {
        try serialize(
            node: node,
            indent: 2,
            width: -1,
            allowUnicode: true
        )
    }

    static func node(_ value: JSONValue) -> Node {
        switch value {
        case .array(let elements):
            let isShort =
                elements.count <= 8
                && elements.allSatisfy { ![.array([]), .object([:])].contains($0) && isPlain($0) }
            return .sequence(
                Node.Sequence(elements.map(node), .implicit, isShort ? .flow : .block)
            )
        case .object(let members):
            let pairs = layout.ordered(members).map { (YAMLScalar.node(.string($0)), node($1)) }
            return .mapping(Node.Mapping(pairs, .implicit, pairs.isEmpty ? .flow : .block))
        default: return YAMLScalar.node(value)
        }
    }

    /// Whether an element is short enough to stand beside others on one line.
    private static func isPlain(_ value: JSONValue) -> Bool {
        switch value {
        case .array, .object: false
        case .string(let text): text.count <= 24 && !text.contains(where: \.isNewline)
        default: true
        }
    }
}
