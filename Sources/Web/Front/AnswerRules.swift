import HTTPTypes
import Hummingbird
import Logging

/// What holds for every request and every answer.
package struct AnswerRules<Context: RequestContext>: RouterMiddleware {
    /// What a client is told of an error that no handler has an answer for.
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
            // The first one is the request's authority; proxies may have gone by the other.
            if let host = HTTPField.Name("Host"), request.headers[host] != nil {
                throw FrontRefusal.twoHosts
            }
            response = try await next(request, context)
        } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        } catch let error where !(error is CancellationError) {
            response = try explain(error, request.uri.path, context.logger)
                .response(from: request, context: context)
        }
        // What a browser is told to be JSON or text stays that, whatever its bytes look like.
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }
}
