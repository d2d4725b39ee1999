import Audience
import Foundation
import Hummingbird
import Model
import Sends
import WebPages

/// A message in every language on one platform, drawn as the platform draws it.
struct EveryPreviewPart {
    struct Shown {
        let languageName: String
        let languageTag: String
        let shownTitle: String
        let shownSubtitle: String?
        let shownText: String
        let count: String
        /// Whether the system cuts the text.
        let isLong: Bool
        let missing: String?
    }

    let platformName: String
    let isPhone: Bool
    let isAndroid: Bool
    let isBrowser: Bool
    let shown: [Shown]
}

/// What the composer's preview shows besides one message: users to look through, and all languages
/// and platforms side by side.
extension PushResponses {
    /// Characters of a text that an iPhone shows before somebody opens the notification.
    static let shownCharacters = 178
    private static let sampleSize = 4

    struct Sampled: Codable {
        let value: String
        let name: String
    }

    /// Users of the audience, drawn anew with each seed; those without a name of the app's own cannot
    /// be chosen.
    func sample(_ context: ConsoleContext) async throws -> Response {
        let form = PushForm(fields: context.form)
        let seed = Double(context.form["seed"]) ?? 0
        var (content, hasAudience) = try await site.message(of: form, context)
        do {
            if !hasAudience {
                content.audience = try await site.services.choices.audience(
                    form.audience.choice,
                    in: context.workspace
                )
            }
            let users = try await site.services.review.sample(
                of: content,
                seed: seed.isFinite ? seed : 0,
                limit: Self.sampleSize,
                in: context.workspace
            )
            let named = users.compactMap { user in
                user.externalID.map {
                    Sampled(value: $0, name: user.fullName.isEmpty ? $0 : user.fullName)
                }
            }
            // Of two with the same name the identifiers tell who is who.
            let shared = Dictionary(grouping: named, by: \.name).filter { $0.value.count > 1 }
            return HTMLResponse.json(
                try JSONEncoder().encode(
                    named.map { user in
                        shared[user.name] == nil
                            ? user
                            : Sampled(value: user.value, name: "\(user.name) · \(user.value)")
                    }
                )
            )
        } catch is AudienceError {
            return HTMLResponse.json(Array("[]".utf8))
        } catch is ValidationError {
            return HTMLResponse.json(Array("[]".utf8))
        }
    }

    /// The message in every language on a platform.
    func every(_ context: ConsoleContext) async throws -> Response {
        let form = PushForm(fields: context.form)
        let platform = MessagePlatform(rawValue: context.form["platform"]) ?? .ios
        let content = try await site.message(of: form, context).content
        let words = context.words
        var shown: [EveryPreviewPart.Shown] = []
        let languages = LanguageTabs.languages(form.text.translations.keys, context)
        for language in languages.isEmpty ? [nil] : languages.map(Optional.some) {
            let preview = try await site.services.review.preview(
                of: content,
                for: form.previewUser,
                language: language,
                in: context.workspace
            )
            let message = preview.message
            let length = message.body.count
            shown.append(
                EveryPreviewPart.Shown(
                    languageName: language.map(LanguageTabs.name)
                        ?? words("compose.default_language"),
                    languageTag: language ?? words.language.rawValue,
                    shownTitle: message.title.isEmpty ? words("push.app_name") : message.title,
                    shownSubtitle: message.subtitle.isEmpty || platform != .ios
                        ? nil : message.subtitle,
                    shownText: message.body,
                    count: words.counted("compose.characters", length),
                    isLong: platform == .ios && length > Self.shownCharacters,
                    missing: missing(preview, context)
                )
            )
        }
        let part = EveryPreviewPart(
            platformName: words(platform.wordKey),
            isPhone: platform == .ios,
            isAndroid: platform == .android,
            isBrowser: platform == .web,
            shown: shown
        )
        return try site.part("compose-every", part, context: context)
    }

    /// What leaves gaps in a message; `nil` for nothing.
    func missing(_ preview: MessagePreview, _ context: ConsoleContext) -> String? {
        guard !preview.missing.isEmpty else { return nil }
        // Within a sentence a label begins as any other word.
        let names = preview.missing.map {
            let label = UserPage.label(of: $0, context.words)
            return label.prefix(1).lowercased() + label.dropFirst()
        }.joined(separator: context.words("segments.found.separator"))
        return context.words("compose.missing", ["names": names])
    }
}
