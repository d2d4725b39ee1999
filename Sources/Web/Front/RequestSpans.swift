import HTTPTypes
import Hummingbird
import Model
import Monitoring
import Tracing

/// A span for each request, by the pattern of its route. The caller's trace goes on in it if the
/// caller is a trusted proxy: strangers decide nothing about traces.
package struct RequestSpans<Context: RequestContext>: RouterMiddleware {
    private let spans: Spans
    private let trustedProxies: [AddressRange]

    package init(_ spans: Spans, trustedProxies: [AddressRange]) {
        self.spans = spans
        self.trustedProxies = trustedProxies
    }

    package func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try await spans.measure(
            request.method.rawValue,
            .server,
            parent: parent(of: request, context)
        ) { span in
            try await answer(request, context, by: next) {
                describe(span, request, context, $0)
            }
        }
    }

    private func parent(of request: Request, _ context: Context) -> TraceIdentity? {
        let peer = (context as? any RemoteAddressRequestContext)?.remoteAddress?.ipAddress
        guard let peer, trustedProxies.contains(where: { $0.contains(peer) }),
            let name = HTTPField.Name("traceparent"), let header = request.headers[name]
        else { return nil }
        return TraceIdentity(traceparent: header)
    }

    private func describe(
        _ span: (any Span)?,
        _ request: Request,
        _ context: Context,
        _ status: HTTPResponse.Status
    ) {
        guard let span else { return }
        let labels = RequestLabels(request, context)
        span.operationName = "\(labels.method) \(labels.route)"
        span.attributes["http.request.method"] = labels.method
        span.attributes["http.route"] = labels.route
        span.attributes["http.response.status_code"] = Int64(status.code)
        if status.code >= 500 { span.setStatus(SpanStatus(code: .error)) }
    }
}
