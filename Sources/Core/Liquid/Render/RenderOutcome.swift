/// What became of a render.
package enum RenderOutcome: Sendable {
    case rendered(RenderedText)
    /// The template called `abort_message`: the message is not to be sent.
    case aborted(reason: String)
}

/// A rendered text and what was noticed while it was made.
package struct RenderedText: Sendable {
    /// UTF-8.
    package let bytes: [UInt8]
    /// Errors of single nodes, in the order they happened.
    package let errors: [LiquidError]
    /// What `message_extras` noted.
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
            switch question {
            case .connectedContent(let request):
                throw LiquidError(
                    .suspended,
                    "Connected Content is not available here: \(request.url)"
                )
            case .catalogItems(let request):
                throw LiquidError(
                    .suspended,
                    "Catalogs are not available here: \(request.catalog)"
                )
            }
        }
    }

    /// Renders the template, asking for what it needs as it goes.
    ///
    /// The render starts anew with each answer, so that nothing is held while the network is
    /// waited for; a template asks at most `LiquidLimits.fetches` times.
    package func render(
        _ variables: any LiquidVariables,
        options: RenderOptions,
        answerer: any LiquidAnswerer
    ) async throws -> RenderOutcome {
        var options = options
        let present = options.now()
        options.now = { present }
        var answers: [LiquidAnswer] = []
        while true {
            switch try attempt(variables, options, answers: answers) {
            case .finished(let outcome): return outcome
            case .asks(let question): answers.append(try await answerer.answer(question))
            }
        }
    }

    /// Renders the template with answers that are at hand.
    package func render(
        _ variables: any LiquidVariables,
        options: RenderOptions,
        answer: (LiquidQuestion) throws(LiquidError) -> LiquidAnswer
    ) throws(LiquidError) -> RenderOutcome {
        var answers: [LiquidAnswer] = []
        while true {
            switch try attempt(variables, options, answers: answers) {
            case .finished(let outcome): return outcome
            case .asks(let question): answers.append(try answer(question))
            }
        }
    }

    private enum Attempt {
        case finished(RenderOutcome)
        case asks(LiquidQuestion)
    }

    private func attempt(
        _ variables: any LiquidVariables,
        _ options: RenderOptions,
        answers: [LiquidAnswer]
    ) throws(LiquidError) -> Attempt {
        let tree = try trees.take()
        defer { trees.give(tree) }
        var renderer = Renderer(
            tree,
            named: name,
            variables: variables,
            options: options,
            answers: answers
        )
        do {
            try renderer.render(tree.body)
        } catch {
            switch error.kind {
            case .aborted:
                return .finished(.aborted(reason: error.message))
            case .suspended:
                guard let question = renderer.pending else { throw error }
                return .asks(question)
            default:
                throw error
            }
        }
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
