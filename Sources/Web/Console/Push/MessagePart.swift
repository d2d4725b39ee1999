import Foundation
import Model
import NoroshiWire
import WebPages

/// A part of a message that the composer has fields for: how a form shows it, and how what is
/// written there gets into the message.
struct MessagePart: Sendable {
    /// Shows a message's value in the fields.
    let show: @Sendable (PlatformMessage, inout PushForm) -> Void
    /// Writes the fields into a message; a value that is invalid is left out.
    let write: @Sendable (PushForm, inout PlatformMessage) -> Void
    /// Copies the fields of a form to another one.
    let copy: @Sendable (PushForm, inout PushForm) -> Void
    /// Whether two forms say the same.
    let isSame: @Sendable (PushForm, PushForm) -> Bool

    private init<Value: Equatable & SendableMetatype>(
        _ field: any WritableKeyPath<PushForm, Value> & Sendable,
        shown: @escaping @Sendable (PlatformMessage) -> Value,
        written: @escaping @Sendable (Value, inout PlatformMessage) -> Void
    ) {
        show = { $1[keyPath: field] = shown($0) }
        write = { written($0[keyPath: field], &$1) }
        copy = { $1[keyPath: field] = $0[keyPath: field] }
        isSame = { $0[keyPath: field] == $1[keyPath: field] }
    }

    /// A text in a field of one line.
    private init(
        _ field: any WritableKeyPath<PushForm, String> & Sendable,
        _ value: any WritableKeyPath<PlatformMessage, String> & Sendable
    ) {
        self.init(
            field,
            shown: { $0[keyPath: value].inOneLine },
            written: { $1[keyPath: value] = $0 }
        )
    }

    /// A text in a field of one line, which is empty where the message lacks it.
    private init(
        _ field: any WritableKeyPath<PushForm, String> & Sendable,
        _ value: any WritableKeyPath<PlatformMessage, String?> & Sendable
    ) {
        self.init(
            field,
            shown: { ($0[keyPath: value] ?? "").inOneLine },
            written: { $1[keyPath: value] = $0.isEmpty ? nil : $0 }
        )
    }

    static let all: [MessagePart] = [
        MessagePart(\.text.title, \.message.title),
        MessagePart(\.text.subtitle, \.message.subtitle),
        MessagePart(
            \.text.message,
            shown: { $0.message.body.withLineFeeds },
            written: { $1.message.body = $0 }
        ),
        MessagePart(\.text.url, \.message.uri),
        MessagePart(\.threadID, \.message.threadID),
        MessagePart(\.collapseID, \.options.collapseID),
        MessagePart(
            \.text.translations,
            shown: {
                ($0.message.translations ?? [:]).filter { !$0.value.isEmpty }
                    .mapValues(\.shown)
            },
            written: { $1.message.translations = $0.isEmpty ? nil : $0 }
        ),
        MessagePart(
            \.text.image,
            shown: { $0.message.attachment?.url ?? "" },
            written: { image, shown in
                let type = URL(string: image)?.pathExtension.lowercased() ?? ""
                shown.message.attachment =
                    image.isEmpty
                    ? nil : PushAttachment(url: image, type: type.isEmpty ? "png" : type)
            }
        ),
        MessagePart(
            \.pairs,
            shown: {
                $0.message.keyValuePairs.sorted { $0.key < $1.key }
                    .map { PushPair(key: $0.key.inOneLine, value: $0.value.inOneLine) }
            },
            written: {
                $1.message.keyValuePairs = Dictionary(
                    $0.filter { !$0.key.isEmpty }.map { ($0.key, $0.value) },
                    uniquingKeysWith: { $1 }
                )
            }
        ),
        MessagePart(
            \.customJSON,
            shown: {
                ($0.message.customVariables ?? "").withLineFeeds
                    .trimmingCharacters(in: .whitespacesAndNewlines)
            },
            written: { $1.message.customVariables = PushForm.isJSON($0) ? $0 : nil }
        ),
        MessagePart(
            \.badge,
            shown: { BadgeFields($0.message.badge) },
            written: { $1.message.badge = $0.change ?? .unchanged }
        ),
        MessagePart(
            \.sound,
            shown: { $0.message.sound == nil ? .silent : .standard },
            written: { $1.message.sound = $0 == .standard ? "default" : nil }
        ),
        MessagePart(
            \.buttons,
            // A story is chosen by its pages, so that its category is no choice of buttons.
            shown: {
                let category = $0.message.category
                return ButtonFields(category == PushPayloadKey.storyCategory ? nil : category)
            },
            written: {
                $1.message.category = $0.chosenCategory
                $1.message.buttons = []
            }
        ),
        MessagePart(
            \.story,
            shown: { ($0.message.story ?? []).map(StoryFields.init) },
            written: { $1.message.story = $0.isEmpty ? nil : $0.map(\.page) }
        ),
        MessagePart(
            \.interruption,
            shown: { PushForm.Interruption($0.message.interruptionLevel) },
            written: { $1.message.interruptionLevel = $0.level }
        ),
        MessagePart(
            \.news,
            shown: { $0.message.news },
            written: { $1.message.news = $0 }
        ),
    ]
}

extension PushTranslation {
    /// As its fields show it.
    fileprivate var shown: PushTranslation {
        PushTranslation(
            title: title.inOneLine,
            subtitle: subtitle.inOneLine,
            body: body.withLineFeeds
        )
    }
}
