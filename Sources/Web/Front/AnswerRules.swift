import HTTPTypes
import Hummingbird
import Logging

/// The rules for every request and every response.
package struct AnswerRules<Context: RequestContext>: RouterMiddleware {
    /// Converts an error without a handler to the response for the client; the text is the
    /// pattern of the route, because paths hold names of users.
    private let explain: @Sendable (any Error, String, Logger) -> any HTTPResponseError

    package init(
        explain: @escaping @Sendable (any Error, String, Logger) -> any HTTPResponseError
    ) {
        self.explain = explain
    }

    package func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            // The first one is the request's authority; a proxy may have used another one.
            if let host = HTTPField.Name("Host"), request.headers[host] != nil {
                throw FrontError.twoHosts
            }
            response = try await next(request, context)
        } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        } catch let error where !(error is CancellationError) {
            response = try explain(error, RequestLabels(request, context).route, context.logger)
                .response(from: request, context: context)
        }
        // Browsers must not guess another type than the declared one.
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }
}
