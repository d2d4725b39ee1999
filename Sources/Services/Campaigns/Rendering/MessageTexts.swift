import Liquid
import Ports
import Reasons

/// The parsed texts of one message, which are rendered together: they share the message's limits.
package struct MessageTexts<Place: Hashable & Sendable>: Sendable {
    package enum Outcome: Sendable {
        /// Each text, in order.
        case rendered([(place: Place, text: String)])
        /// A template called `abort_message`.
        case aborted(Reason)
        /// The text cannot be rendered for this user.
        case failed(Place, LiquidError)
    }

    private let texts: [(place: Place, template: Template)]

    package init(_ texts: [(place: Place, template: Template)]) {
        self.texts = texts
    }

    package var isEmpty: Bool { texts.isEmpty }

    /// Whether a text needs external data, not considering its content blocks.
    package var asksQuestions: Bool { texts.contains(where: \.template.asksQuestions) }

    /// The content blocks that the texts name.
    package var contentBlocks: [String] {
        texts.reduce(into: []) { names, text in
            names += text.template.contentBlocks.filter { !names.contains($0) }
        }
    }

    /// The places that name a content block which cannot be used, and why not.
    package func problems(with blocks: ContentBlockSet) -> [(place: Place, reason: Reason)] {
        texts.flatMap { text in
            text.template.contentBlocks.compactMap { name in
                blocks.problem(of: name).map { (text.place, $0) }
            }
        }
    }

    /// Renders the texts for one recipient and requests the external data that they need.
    ///
    /// - Parameter strikes: Those of the same message for other users.
    /// - Throws: Any error of the answerer that is no `LiquidError`.
    package func render(
        for variables: ProfileVariables,
        options: RenderOptions,
        answerer: some LiquidDataSource,
        by renderer: MessageRenderer,
        strikes: RenderStrikes
    ) async throws -> Outcome {
        var rendering = Rendering(variables, options)
        do {
            while true {
                let start = rendering
                let part = try await renderer.perform(after: start.cost) {
                    [texts] (steps) throws(LiquidError) in
                    try strikes.check(renderer.settings)
                    var rendering = start
                    let step = try rendering.proceed(texts, atMost: steps)
                    return (step, rendering)
                }
                rendering = part.1
                switch part.0 {
                case .finished(let rendered):
                    strikes.clear()
                    return .rendered(rendered)
                case .aborted(let reason):
                    strikes.clear()
                    return .aborted(reason)
                case .failed(let error):
                    strikes.note(error)
                    return .failed(texts[rendering.position].place, error)
                case .asks(let question):
                    rendering.answer = try await answerer.answer(question)
                }
            }
        } catch let error as LiquidError {
            strikes.note(error)
            return .failed(texts[rendering.position].place, error)
        }
    }

    /// A message being rendered, text by text.
    private struct Rendering: Sendable {
        enum Step: Sendable {
            case finished([(place: Place, text: String)])
            case aborted(Reason)
            case failed(LiquidError)
            case asks(LiquidDataRequest)
        }

        /// The answer to the last question.
        var answer: LiquidDataResponse?
        private(set) var cost = RenderCost()
        private(set) var position = 0
        private let variables: ProfileVariables
        private let options: RenderOptions
        private var rendered: [(place: Place, text: String)] = []
        private var current: TemplateRender?

        init(_ variables: ProfileVariables, _ options: RenderOptions) {
            self.variables = variables
            self.options = options
        }

        /// Continues to the end or to the next question.
        ///
        /// - Throws: Only the error that the message needs more work than `steps`, if it may do
        ///   more.
        mutating func proceed(
            _ texts: [(place: Place, template: Template)],
            atMost steps: Int
        ) throws(LiquidError) -> Step {
            while position < texts.count {
                let text = texts[position]
                var render =
                    current
                    ?? TemplateRender(of: text.template, variables, options: options, cost: cost)
                if let answer { render.add(answer) }
                answer = nil
                let step: TemplateRender.Step
                do throws(LiquidError) {
                    step = try render.proceed(atMost: steps)
                } catch {
                    guard error.kind == .workLimit, steps < options.limits.steps else {
                        return .failed(error)
                    }
                    throw error
                }
                cost = render.cost
                switch step {
                case .asks(let question):
                    current = render
                    return .asks(question)
                case .finished(.aborted(let reason)):
                    return .aborted(reason)
                case .finished(.rendered(let result)):
                    current = nil
                    rendered.append((text.place, result.text))
                    position += 1
                }
            }
            return .finished(rendered)
        }
    }
}
