import CoreMetrics
import Synchronization

/// The counters of a metric, found by the values of its labels.
package final class CounterFamily: Sendable {
    private let definition: MetricDefinition
    private let factory: any MetricsFactory
    private let known = Mutex<[[String]: Counter]>([:])

    package init(_ definition: MetricDefinition, in factory: any MetricsFactory) {
        self.definition = definition
        self.factory = factory
    }

    package func add(_ count: Int = 1, _ labels: String...) {
        let counter = known.withLock { known in
            if let counter = known[labels] { return counter }
            let counter = Counter(
                label: definition.name,
                dimensions: Array(zip(definition.labels, labels)),
                factory: factory
            )
            // Those that are too many share a series, and need no place here.
            if known.count < 10_000 { known[labels] = counter }
            return counter
        }
        counter.increment(by: count)
    }
}

/// The histograms of a metric, found by the values of its labels.
package final class DurationFamily: Sendable {
    private let definition: MetricDefinition
    private let factory: any MetricsFactory
    private let known = Mutex<[[String]: Timer]>([:])

    package init(_ definition: MetricDefinition, in factory: any MetricsFactory) {
        self.definition = definition
        self.factory = factory
    }

    package func record(_ duration: Duration, _ labels: String...) {
        let timer = known.withLock { known in
            if let timer = known[labels] { return timer }
            let timer = Timer(
                label: definition.name,
                dimensions: Array(zip(definition.labels, labels)),
                factory: factory
            )
            if known.count < 10_000 { known[labels] = timer }
            return timer
        }
        timer.recordNanoseconds(Int64(min(max(0, duration / .nanoseconds(1)), 1e18)))
    }
}
