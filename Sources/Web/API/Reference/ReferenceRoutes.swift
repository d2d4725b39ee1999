import Hummingbird
import Synchronization
import WebPages

/// `/openapi.json` for machines and `/docs/api` for people.
final class ReferenceRoutes: Sendable {
    private struct Drawn {
        var limits: RateLimits
        var page: Response
    }

    private let endpoints: [RESTEndpoint]
    private let limits: @Sendable () -> RateLimits
    private let templates: TemplateLibrary
    private let assets: AssetURLs
    private let description: Response
    private let drawn: Mutex<Drawn>

    /// - Parameter limits: What the page says of them; it is drawn again when they have changed.
    /// - Throws: ``WebFileError`` if the embedded files are invalid.
    init(
        endpoints: [RESTEndpoint],
        limits: @escaping @Sendable () -> RateLimits,
        files: WebFiles
    ) throws {
        self.endpoints = endpoints
        self.limits = limits
        description = try JSONResponse.json(OpenAPIDocument(endpoints: endpoints).json)
        templates = try TemplateLibrary(files: files.folder("API/Templates"))
        assets = AssetURLs(files)
        let first = limits()
        drawn = Mutex(
            Drawn(
                limits: first,
                page: try Self.page(templates, endpoints, first, assets)
            )
        )
    }

    private static func page(
        _ templates: TemplateLibrary,
        _ endpoints: [RESTEndpoint],
        _ limits: RateLimits,
        _ assets: AssetURLs
    ) throws -> Response {
        HTMLResponse.html(
            try templates.render(
                "api-reference",
                ReferencePage(endpoints: endpoints, limits: limits, assets: assets)
            )
        )
    }

    private func page() throws -> Response {
        let limits = limits()
        return try drawn.withLock { drawn in
            if drawn.limits != limits {
                drawn = Drawn(
                    limits: limits,
                    page: try Self.page(templates, endpoints, limits, assets)
                )
            }
            return drawn.page
        }
    }

    func add(to router: Router<some RequestContext>) {
        router.get("/openapi.json") { _, _ in self.description }
        router.get("/docs/api") { _, _ in try self.page() }
    }
}
