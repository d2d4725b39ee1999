import HTTPTypes
import Hummingbird

/// Allows pages of any site to call the SDK's endpoints and to load the web SDK.
///
/// An SDK key ships inside apps and pages, so it identifies an app and is not a secret, and cookies
/// are ignored: any page may read the responses.
struct CrossOriginAccess<Context: RequestContext>: RouterMiddleware {
    private static var prefix: String { "/sdk/" }

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.uri.path.hasPrefix(Self.prefix) else {
            return try await next(request, context)
        }
        if request.method == .options {
            return allow(
                Response(
                    status: .noContent,
                    headers: [
                        .accessControlAllowMethods: "GET, POST, PUT, DELETE",
                        .accessControlAllowHeaders:
                            "authorization, content-type, x-noroshi-user-token",
                        .accessControlMaxAge: "86400",
                    ]
                )
            )
        }
        do {
            return allow(try await next(request, context))
        } catch let error as any HTTPResponseError {
            // A page that cannot read the error response would take it for a network failure.
            return allow(try error.response(from: request, context: context))
        }
    }

    private func allow(_ response: Response) -> Response {
        var response = response
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.accessControlExposeHeaders] =
            "Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset"
        return response
    }
}
