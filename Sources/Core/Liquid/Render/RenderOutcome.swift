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
    /// Throws a `LiquidError` when a limit is reached, when the template needs Connected Content
    /// (see `render(_:options:fetcher:)`), or, with `.raise`, at the first error.
    package func render(
        _ variables: any LiquidVariables,
        options: RenderOptions
    ) throws(LiquidError) -> RenderOutcome {
        switch try attempt(variables, options, responses: []) {
        case .finished(let outcome): return outcome
        case .needs(let request):
            throw LiquidError(
                .suspended,
                "Connected Content is not available here: \(request.url)"
            )
        }
    }

    /// Renders the template, fetching its Connected Content as it goes.
    ///
    /// The render starts anew with each answer, so that nothing is held while the network is
    /// waited for; a template makes at most `LiquidLimits.fetches` calls.
    package func render(
        _ variables: any LiquidVariables,
        options: RenderOptions,
        fetcher: any ConnectedContentFetcher
    ) async throws -> RenderOutcome {
        var options = options
        let present = options.now()
        options.now = { present }
        var responses: [ConnectedContentResponse] = []
        while true {
            switch try attempt(variables, options, responses: responses) {
            case .finished(let outcome): return outcome
            case .needs(let request): responses.append(try await fetcher.fetch(request))
            }
        }
    }

    /// Renders the template, fetching its Connected Content on the spot, for previews and tests.
    package func render(
        _ variables: any LiquidVariables,
        options: RenderOptions,
        fetch: (ConnectedContentRequest) throws(LiquidError) -> ConnectedContentResponse
    ) throws(LiquidError) -> RenderOutcome {
        var responses: [ConnectedContentResponse] = []
        while true {
            switch try attempt(variables, options, responses: responses) {
            case .finished(let outcome): return outcome
            case .needs(let request): responses.append(try fetch(request))
            }
        }
    }

    private enum Attempt {
        case finished(RenderOutcome)
        case needs(ConnectedContentRequest)
    }

    private func attempt(
        _ variables: any LiquidVariables,
        _ options: RenderOptions,
        responses: [ConnectedContentResponse]
    ) throws(LiquidError) -> Attempt {
        let tree = try trees.take()
        defer { trees.give(tree) }
        var renderer = Renderer(
            tree,
            named: name,
            variables: variables,
            options: options,
            responses: responses
        )
        do {
            try renderer.render(tree.body)
        } catch {
            switch error.kind {
            case .aborted:
                return .finished(.aborted(reason: error.message))
            case .suspended:
                guard let request = renderer.pending else { throw error }
                return .needs(request)
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
