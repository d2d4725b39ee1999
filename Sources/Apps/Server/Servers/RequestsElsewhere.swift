import Hummingbird
import NIOCore

/// A server that takes no requests says so to whoever asks for anything but its state.
struct RequestsElsewhere<Context: RequestContext>: RouterMiddleware {
    private static var ownPaths: Set<String> { ["/health", "/ready"] }

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        if Self.ownPaths.contains(request.uri.path) { return try await next(request, context) }
        return Response(
            status: .serviceUnavailable,
            headers: [.contentType: "text/plain; charset=utf-8", .retryAfter: "5"],
            body: ResponseBody(
                byteBuffer: ByteBuffer(string: "this server takes no requests; ask another one\n")
            )
        )
    }
}
