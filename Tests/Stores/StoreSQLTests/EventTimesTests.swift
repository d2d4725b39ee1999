import Foundation
import Model
import NoroshiWire
import Ports
import Relational
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

@Suite("Events by their name and quarter of an hour")
struct EventTimesTests {
    private static let quarter = EventTimes.quarterLength

    private func write(_ rows: [(name: Int64, time: Int64)], _ store: SQLStore) async throws {
        try await store.pool.write { database in
            for row in rows {
                try database.execute(
                    sql: "INSERT INTO events (name_id, time, profile_id) VALUES (?, ?, 7)",
                    arguments: [row.name, row.time]
                )
            }
        }
    }

    private func withStore(_ body: (SQLStore) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(try SQLStore.testing(at: path))
    }

    @Test(
        "pages have each event once, in the order in which they happened",
        arguments: [1, 3, 100]
    )
    func pages(size: Int) async throws {
        try await withStore { store in
            var generator = SeededGenerator(UInt64(size))
            // Some before 1970, some at the ends of quarters, and what was stored together is far apart.
            let ends = (-3...3).flatMap { [$0 * Self.quarter - 1, $0 * Self.quarter] }
            var times = (0..<200).map { _ in
                Int64.random(in: -4 * Self.quarter...4 * Self.quarter, using: &generator)
            }
            times += ends
            times.shuffle(using: &generator)
            try await write(times.map { (3, $0) } + [(2, 0), (4, 0)], store)
            let first = -2 * Self.quarter - 5
            let until = 2 * Self.quarter + 5
            let found = try await store.pool.read { database -> [[Int64]] in
                var pages: [[Int64]] = []
                var cursor: EventCursor? = EventCursor(since: first)
                while let place = cursor {
                    let page = try place.page(
                        AudienceEventRows.columns,
                        from: EventTimes.byQuarter,
                        of: 3,
                        where: (
                            EventTimes.within(":from", ":until"), ["from": first, "until": until]
                        ),
                        atMost: size,
                        database
                    ) { $0.integer(2) }
                    #expect(page.next != place)
                    pages.append(page.rows)
                    cursor = page.next
                }
                return pages
            }
            let wanted = times.filter { $0 >= first && $0 < until }.sorted()
            #expect(found.flatMap(\.self).sorted() == wanted)
            for page in found { #expect(page == page.sorted()) }
            let quarters = found.flatMap(\.self).map(EventTimes.quarter(of:))
            #expect(quarters == quarters.sorted())
            // A quarter has less than a hundred, so each page ends between two of them.
            if size == 100 { #expect(found.flatMap(\.self) == wanted) }
        }
    }

    @Test("a period is the rows whose time is in it, also at the ends of time")
    func periods() async throws {
        try await withStore { store in
            let times: [Int64] = [
                .min, -Self.quarter, -1, 0, 1, Self.quarter - 1, Self.quarter, .max - 1, .max,
            ]
            try await write(times.map { (1, $0) }, store)
            for start in times {
                for end in times {
                    let found = try await store.pool.read { database in
                        try Int64.fetchAll(
                            database,
                            sql: """
                                SELECT time FROM events WHERE name_id = 1
                                AND \(EventTimes.within(":start", ":end")) ORDER BY \(EventTimes.order)
                                """,
                            arguments: ["start": start, "end": end]
                        )
                    }
                    #expect(found == times.filter { $0 >= start && $0 < end }, "\(start) \(end)")
                }
            }
        }
    }

    @Test("no figure of a period looks at other quarters, and none at the rows of other names")
    func plans() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path, on: .sqlite)
        let fixture = try await StoreConformance(store).fixture()
        let workspace = fixture.workspace
        let now = StoreConformance(store).now
        let names = ["poured", "$session_start", "$purchase"]
        for name in names {
            _ = try await store.ingest(
                [
                    IngestRequest(
                        workspace: workspace,
                        source: .api,
                        items: [
                            IngestItem(
                                recordID: nil,
                                user: .external("ada"),
                                time: now,
                                content: .event(
                                    name: name,
                                    properties: ["product_id": "tea", "price": 1, "quantity": 1]
                                )
                            )
                        ]
                    )
                ],
                now: now
            )
        }
        let days = [now.addingTimeInterval(-86_400), now, now.addingTimeInterval(86_400)]
        let heard = try await QueryPlanTests().statements(store) {
            for series: CountSeries in [
                .sessions, .events("poured"), .quantity(product: "tea"),
                .revenue(product: nil, currency: "USD"),
            ] {
                _ = try await store.counts(of: series, in: workspace, between: days)
            }
            _ = try await store.eventCounts(of: names, in: workspace, between: days)
            _ = try await store.figures(in: workspace, between: days)
        }.filter { $0.contains("FROM events") && $0.hasPrefix("SELECT") }
        #expect(heard.count >= 5)
        for sql in heard {
            let steps = try await QueryPlanTests().steps(of: sql, store)
                .filter { $0.contains("events ") && !$0.contains("event_names") }
            #expect(!steps.isEmpty)
            for step in steps {
                #expect(
                    step.contains("events_by_quarter (name_id=? AND <expr>>? AND <expr><?)"),
                    "\(step): \(sql)"
                )
            }
        }
    }
}
