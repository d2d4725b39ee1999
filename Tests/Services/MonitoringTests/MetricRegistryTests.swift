import CoreMetrics
import Monitoring
import Testing

@Suite("Metrics in Prometheus' text format")
struct MetricRegistryTests {
    private static let cups = MetricDefinition(
        "tea_cups_total",
        .counter,
        labels: ["kind", "size"],
        "Cups \\ that were\npoured."
    )
    private static let heat = MetricDefinition("tea_heat", .gauge, "How hot it is.")
    private static let wait = MetricDefinition(
        "tea_wait_seconds",
        .histogram(bounds: [0.1, 1]),
        labels: ["kind"],
        "Time to the first cup."
    )

    private let registry = MetricRegistry([cups, heat, wait])

    @Test("counters, gauges and histograms with labels and help, in the order of their names")
    func text() {
        let cups = CounterFamily(Self.cups, in: registry)
        cups.add(2, "green", "small")
        cups.add(1, "green", "small")
        cups.add(1, "black", "a \"large\" \\ one\n")
        let heat = Meter(label: "tea_heat", factory: registry)
        heat.set(80)
        heat.decrement(by: 0.5)
        let wait = DurationFamily(Self.wait, in: registry)
        for milliseconds in [50, 100, 500, 30_000] {
            wait.record(.milliseconds(milliseconds), "green")
        }
        #expect(
            registry.text() == #"""
                # HELP tea_cups_total Cups \\ that were\npoured.
                # TYPE tea_cups_total counter
                tea_cups_total{kind="black",size="a \"large\" \\ one\n"} 1
                tea_cups_total{kind="green",size="small"} 3
                # HELP tea_heat How hot it is.
                # TYPE tea_heat gauge
                tea_heat 79.5
                # HELP tea_wait_seconds Time to the first cup.
                # TYPE tea_wait_seconds histogram
                tea_wait_seconds_bucket{kind="green",le="0.1"} 2
                tea_wait_seconds_bucket{kind="green",le="1"} 3
                tea_wait_seconds_bucket{kind="green",le="+Inf"} 4
                tea_wait_seconds_sum{kind="green"} 30.65
                tea_wait_seconds_count{kind="green"} 4

                """#
        )
    }

    @Test("what is read at the moment stands beside what is kept")
    func samples() {
        CounterFamily(Self.cups, in: registry).add(1, "green", "small")
        let text = registry.text(with: [
            Self.heat.sample(.infinity), Self.cups.sample(7, "white", "large"),
        ])
        #expect(
            text == """
                # HELP tea_cups_total Cups \\\\ that were\\npoured.
                # TYPE tea_cups_total counter
                tea_cups_total{kind="green",size="small"} 1
                tea_cups_total{kind="white",size="large"} 7
                # HELP tea_heat How hot it is.
                # TYPE tea_heat gauge
                tea_heat +Inf

                """
        )
    }

    @Test("nobody from outside makes more series than there may be")
    func bounded() {
        let registry = MetricRegistry([Self.cups], maxSeries: 3)
        let cups = CounterFamily(Self.cups, in: registry)
        for number in 0..<50 { cups.add(1, "kind \(number)", "small") }
        let lines = registry.text().split(separator: "\n")
        #expect(lines.count == 2 + 4)
        #expect(lines.contains(#"tea_cups_total{kind="other",size="other"} 47"#))
    }

    @Test("a metric that nobody described is not shown")
    func unknown() {
        Counter(label: "coffee_total", factory: registry).increment()
        #expect(registry.text().isEmpty)
    }

    @Test("counts from many threads at once are all there")
    func concurrency() async {
        let cups = CounterFamily(Self.cups, in: registry)
        let wait = DurationFamily(Self.wait, in: registry)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for number in 0..<1_000 {
                        cups.add(1, "green", "\(number % 3)")
                        wait.record(.seconds(1), "green")
                    }
                }
            }
        }
        let text = registry.text()
        #expect(text.contains(#"tea_cups_total{kind="green",size="0"} 2672"#))
        #expect(text.contains(#"tea_wait_seconds_sum{kind="green"} 8000"#))
    }
}
