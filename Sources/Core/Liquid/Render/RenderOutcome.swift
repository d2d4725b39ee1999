import Reasons

/// The result of a render.
package enum RenderOutcome: Sendable {
    case rendered(RenderedText)
    /// The template called `abort_message`: the message must not be sent.
    case aborted(Reason)
}

/// A rendered text, with errors and extras.
package struct RenderedText: Sendable {
    /// UTF-8.
    package let bytes: [UInt8]
    /// Errors of single nodes, in order of occurrence.
    package let errors: [LiquidError]
    /// The pairs from `message_extras`.
    package let extras: [(key: String, value: String)]

    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension Template {
    /// Renders the template.
    ///
    /// Throws a `LiquidError` when a limit is reached, when the template asks for something from
    /// outside (see `render(_:options:answerer:)`), or, with `.raise`, at the first error.
    package func render(
        _ variables: any LiquidVariables,
        options: RenderOptions
    ) throws(LiquidError) -> RenderOutcome {
        try render(variables, options: options) { (question) throws(LiquidError) in
            throw question.unanswered
        }
    }

    /// Renders the template, requesting external data as needed.
    package func render(
        _ variables: any LiquidVariables,
        options: RenderOptions,
        answerer: any LiquidDataSource
    ) async throws -> RenderOutcome {
        var render = TemplateRender(of: self, variables, options: options)
        while true {
            switch try render.proceed() {
            case .finished(let outcome): return outcome
            case .asks(let question): render.add(try await answerer.answer(question))
            }
        }
    }

    /// Renders the template with answers that are already available.
    package func render(
        _ variables: any LiquidVariables,
        options: RenderOptions,
        answer: (LiquidDataRequest) throws(LiquidError) -> LiquidDataResponse
    ) throws(LiquidError) -> RenderOutcome {
        var render = TemplateRender(of: self, variables, options: options)
        while true {
            switch try render.proceed() {
            case .finished(let outcome): return outcome
            case .asks(let question): render.add(try answer(question))
            }
        }
    }
}

/// A render that stops when it needs external data.
///
/// It restarts with each answer, so that no resources are held during network waits; a template
/// asks at most `LiquidLimits.fetches` times.
package struct TemplateRender: Sendable {
    package enum Step: Sendable {
        case finished(RenderOutcome)
        /// Answer the question with `add`, then call `proceed` again.
        case asks(LiquidDataRequest)
    }

    /// The cost of the message so far.
    package private(set) var cost: RenderCost
    private let template: Template
    private let variables: any LiquidVariables
    private var options: RenderOptions
    private var answers: [ReadyAnswer] = []
    /// The current time, the same after every answer.
    private var present: LiquidTime?

    /// - Parameter cost: The cost of the message's earlier texts.
    package init(
        of template: Template,
        _ variables: any LiquidVariables,
        options: RenderOptions,
        cost: RenderCost = RenderCost()
    ) {
        self.template = template
        self.variables = variables
        self.cost = cost
        self.options = options
    }

    package mutating func add(_ answer: LiquidDataResponse) {
        answers.append(ReadyAnswer(answer, depth: options.limits.nesting))
    }

    /// Continues to the end or to the next question.
    ///
    /// - Parameter steps: Maximum total work of the message so far; `nil` for the limit of the
    ///   options.
    package mutating func proceed(atMost steps: Int? = nil) throws(LiquidError) -> Step {
        if let steps { options.limits.steps = steps }
        let tree = try template.trees.take()
        defer { template.trees.give(tree) }
        let present = self.present ?? options.now()
        self.present = present
        var renderer = Renderer(
            tree,
            named: template.name,
            variables: variables,
            options: options,
            now: present,
            answers: answers,
            cost: cost
        )
        do {
            try renderer.render(tree.body)
        } catch {
            cost = renderer.cost()
            switch error.kind {
            case .aborted:
                return .finished(.aborted(error.reason))
            case .suspended:
                guard let question = renderer.pending else { throw error }
                return .asks(question)
            default:
                throw error
            }
        }
        cost = renderer.cost()
        return .finished(
            .rendered(
                RenderedText(
                    bytes: renderer.output,
                    errors: renderer.errors,
                    extras: renderer.extras
                )
            )
        )
    }
}
