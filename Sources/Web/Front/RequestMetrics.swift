import CoreMetrics
import HTTPTypes
import Hummingbird
import Monitoring

/// Counts the requests by the pattern of their route, which has no names in it, and measures how
/// long their answers take to begin.
package struct RequestMetrics<Context: RequestContext>: RouterMiddleware {
    private let requests: CounterFamily
    private let durations: DurationFamily
    private let inFlight: Meter
    private let uptime: @Sendable () -> Duration

    package init(_ factory: any MetricsFactory, uptime: @escaping @Sendable () -> Duration) {
        requests = CounterFamily(Metric.requests, in: factory)
        durations = DurationFamily(Metric.requestDuration, in: factory)
        inFlight = Meter(label: Metric.requestsInFlight.name, factory: factory)
        inFlight.set(0)
        self.uptime = uptime
    }

    package func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = uptime()
        inFlight.increment()
        defer { inFlight.decrement() }
        return try await answer(request, context, by: next) {
            count(request, context, $0, since: start)
        }
    }

    private func count(
        _ request: Request,
        _ context: Context,
        _ status: HTTPResponse.Status,
        since start: Duration
    ) {
        let labels = RequestLabels(request, context)
        requests.add(1, labels.method, labels.route, "\(status.code)")
        durations.record(uptime() - start, labels.method, labels.route)
    }
}
