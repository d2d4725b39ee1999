import CoreMetrics
import Synchronization

/// Keeps the counters, gauges and histograms of the server for Prometheus to read.
///
/// It takes the metrics it was made with and ignores others. A metric has a bounded number of
/// series: what comes with further values of labels is counted under `other`, so that nobody from
/// outside can fill the memory.
package final class MetricRegistry: MetricsFactory {
    private struct Key: Hashable {
        var name: String
        var labels: [String]
    }

    private struct State {
        var series: [Key: any MetricSeries] = [:]
        var counts: [String: Int] = [:]
    }

    /// The value of labels of the series for what is too much.
    package static let others = "other"

    private let definitions: [String: MetricDefinition]
    private let maxSeries: Int
    private let state = Mutex(State())

    /// - Parameter maxSeries: Maximum number of series of one metric, without the one of others.
    package init(_ definitions: [MetricDefinition] = Metric.all, maxSeries: Int = 2_000) {
        self.definitions = Dictionary(definitions.map { ($0.name, $0) }) { first, _ in first }
        self.maxSeries = maxSeries
    }

    // MARK: swift-metrics

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let handler: CounterSeries? = series(label, dimensions) { CounterSeries() }
        return handler ?? CounterSeries()
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        let handler: GaugeSeries? = series(label, dimensions) { GaugeSeries() }
        return handler ?? GaugeSeries()
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions)
    }

    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        histogram(label, dimensions)
    }

    // Handlers stay: a counter that disappeared would begin again at 0.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    private func histogram(_ label: String, _ dimensions: [(String, String)]) -> HistogramSeries {
        var bounds: [Double] = []
        if case .histogram(let known) = definitions[label]?.kind { bounds = known }
        return series(label, dimensions) { HistogramSeries(bounds: bounds) }
            ?? HistogramSeries(bounds: [])
    }

    /// The series of a metric and values of its labels; `nil` for an unknown metric.
    private func series<Series: MetricSeries>(
        _ name: String,
        _ dimensions: [(String, String)],
        make: () -> Series
    ) -> Series? {
        guard let definition = definitions[name] else { return nil }
        let values = definition.labels.map { label in
            dimensions.first { $0.0 == label }?.1 ?? ""
        }
        return state.withLock { state in
            var key = Key(name: name, labels: values)
            if let known = state.series[key] { return known as? Series }
            if state.counts[name, default: 0] >= maxSeries {
                key.labels = values.map { _ in Self.others }
                if let known = state.series[key] { return known as? Series }
            }
            let series = make()
            state.series[key] = series
            state.counts[name, default: 0] += 1
            return series
        }
    }

    // MARK: The page

    /// The values of all series, and `samples`, in Prometheus' text format.
    package func text(with samples: [MetricSample] = []) -> String {
        let series = state.withLock(\.series)
        var kept: [String: [(labels: [String], series: any MetricSeries)]] = [:]
        for (key, series) in series { kept[key.name, default: []].append((key.labels, series)) }
        let read = Dictionary(grouping: samples, by: \.metric.name)
        var text = MetricText()
        for definition in definitions.values.sorted(by: { $0.name < $1.name }) {
            let kept = (kept[definition.name] ?? []).sorted {
                $0.labels.lexicographicallyPrecedes($1.labels)
            }
            let read = read[definition.name] ?? []
            guard !kept.isEmpty || !read.isEmpty else { continue }
            text.begin(definition)
            for (labels, series) in kept { series.write(to: &text, definition, labels) }
            for sample in read { text.add(definition, sample.labels, sample.value) }
        }
        return text.text
    }
}
