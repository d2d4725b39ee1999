import CoreMetrics
import Synchronization

/// The values of a metric for certain values of its labels.
protocol MetricSeries: AnyObject, Sendable {
    func write(to text: inout MetricText, _ definition: MetricDefinition, _ labels: [String])
}

final class CounterSeries: CounterHandler, MetricSeries {
    private let count = Atomic<Int64>(0)

    func increment(by amount: Int64) { count.add(amount, ordering: .relaxed) }

    func reset() { count.store(0, ordering: .relaxed) }

    func write(to text: inout MetricText, _ definition: MetricDefinition, _ labels: [String]) {
        text.add(definition, labels, Double(count.load(ordering: .relaxed)))
    }
}

final class GaugeSeries: MeterHandler, MetricSeries {
    private let value = Mutex(0.0)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }

    func write(to text: inout MetricText, _ definition: MetricDefinition, _ labels: [String]) {
        text.add(definition, labels, value.withLock { $0 })
    }
}

final class HistogramSeries: TimerHandler, RecorderHandler, MetricSeries {
    private struct State {
        /// The number of observations up to each bound and above the one before; the last one is
        /// of those above all bounds.
        var counts: [UInt64]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let place = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[place] += 1
            state.sum += value
        }
    }

    func write(to text: inout MetricText, _ definition: MetricDefinition, _ labels: [String]) {
        let state = state.withLock { $0 }
        var count: UInt64 = 0
        for (index, more) in state.counts.enumerated() {
            count += more
            let bound = index < bounds.count ? MetricText.number(bounds[index]) : "+Inf"
            text.add(definition, labels, Double(count), suffix: "_bucket", bound: bound)
        }
        text.add(definition, labels, state.sum, suffix: "_sum")
        text.add(definition, labels, Double(count), suffix: "_count")
    }
}
