import Reasons

/// `{% message_extras :key name :value text %}`: stores a pair with the send.
final class MessageExtrasTag: TagNode {
    let offset: Int
    let isBlank = true
    private let key: Interpolation
    private let value: Interpolation

    private init(offset: Int, key: Interpolation, value: Interpolation) {
        self.offset = offset
        self.key = key
        self.value = value
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        let words = TagAttributes(tag.markup, parser.context)
        guard let key = try words.option("key"), let value = try words.option("value") else {
            throw LiquidError(
                .syntax,
                .notWellFormed,
                ["tag": "message_extras", "form": "message_extras :key [name] :value [text]"]
            )
        }
        return MessageExtrasTag(offset: tag.offset, key: key, value: value)
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        let key = try renderer.text(of: key)
        let value = try renderer.text(of: value)
        try renderer.spend(renderer.extras.count)
        let used = renderer.extras.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        let limit = renderer.options.limits.extrasBytes
        guard used + key.utf8.count + value.utf8.count <= limit else {
            throw LiquidError(.argument, .messageExtrasLimit, ["limit": "\(limit)"])
        }
        renderer.extras.removeAll { $0.key == key }
        renderer.extras.append((key, value))
    }
}
