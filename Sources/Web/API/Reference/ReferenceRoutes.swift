import Hummingbird
import Synchronization
import WebPages

/// `/openapi.json` for machines and `/docs/api` for people. Both are made when somebody asks for them: they are
/// most of a start otherwise.
final class ReferenceRoutes: Sendable {
    private struct Drawn {
        var limits: RateLimits
        var page: Response
    }

    private let endpoints: [RESTEndpoint]
    private let limits: @Sendable () -> RateLimits
    private let templates: TemplateLibrary
    private let assets: AssetURLs
    private let described = Mutex<Response?>(nil)
    private let drawn = Mutex<Drawn?>(nil)

    /// - Parameter limits: What the page says of them; it is drawn again when they have changed.
    /// - Throws: ``WebFileError`` if the embedded files are invalid.
    init(
        endpoints: [RESTEndpoint],
        limits: @escaping @Sendable () -> RateLimits,
        files: WebFiles
    ) throws {
        self.endpoints = endpoints
        self.limits = limits
        templates = try TemplateLibrary(files: files.folder("API/Templates"))
        assets = AssetURLs(files)
    }

    private func description() throws -> Response {
        try described.withLock { described in
            if let described { return described }
            let made = try JSONResponse.json(OpenAPIDocument(endpoints: endpoints).json)
            described = made
            return made
        }
    }

    private func page() throws -> Response {
        let limits = limits()
        return try drawn.withLock { drawn in
            if let drawn, drawn.limits == limits { return drawn.page }
            let values = ReferencePage(endpoints: endpoints, limits: limits, assets: assets)
            let page = HTMLResponse.html(try templates.render("api-reference", values))
            drawn = Drawn(limits: limits, page: page)
            return page
        }
    }

    func add(to router: Router<some RequestContext>) {
        router.get("/openapi.json") { _, _ in try self.description() }
        router.get("/docs/api") { _, _ in try self.page() }
    }
}
