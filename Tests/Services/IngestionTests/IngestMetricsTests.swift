import Foundation
import Model
import Monitoring
import NoroshiWire
import Testing

@testable import Ingestion

@Suite("What ingestion counts")
struct IngestMetricsTests {
    private func item(_ content: IngestItem.Content) -> IngestItem {
        IngestItem(
            recordID: nil,
            user: .external("ada"),
            time: Date(timeIntervalSince1970: 1_790_000_000),
            content: content
        )
    }

    /// The lines of a metric without its name, those that count something.
    private func counts(_ name: String, in registry: MetricRegistry) -> Set<String> {
        let lines = registry.text().split(separator: "\n").filter {
            $0.hasPrefix(name + "{") && !$0.hasSuffix(" 0")
        }
        return Set(lines.map { String($0.dropFirst(name.count)) })
    }

    @Test("every item is counted once, by what it is and what became of it")
    func items() {
        let registry = MetricRegistry()
        let metrics = IngestMetrics(registry)
        let stored = IngestOutcome.stored(except: [])
        let rejected = IngestOutcome.rejected(FieldProblem(.request("name"), .empty))
        let told: [(IngestItem.Content, IngestOutcome)] = [
            (.event(name: "brewed", properties: [:]), stored),
            (.event(name: "brewed", properties: [:]), .duplicate),
            (.storedEvent(name: "$purchase", properties: [:]), rejected),
            (
                .purchase(
                    product: "tea",
                    currency: "JPY",
                    price: 5,
                    quantity: 1,
                    properties: [:]
                ), stored
            ),
            (.attributes(AttributeChanges([:])), stored),
            (.attributes(AttributeChanges([:])), stored),
            (.sessionStarted, .duplicate),
            (.sessionEnded(duration: 3), .duplicate),
            (.alias(name: "ada", label: "shop"), rejected),
            (.userChanged(previous: .external("bo")), stored),
            (.pushCleared, stored),
        ]
        // As two requests of one commit.
        let requests = [told.prefix(4), told.dropFirst(4)].map { part in
            IngestRequest(
                workspace: WorkspaceID(1),
                source: .api,
                items: part.map { item($0.0) }
            )
        }
        let outcomes = [told.prefix(4), told.dropFirst(4)].map { $0.map(\.1) }
        metrics.committed(requests, outcomes, since: .zero)
        metrics.refused()
        metrics.failed(3)
        #expect(
            counts("noroshi_ingest_items_total", in: registry) == [
                #"{kind="event",outcome="stored"} 1"#, #"{kind="event",outcome="duplicate"} 1"#,
                #"{kind="event",outcome="rejected"} 1"#,
                #"{kind="purchase",outcome="stored"} 1"#,
                #"{kind="attributes",outcome="stored"} 2"#,
                #"{kind="session",outcome="duplicate"} 2"#,
                #"{kind="identity",outcome="rejected"} 1"#,
                #"{kind="identity",outcome="stored"} 1"#, #"{kind="device",outcome="stored"} 1"#,
            ]
        )
        #expect(
            counts("noroshi_ingest_requests_total", in: registry) == [
                #"{outcome="stored"} 2"#, #"{outcome="overloaded"} 1"#, #"{outcome="failed"} 3"#,
            ]
        )
    }
}
