import HTTPTypes
import Hummingbird

/// Tells browsers to come back by HTTPS only (HSTS, RFC 6797).
package struct StrictTransport<Context: RequestContext>: RouterMiddleware {
    private let days: Int

    package init(days: Int) {
        self.days = days
    }

    package func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.strictTransportSecurity] = "max-age=\(days * 86_400)"
        return response
    }
}
