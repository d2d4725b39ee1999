import Foundation
import Liquid
import Model
import Ports
import Reasons

/// A push message with parsed texts: created once per send, rendered for every recipient.
package struct PushTemplates: Sendable {
    /// The outcome of rendering for one recipient.
    package enum Outcome: Sendable {
        case message(PushMessage)
        /// A template called `abort_message`, or cannot be rendered for this user.
        case skip(reason: Reason)
        /// Rendering took too long; a server under less load may have the time.
        case overdue(reason: Reason)
    }

    /// What users of one language get.
    private struct Version: Sendable {
        var message: PushMessage
        var texts: MessageTexts<FieldPath.Message>
    }

    /// For users whose language has no texts of its own.
    private let common: Version
    private let translated: [String: Version]
    /// Every text, of all languages.
    private let texts: MessageTexts<FieldPath.Message>
    private let strikes = RenderStrikes()
    /// Whether a text needs external data, not considering its content blocks.
    package let asksQuestions: Bool

    /// Parses every text of `message`.
    ///
    /// - Parameter path: Of a field of the message.
    /// - Throws: Each field that cannot be parsed, with line and column.
    package init(
        parsing message: PushMessage,
        at path: (FieldPath.Message) -> FieldPath = { .push($0) }
    ) throws(ValidationError) {
        var problems: [FieldProblem] = []
        var texts: [(place: FieldPath.Message, template: Template)] = []
        // Most texts have no Liquid at all; they stay as they are.
        for (place, source) in Self.sources(of: message)
        where source.contains("{{") || source.contains("{%") {
            do {
                texts.append((place, try Template(parsing: source, name: nil, mode: .strict)))
            } catch {
                problems.append(FieldProblem(path(place), error.whole))
            }
        }
        guard problems.isEmpty else { throw ValidationError(problems) }
        self.texts = MessageTexts(texts)
        let own = texts.filter { $0.place.language == nil }
        common = Version(message: message.inLanguage(nil), texts: MessageTexts(own))
        var translated: [String: Version] = [:]
        for (language, translation) in message.translations ?? [:] {
            let replaced = translation.places
            translated[language] = Version(
                message: message.inLanguage(language),
                texts: MessageTexts(
                    own.filter { !replaced.contains($0.place) }
                        + texts.compactMap { place, template in
                            place.language == language ? (place.untranslated, template) : nil
                        }
                )
            )
        }
        self.translated = translated
        asksQuestions = self.texts.asksQuestions
    }

    /// Every text of a message that may hold Liquid.
    private static func sources(of message: PushMessage) -> [(FieldPath.Message, String)] {
        var sources: [(FieldPath.Message, String)] = [
            (.title, message.title), (.subtitle, message.subtitle), (.body, message.body),
        ]
        if let uri = message.uri { sources.append((.uri, uri)) }
        if let threadID = message.threadID { sources.append((.threadID, threadID)) }
        if let custom = message.customVariables { sources.append((.customVariables, custom)) }
        if let attachment = message.attachment { sources.append((.attachment, attachment.url)) }
        for (key, value) in message.keyValuePairs.ordered(by: { $0.key }) {
            sources.append((.pair(key), value))
        }
        for (index, button) in message.buttons.enumerated() {
            sources.append((.buttonTitle(index), button.title))
            if let uri = button.uri { sources.append((.buttonURI(index), uri)) }
        }
        for (index, page) in (message.story ?? []).enumerated() {
            sources += [
                (.storyImage(index), page.image), (.storyTitle(index), page.title),
                (.storySubtitle(index), page.subtitle),
            ]
            if let uri = page.uri { sources.append((.storyURI(index), uri)) }
        }
        for (language, texts) in (message.translations ?? [:]).ordered(by: { $0.key }) {
            sources += [
                (.translatedTitle(language), texts.title),
                (.translatedSubtitle(language), texts.subtitle),
                (.translatedBody(language), texts.body),
            ]
        }
        return sources
    }

    /// The same without their places.
    package static func texts(of message: PushMessage) -> [String] {
        sources(of: message).map(\.1)
    }

    /// Whether any text can differ between users.
    package var isPersonal: Bool { !texts.isEmpty || !translated.isEmpty }

    /// The content blocks that the message names.
    package var contentBlocks: [String] { texts.contentBlocks }

    /// The fields that name a content block which cannot be used.
    package func problems(
        with blocks: ContentBlockSet,
        at path: (FieldPath.Message) -> FieldPath = { .push($0) }
    ) -> [FieldProblem] {
        texts.problems(with: blocks).map { FieldProblem(path($0.place), $0.reason) }
    }

    /// Renders the message for one recipient and requests the external data that its texts need.
    ///
    /// - Throws: `ContentFetchError.unavailable` if the message must be rendered again later, and
    ///   any error of the answerer.
    package func render(
        for variables: ProfileVariables,
        now: Date,
        blocks: ContentBlockSet = .none,
        answerer: some LiquidDataSource = NoAnswers(),
        by renderer: MessageRenderer
    ) async throws -> Outcome {
        let language = MessageLanguage.chosen(for: variables.language, among: translated.keys)
        let version = language.flatMap { translated[$0] } ?? common
        guard !version.texts.isEmpty else { return Self.checked(version.message) }
        do {
            let outcome = try await version.texts.render(
                for: variables,
                options: renderer.options(now, blocks),
                answerer: answerer,
                by: renderer,
                strikes: strikes
            )
            switch outcome {
            case .rendered(let texts):
                var message = version.message
                for text in texts { text.place.write(text.text, to: &message) }
                return Self.checked(message)
            case .aborted(let reason):
                return .skip(reason: .init(MessageReason.aborted, ["reason": .reason(reason)]))
            case .failed(_, let error):
                let reason = Reason(MessageReason.liquid, ["reason": .reason(error.whole)])
                return error.kind == .timeLimit ? .overdue(reason: reason) : .skip(reason: reason)
            }
        } catch ContentFetchError.refused(let reason) {
            return .skip(reason: Reason(MessageReason.content, ["reason": .reason(reason)]))
        }
    }

    private static func checked(_ message: PushMessage) -> Outcome {
        if message.title.isEmpty, message.body.isEmpty, !message.isSilent {
            return .skip(reason: Reason(MessageReason.empty))
        }
        return .message(message)
    }
}

