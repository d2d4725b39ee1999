import Hummingbird
import WebPages

/// `/openapi.json` for machines and `/docs/api` for people.
struct ReferenceRoutes: Sendable {
    private let description: Response
    private let page: Response

    /// - Throws: ``WebFileError`` if the embedded files are invalid.
    init(endpoints: [RESTEndpoint], limits: RateLimits, files: WebFiles) throws {
        description = try JSONResponse.json(OpenAPIDocument(endpoints: endpoints).json)
        let templates = try TemplateLibrary(files: files.folder("API/Templates"))
        page = HTMLResponse.html(
            try templates.render(
                "api-reference",
                ReferencePage(
                    endpoints: endpoints,
                    limits: limits,
                    assets: AssetURLs(files)
                )
            )
        )
    }

    func add(to router: Router<some RequestContext>) {
        router.get("/openapi.json") { _, _ in description }
        router.get("/docs/api") { _, _ in page }
    }
}
