import Campaigns
import Foundation
import Liquid
import Model
import NoroshiWire
import Ports
import Reasons

/// An in-app message with parsed texts, to be rendered for its users.
package struct InAppMessageTemplates: Sendable {
    private let message: InAppMessage
    private let variant: Int
    private let texts: MessageTexts<FieldPath.InApp.Content>

    /// Parses every text of `message`.
    ///
    /// - Parameter variant: Its place among the contents, by which fields are named.
    /// - Throws: `ValidationError` that names each field that cannot be parsed.
    package init(parsing message: InAppMessage, variant: Int = 0) throws(ValidationError) {
        var texts: [(place: FieldPath.InApp.Content, template: Template)] = []
        var problems: [FieldProblem] = []
        var probe = message
        probe.changeTexts { field, text in
            guard text.contains("{{") || text.contains("{%") else { return }
            do throws(LiquidError) {
                texts.append((field, try Template(parsing: text, mode: .strict)))
            } catch {
                problems.append(.init(.inApp(.content(variant: variant, field)), error.whole))
            }
        }
        guard problems.isEmpty else { throw ValidationError(problems) }
        self.message = message
        self.variant = variant
        self.texts = MessageTexts(texts)
    }

    /// The content blocks that the texts name.
    package var contentBlocks: [String] { texts.contentBlocks }

    /// Whether rendering may wait for external data.
    func asksQuestions(_ blocks: ContentBlockSet) -> Bool {
        texts.asksQuestions || blocks.asksQuestions
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
        guard !texts.isEmpty else { return .message(message) }
        do {
            let outcome = try await texts.render(
                for: variables,
                options: renderer.options(now, blocks),
                answerer: answerer,
                by: renderer,
                strikes: strikes
            )
            switch outcome {
            case .rendered(let texts):
                var message = message
                let texts = Dictionary(texts.map { ($0.place, $0.text) }) { $1 }
                message.changeTexts { field, text in text = texts[field] ?? text }
                return .message(message)
            case .aborted(let reason):
                return .aborted(reason)
            case .failed(let field, let error):
                return .failed(.init(.inApp(.content(variant: variant, field)), error.whole))
            }
        } catch ContentFetchError.refused(let reason) {
            return failed(Reason(MessageReason.content, ["reason": .text(reason)]))
        } catch ContentFetchError.unavailable(let reason) {
            return failed(Reason(MessageReason.contentUnavailable, ["reason": .text(reason)]))
        }
    }

    private func failed(_ reason: Reason) -> Outcome {
        .failed(FieldProblem(.inApp(.content(variant: variant, .text)), reason))
    }
}
