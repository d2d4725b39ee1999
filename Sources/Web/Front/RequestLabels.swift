import HTTPTypes
import Hummingbird

extension RouterMiddleware where Input == Request, Output == Response {
    /// Has a request answered, and tells the status with which its answer begins.
    func answer(
        _ request: Request,
        _ context: Context,
        by next: (Request, Context) async throws -> Response,
        told: (HTTPResponse.Status) -> Void
    ) async throws -> Response {
        do {
            let response = try await next(request, context)
            told(response.status)
            return response
        } catch {
            told((error as? any HTTPResponseError)?.status ?? .internalServerError)
            throw error
        }
    }
}

/// What of a request may be counted and logged: from short lists, without names in it.
struct RequestLabels {
    /// Clients may invent methods, which are `other`.
    private static let methods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .patch, .delete, .options,
    ]

    let method: String
    /// The pattern of the route, such as `/users/{id}`; `none` where there is no route.
    let route: String

    init(_ request: Request, _ context: some RequestContext) {
        method = Self.methods.contains(request.method) ? request.method.rawValue : "other"
        route = context.endpointPath ?? "none"
    }
}
