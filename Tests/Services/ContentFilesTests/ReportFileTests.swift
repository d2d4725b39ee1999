import ContentFiles
import Foundation
import Model
import NoroshiWire
import Ports
import StoreSQL
import Testing

@Suite("Saved reports in files")
struct ReportFileTests {
    private static let segment = "11111111-1111-4111-8111-111111111111"
    private static let report = "22222222-2222-4222-8222-222222222222"

    private static let segmentLine = """
        {"kind": "segment", "id": "\(segment)", "name": "Regulars", \
        "filter": {"attribute": "country", "test": "equal", "value": "JP"}}
        """

    private static func line(
        type: String = "series",
        name: String = "Sessions",
        _ question: String
    ) -> String {
        """
        {"kind": "report", "id": "\(report)", "name": "\(name)", "type": "\(type)", \
        "question": \(question)}
        """
    }

    @Test(
        "a report may ask about a segment that comes in with the same file, by name or identifier"
    )
    func sameFile() async throws {
        for name in ["regulars", Self.segment] {
            try await ContentFileTests.withSites { sites in
                let line = Self.line(
                    """
                    {"length": 7, "series": {"session": true}, "segment_id": "\(name)", \
                    "breakdown": {"by": "segments", "segments": ["\(name)"]}}
                    """
                )
                try await sites[0].bringIn(Self.segmentLine + "\n" + line)
                let stored = try #require(
                    try await sites[0].store.savedReports(in: sites[0].workspace).first
                )
                #expect(stored.content.question["segment_id"] == .string(Self.segment))
                #expect(
                    stored.content.question["breakdown"]
                        == ["by": "segments", "segments": [.string(Self.segment)]]
                )
            }
        }
    }

    @Test(
        "what no report may ask is named at its field",
        arguments: [
            ("series", "{\"length\": 7}", "question.series"),
            ("series", "{\"series\": {\"session\": true}}", "question.length"),
            ("pie", "{\"length\": 7}", "type"),
            ("funnel", "{\"length\": 7, \"window_seconds\": 60, \"steps\": []}", "question.steps"),
            (
                "series",
                "{\"length\": 7, \"series\": {\"session\": true}, \"segment_id\": \"Nobody\"}",
                "question"
            ),
        ]
    )
    func refused(type: String, question: String, field: String) async throws {
        try await ContentFileTests.withSites { sites in
            let found = try await sites[0].refusal(Self.line(type: type, question))
            #expect(found == ["1 \(field)"])
        }
    }

    @Test("where and when a report is sent is in no file, and stays what it is")
    func schedule() async throws {
        try await ContentFileTests.withSites { sites in
            let site = sites[0]
            let schedule = SavedReport.Schedule(
                address: "https://hooks.example/secret",
                weekday: 3,
                time: try #require(TimeOfDay("07:30"))
            )
            let delivery = SavedReport.Delivery(occurrence: ContentFileTests.now, attempts: 2)
            let report = SavedReport(
                id: try #require(UUID(uuidString: Self.report)),
                workspace: site.workspace,
                content: SavedReport.Content(
                    name: "Sessions",
                    kind: "series",
                    question: ["length": 7, "series": ["session": true]],
                    schedule: schedule
                ),
                author: "Ada",
                createdAt: ContentFileTests.now,
                updatedAt: ContentFileTests.now,
                delivery: delivery
            )
            try await site.store.saveReport(report, noting: nil)
            #expect(try await !site.export().contains("hooks.example"))
            let changed = Self.line(
                name: "Visits",
                "{\"length\": 14, \"series\": {\"session\": true}}"
            )
            try await site.bringIn(changed)
            let stored = try #require(
                try await site.store.savedReport(report.id, in: site.workspace)
            )
            #expect(stored.content.name == "Visits")
            #expect(stored.content.question["length"] == 14)
            #expect(stored.content.schedule == schedule)
            #expect(stored.delivery == delivery)
        }
    }

    @Test("a name that another report has is refused")
    func taken() async throws {
        try await ContentFileTests.withSites { sites in
            let question = "{\"length\": 7, \"series\": {\"session\": true}}"
            let other = Self.line(question).replacing(Self.report, with: Self.segment)
            try await sites[0].bringIn(other)
            #expect(try await sites[0].refusal(Self.line(question)) == ["1 name"])
        }
    }
}
