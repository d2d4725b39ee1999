import CoreMetrics
import Model
import Monitoring

/// What ingestion tells the people who operate the server.
package struct IngestMetrics: Sendable {
    private enum Kind: String, CaseIterable {
        case event, purchase, attributes, session, identity, device, push, message
    }

    private enum Outcome: String, CaseIterable {
        case stored, duplicate, rejected
    }

    private let items: CounterFamily
    private let requests: CounterFamily
    private let commits: DurationFamily
    let uptime: @Sendable () -> Duration

    /// - Parameter uptime: The time since a fixed moment; monotonic.
    package init(
        _ factory: any MetricsFactory = NOOPMetricsHandler.instance,
        uptime: @escaping @Sendable () -> Duration = { .zero }
    ) {
        items = CounterFamily(Metric.ingestItems, in: factory)
        requests = CounterFamily(Metric.ingestRequests, in: factory)
        commits = DurationFamily(Metric.commitDuration, in: factory)
        self.uptime = uptime
        // Counters that are there from the start show their first step.
        for outcome in ["stored", "overloaded", "failed"] { requests.add(0, outcome) }
    }

    func committed(
        _ requests: [IngestRequest],
        _ outcomes: [[IngestOutcome]],
        since start: Duration
    ) {
        commits.record(uptime() - start)
        self.requests.add(requests.count, "stored")
        let kinds = Kind.allCases
        let results = Outcome.allCases
        var counts = Array(repeating: 0, count: kinds.count * results.count)
        for (request, outcomes) in zip(requests, outcomes) {
            for (item, outcome) in zip(request.items, outcomes) {
                counts[Self.place(of: item.content) * results.count + Self.place(of: outcome)] += 1
            }
        }
        for (place, count) in counts.enumerated() where count > 0 {
            items.add(
                count,
                kinds[place / results.count].rawValue,
                results[place % results.count].rawValue
            )
        }
    }

    func refused() { requests.add(1, "overloaded") }

    func failed(_ count: Int) { requests.add(count, "failed") }

    /// The place in `Kind.allCases`.
    private static func place(of content: IngestItem.Content) -> Int {
        switch content {
        case .event, .storedEvent: 0
        case .purchase: 1
        case .attributes: 2
        case .sessionStarted, .sessionEnded: 3
        case .alias, .userChanged: 4
        case .pushRegistered, .pushCleared: 5
        case .pushInteraction: 6
        case .inAppMessage: 7
        }
    }

    private static func place(of outcome: IngestOutcome) -> Int {
        switch outcome {
        case .stored: 0
        case .duplicate: 1
        case .rejected: 2
        }
    }
}
