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
    private let templates: [FieldPath.InApp.Content: Template]

    /// Parses every text of `message`.
    ///
    /// - Parameter variant: Its place among the contents, by which fields are named.
    /// - Throws: `ValidationError` that names each field that cannot be parsed, or that asks for what
    ///   is not there when a device fetches its messages: Connected Content and catalogs.
    package init(parsing message: InAppMessage, variant: Int = 0) throws(ValidationError) {
        var templates: [FieldPath.InApp.Content: Template] = [:]
        var problems: [FieldProblem] = []
        var probe = message
        probe.changeTexts { field, text in
            guard text.contains("{{") || text.contains("{%") else { return }
            do throws(LiquidError) {
                let template = try Template(parsing: text, mode: .strict)
                if template.asksQuestions {
                    problems.append(.init(.inApp(.content(variant: variant, field)), .outsideInApp))
                }
                templates[field] = template
            } catch {
                problems.append(.init(.inApp(.content(variant: variant, field)), error.whole))
            }
        }
        guard problems.isEmpty else { throw ValidationError(problems) }
        self.message = message
        self.variant = variant
        self.templates = templates
    }

    /// The content blocks that the texts name.
    package var contentBlocks: [String] {
        templates.values.reduce(into: []) { names, template in
            names += template.contentBlocks.filter { !names.contains($0) }
        }
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
    func render(
        for variables: ProfileVariables,
        now: Date,
        blocks: ContentBlockSet,
        by renderer: MessageRenderer,
        strikes: RenderStrikes = RenderStrikes()
    ) async -> Outcome {
        guard !templates.isEmpty else { return .message(message) }
        let options = renderer.options(now, blocks)
        do throws(LiquidError) {
            let outcome = try await renderer.perform { [self] (steps) throws(LiquidError) in
                try strikes.check(renderer.settings)
                return try render(variables, options, strikes, atMost: steps)
            }
            if case .failed = outcome {} else { strikes.clear() }
            return outcome
        } catch {
            return .failed(.init(.inApp(.content(variant: variant, .text)), error.whole))
        }
    }

    /// - Throws: Only the error that the message needs more work than `steps`.
    private func render(
        _ variables: ProfileVariables,
        _ options: RenderOptions,
        _ strikes: RenderStrikes,
        atMost steps: Int
    ) throws(LiquidError) -> Outcome {
        var options = options
        let most = options.limits.steps
        options.limits.steps = steps
        var result = message
        var cost = RenderCost()
        var failure: Outcome?
        var shortage: LiquidError?
        result.changeTexts { field, text in
            guard failure == nil, shortage == nil, let template = templates[field] else { return }
            var render = TemplateRender(of: template, variables, options: options, cost: cost)
            do throws(LiquidError) {
                switch try render.proceed() {
                case .finished(.rendered(let rendered)): text = rendered.text
                case .finished(.aborted(let reason)): failure = .aborted(reason)
                case .asks(let question): throw question.unanswered
                }
            } catch {
                guard error.kind == .workLimit, steps < most else {
                    strikes.note(error)
                    failure = .failed(
                        .init(.inApp(.content(variant: variant, field)), error.whole)
                    )
                    return
                }
                shortage = error
            }
            cost = render.cost
        }
        if let shortage { throw shortage }
        return failure ?? .message(result)
    }
}
