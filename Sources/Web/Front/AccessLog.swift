import HTTPTypes
import Hummingbird
import Logging

/// A line of the log for each answered request: its method, the pattern of its route, the status
/// and how long the answer took to begin.
///
/// Neither the address nor the path itself is in it: paths hold names of users and keys of links.
package struct AccessLog<Context: RequestContext>: RouterMiddleware {
    private let uptime: @Sendable () -> Duration

    package init(uptime: @escaping @Sendable () -> Duration) {
        self.uptime = uptime
    }

    package func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = uptime()
        return try await answer(request, context, by: next) {
            tell(request, context, $0, since: start)
        }
    }

    private func tell(
        _ request: Request,
        _ context: Context,
        _ status: HTTPResponse.Status,
        since start: Duration
    ) {
        let milliseconds = (uptime() - start) / .milliseconds(1)
        let labels = RequestLabels(request, context)
        context.logger.info(
            "answered",
            metadata: [
                "http.method": "\(labels.method)", "http.route": "\(labels.route)",
                "http.status": "\(status.code)",
                "http.milliseconds": "\((milliseconds * 10).rounded() / 10)",
            ]
        )
    }
}
