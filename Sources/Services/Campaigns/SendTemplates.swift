import Foundation
import Model

/// All messages of one send, parsed: every variant on every platform with a separate message.
package struct SendTemplates: Sendable {
    private struct Key: Hashable {
        var variant: Int?
        var platform: MessagePlatform
    }

    private struct Message: Sendable {
        var templates: PushTemplates
        var options: DeliveryOptions
    }

    private var messages: [Key: Message] = [:]

    /// - Throws: Each field that cannot be parsed.
    package init(parsing content: SendContent) throws(ValidationError) {
        let variants: [Int?] =
            content.launch.map { launch in
                launch.content.variants.indices.map(launch.content.number(ofVariantAt:))
            } ?? []
        var parsed: [(PlatformMessage, Message)] = []
        for variant in variants + [nil] {
            for platform in MessagePlatform.allCases {
                let source = content.message(for: platform, variant: variant)
                // Most platforms share the common message, which is parsed once.
                if let known = parsed.first(where: { $0.0 == source }) {
                    messages[Key(variant: variant, platform: platform)] = known.1
                    continue
                }
                let message = Message(
                    templates: try PushTemplates(parsing: source.message),
                    options: source.options
                )
                parsed.append((source, message))
                messages[Key(variant: variant, platform: platform)] = message
            }
        }
    }

    /// Whether a text of any message needs external data.
    package var asksQuestions: Bool {
        messages.values.contains(where: \.templates.asksQuestions)
    }

    /// The content blocks that the messages name.
    package var contentBlocks: [String] {
        Set(messages.values.flatMap(\.templates.contentBlocks)).sorted()
    }

    /// The templates and options for a device of `platform`; `variant` is the user's.
    package func message(
        for platform: MessagePlatform,
        variant: Int?
    ) -> (templates: PushTemplates, options: DeliveryOptions)? {
        let found =
            messages[Key(variant: variant, platform: platform)]
            ?? messages[Key(variant: nil, platform: platform)]
        return found.map { ($0.templates, $0.options) }
    }
}
