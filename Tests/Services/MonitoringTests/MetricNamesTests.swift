import Foundation
import Monitoring
import Testing

/// The metrics keep to Prometheus' conventions, and everything that speaks of them agrees.
@Suite("Names of metrics")
struct MetricNamesTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    @Test("counters end in _total, durations are seconds, sizes bytes")
    func conventions() {
        #expect(Set(Metric.all.map(\.name)).count == Metric.all.count)
        for metric in Metric.all {
            let name = metric.name
            #expect(name.wholeMatch(of: /(noroshi|process)_[a-z_]+/) != nil, "\(name)")
            #expect((metric.kind == .counter) == name.hasSuffix("_total"), "\(name)")
            if case .histogram(let bounds) = metric.kind {
                #expect(name.hasSuffix("_duration_seconds"), "\(name)")
                #expect(bounds == bounds.sorted() && Set(bounds).count == bounds.count, "\(name)")
            }
            #expect(metric.help.hasSuffix("."), "\(name)")
            for label in metric.labels { #expect(label.wholeMatch(of: /[a-z]+/) != nil) }
        }
    }

    @Test("docs/operating.md lists every metric, with kind and labels, and no other")
    func documented() throws {
        let rows = try text("docs/operating.md").split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^\| `((?:noroshi|process)_[a-z_]+)` \| ([a-z]+) \| (.*?) \|/)
                .map { "\($0.1) \($0.2) \($0.3)" }
        }
        let metrics = Metric.all.map { metric in
            let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
            return "\(metric.name) \(metric.kind.name) \(labels)"
        }
        #expect(rows == metrics)
    }

    @Test(
        "the dashboard and the alert rules ask for metrics that there are, by labels that they have",
        arguments: [
            "Operations/grafana/noroshi.json", "Operations/prometheus/noroshi.rules.yml",
        ]
    )
    func used(path: String) throws {
        let text = try text(path)
        let known = Dictionary(uniqueKeysWithValues: Metric.all.map { ($0.name, $0) })
        let found = text.matches(of: /\b((?:noroshi|process)_[a-z_]+)(?:\{([^}]*)\})?/)
        #expect(found.count > 10)
        for match in found {
            let name = String(match.1)
            let base = ["_bucket", "_sum", "_count"].reduce(name) { base, suffix in
                known[base] == nil && base.hasSuffix(suffix)
                    ? String(base.dropLast(suffix.count)) : base
            }
            let metric = known[base]
            #expect(metric != nil, "\(path): \(name)")
            // Prometheus itself adds where a series is from.
            for label in (match.2 ?? "").matches(of: /([a-z]+)(?:=|!)/)
            where !["instance", "job"].contains(label.1) {
                #expect(
                    metric?.labels.contains(String(label.1)) == true,
                    "\(path): \(name) \(label.1)"
                )
            }
        }
    }
}