/// Rejects all questions, for messages that may not use external data.
package struct NoAnswers: LiquidDataSource {
    package init() {}

    package func answer(_ question: LiquidDataRequest) async throws -> LiquidDataResponse {
        throw question.unanswered
    }
}

extension FieldPath.Message {
    /// Writes a text into the field; the others have none.
    fileprivate func write(_ text: String, to message: inout PushMessage) {
        switch self {
        case .title: message.title = text
        case .subtitle: message.subtitle = text
        case .body: message.body = text
        case .uri: message.uri = text
        case .threadID: message.threadID = text
        case .customVariables: message.customVariables = text
        case .attachment: message.attachment?.url = text
        case .pair(let key): message.keyValuePairs[key] = text
        case .buttonTitle(let index): message.buttons[index].title = text
        case .buttonURI(let index): message.buttons[index].uri = text
        case .storyImage(let index): message.story?[index].image = text
        case .storyTitle(let index): message.story?[index].title = text
        case .storySubtitle(let index): message.story?[index].subtitle = text
        case .storyURI(let index): message.story?[index].uri = text
        case .badge, .collapseID, .relevanceScore, .pairs, .buttons, .story, .translations: break
        // Rendered as the fields for which they stand.
        case .translatedTitle, .translatedSubtitle, .translatedBody: break
        }
    }

    /// The language of a translated text.
    fileprivate var language: String? {
        switch self {
        case .translatedTitle(let language), .translatedSubtitle(let language),
            .translatedBody(let language):
            language
        default: nil
        }
    }

    /// The field for which a translated text stands.
    fileprivate var untranslated: FieldPath.Message {
        switch self {
        case .translatedTitle: .title
        case .translatedSubtitle: .subtitle
        case .translatedBody: .body
        default: self
        }
    }
}

extension PushTranslation {
    /// The fields that it has texts for.
    fileprivate var places: Set<FieldPath.Message> {
        var places: Set<FieldPath.Message> = []
        if !title.isEmpty { places.insert(.title) }
        if !subtitle.isEmpty { places.insert(.subtitle) }
        if !body.isEmpty { places.insert(.body) }
        return places
    }
}
