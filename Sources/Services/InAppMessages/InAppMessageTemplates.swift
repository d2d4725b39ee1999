import Campaigns
import Foundation
import Liquid
import Model
import NoroshiWire
import Ports
import Reasons

/// An in-app message with parsed texts, to be rendered for its users.
package struct InAppMessageTemplates: Sendable {
    /// What users of one language get.
    private struct Version: Sendable {
        var message: InAppMessage
        var texts: MessageTexts<FieldPath.InApp.Content>
    }

    private let variant: Int
    /// For users whose language has no texts of its own.
    private let common: Version
    private let translated: [String: Version]

    /// Parses every text of `message`.
    ///
    /// - Parameter variant: Its place among the contents, by which fields are named.
    /// - Throws: `ValidationError` that names each field that cannot be parsed.
    package init(parsing message: InAppMessage, variant: Int = 0) throws(ValidationError) {
        var problems: [FieldProblem] = []
        func version(_ language: String?) -> Version {
            let own = message.inLanguage(language)
            var texts: [(place: FieldPath.InApp.Content, template: Template)] = []
            var probe = own
            probe.changeTexts { field, text in
                guard text.contains("{{") || text.contains("{%") else { return }
                do throws(LiquidError) {
                    texts.append((field, try Template(parsing: text, mode: .strict)))
                } catch {
                    let place = language.map { .translated($0, field) } ?? field
                    let path = FieldPath.inApp(.content(variant: variant, place))
                    // What a language leaves as it is was reported before.
                    let reason = error.whole
                    guard
                        !problems.contains(where: {
                            $0.path == .inApp(.content(variant: variant, field))
                                && $0.reason == reason
                        })
                    else { return }
                    problems.append(FieldProblem(path, reason))
                }
            }
            return Version(message: own, texts: MessageTexts(texts))
        }
        let common = version(nil)
        var translated: [String: Version] = [:]
        for language in (message.translations ?? [:]).keys.sorted() {
            translated[language] = version(language)
        }
        guard problems.isEmpty else { throw ValidationError(problems) }
        self.variant = variant
        self.common = common
        self.translated = translated
    }

    private var versions: [Version] {
        [common] + translated.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The content blocks that the texts name.
    package var contentBlocks: [String] {
        versions.reduce(into: []) { names, version in
            names += version.texts.contentBlocks.filter { !names.contains($0) }
        }
    }

    /// Whether rendering may wait for external data.
    func asksQuestions(_ blocks: ContentBlockSet) -> Bool {
        versions.contains { $0.texts.asksQuestions } || blocks.asksQuestions
    }

    /// The outcome of rendering a message for one user.
    package enum Outcome: Sendable {
        case message(InAppMessage)
        /// A template called `abort_message`.
        case aborted(Reason)
        /// A field cannot be rendered for this user.
        case failed(FieldProblem)
    }

    /// Renders the message for one user; partially rendered messages are never shown.
    ///
    /// - Parameter strikes: Those of the same message for other users.
    /// - Throws: Errors of the store, and `CancellationError`.
    func render(
        for variables: ProfileVariables,
        now: Date,
        blocks: ContentBlockSet,
        answerer: some LiquidDataSource,
        by renderer: MessageRenderer,
        strikes: RenderStrikes = RenderStrikes()
    ) async throws -> Outcome {
        let language = MessageLanguage.chosen(for: variables.language, among: translated.keys)
        let version = language.flatMap { translated[$0] } ?? common
        guard !version.texts.isEmpty else { return .message(version.message) }
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
                let texts = Dictionary(texts.map { ($0.place, $0.text) }) { $1 }
                message.changeTexts { field, text in text = texts[field] ?? text }
                return .message(message)
            case .aborted(let reason):
                return .aborted(reason)
            case .failed(let field, let error):
                return .failed(.init(.inApp(.content(variant: variant, field)), error.whole))
            }
        } catch ContentFetchError.refused(let reason) {
            return failed(Reason(MessageReason.content, ["reason": .reason(reason)]))
        } catch ContentFetchError.unavailable(let reason) {
            return failed(Reason(MessageReason.contentUnavailable, ["reason": .reason(reason)]))
        }
    }

    private func failed(_ reason: Reason) -> Outcome {
        .failed(FieldProblem(.inApp(.content(variant: variant, .text)), reason))
    }
}
