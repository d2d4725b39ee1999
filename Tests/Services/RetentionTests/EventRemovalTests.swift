import Audience
import Foundation
import Model
import NoroshiWire
import Ports
import Reports
import Segments
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

/// Random histories with merges, deletions and late events, told to a server that removes old events
/// and to one that keeps all. What the first one answers without saying since when, the second one
/// answers too.
@Suite("Old events that are removed")
struct EventRemovalTests {
    private static let zones = ["Asia/Tokyo", "America/Sao_Paulo", "Asia/Kathmandu"]

    private func history(_ seed: UInt64, deletesLate: Bool = true) async throws -> EventHistory {
        try await EventHistory.removing(seed, EventHistory.Options(deletesLate: deletesLate))
    }

    @Test(
        "change no answer of a segment that does not say so",
        arguments: 1...5 as ClosedRange<UInt64>
    )
    func segments(seed: UInt64) async throws {
        let history = try await history(seed)
        try await Answers(history).compare("seed \(seed)", times: 250) {
            RandomConditions.condition(&history.random, now: history.now)
        }
    }

    @Test(
        "leave columns that are those of a restart, and of rows read one by one",
        arguments: 21...23 as ClosedRange<UInt64>
    )
    func rebuild(seed: UInt64) async throws {
        let history = try await history(seed)
        let server = history.removing
        let columns = try await server.columns
        let rows = try await server.store.audienceView().rows(of: server.workspace)
        #expect(try await columns.differences(from: rows) == [], "seed \(seed)")
        let rebuilt = try await AudienceBuilder.build(from: rows)
        let time = EvaluationTime(now: Int64(history.now.timeIntervalSince1970))
        for _ in 0..<150 {
            let condition = RandomConditions.condition(&history.random, now: history.now)
            let rule = SegmentRule.condition(.activity(condition))
            let own = try await columns.select(rule, at: time, source: rows).profiles()
            let anew = try await rebuilt.select(rule, at: time, source: rows).profiles()
            #expect(own == anew, "seed \(seed): \(condition)")
            let mismatch = try await columns.verify(rule, at: time, source: rows)
            #expect(mismatch.isEmpty, "seed \(seed): \(condition)")
        }
        // The removal of a row changes nothing: only the beginning of a pass does.
        try await server.audience.rebuild()
        #expect(try await server.columns.differences(from: rows) == [], "seed \(seed)")
    }

    @Test(
        "change no answer when their sums are in two tables",
        arguments: 31...32 as ClosedRange<UInt64>
    )
    func middle(seed: UInt64) async throws {
        let history = try await history(seed)
        let server = history.removing
        for _ in 0..<300 {
            let packed = try await server.count("recently_removed_activity")
            let added = try await server.count("removed_activity")
            guard packed == 0 || added == 0 else { break }
            try await history.run(days: 1)
        }
        #expect(try await server.count("recently_removed_activity") > 0, "seed \(seed)")
        #expect(try await server.count("removed_activity") > 0, "seed \(seed)")
        try await Answers(history).compare("seed \(seed)", times: 120) {
            RandomConditions.condition(&history.random, now: history.now)
        }
        let rows = try await server.store.audienceView().rows(of: server.workspace)
        #expect(try await server.columns.differences(from: rows) == [], "seed \(seed)")
        try await server.audience.rebuild()
        #expect(try await server.columns.differences(from: rows) == [], "seed \(seed)")
        // What is told about a user names each event once.
        for id in try await server.columns.select(.all([]), at: EvaluationTime(now: 0)).profiles() {
            let told = try await server.store.rows(of: ProfileID(id))["removed_activity"] ?? []
            let names = told.map { $0["name"] }
            #expect(Set(names).count == names.count, "seed \(seed), \(id)")
        }
    }

    @Test(
        "change no answer of a report that does not say so",
        arguments: 41...43 as ClosedRange<UInt64>
    )
    func reports(seed: UInt64) async throws {
        let history = try await history(seed)
        let now = history.now
        var (complete, limited) = (0, 0)
        for number in 0..<80 {
            let question = RandomConditions.report(&history.random, now: now)
            func answer(_ server: EventHistory.Server) async throws -> (String, Date?) {
                let service = ReportService(audience: server.audience, now: { now })
                let workspace = server.workspace
                return (
                    "\(try await service.answer(question, in: workspace))",
                    try await service.completeSince(question, in: workspace)
                )
            }
            let (own, since) = try await answer(history.removing)
            let (all, always) = try await answer(history.keeping)
            #expect(always == nil)
            guard since == nil else {
                limited += 1
                continue
            }
            complete += 1
            #expect(own == all, "seed \(seed), \(number): \(question)")
        }
        #expect(complete > 10 && limited > 10, "seed \(seed): \(complete), \(limited)")
    }

    @Test("stay in the counts of every day and hour", arguments: 61...63 as ClosedRange<UInt64>)
    func counts(seed: UInt64) async throws {
        let history = try await history(seed, deletesLate: false)
        for zone in Self.zones {
            let days = LocalDays(try #require(TimeZone(identifier: zone)))
            // The last one in the zone of the workspace is kept, the others count anew.
            for server in [history.removing, history.keeping] {
                try await server.store.refreshDailyCounts(in: server.workspace, days: days)
            }
            for name in EventHistory.names + [EventHistory.goal, "$session_start"] {
                func series(_ server: EventHistory.Server) async throws -> [[Double]] {
                    let (store, workspace) = (server.store, server.workspace)
                    let boundaries = days.days(200, endingAt: history.now)
                    let hours = days.hours(24 * 200, endingAt: history.now)
                    let listed = try await store.eventCounts(
                        of: [name],
                        in: workspace,
                        between: boundaries
                    )
                    return [
                        try await store.dailyCounts(
                            of: .events(name),
                            in: workspace,
                            between: boundaries
                        ),
                        try await store.counts(of: .events(name), in: workspace, between: hours),
                        listed[name]?.map(Double.init) ?? [],
                    ]
                }
                let own = try await series(history.removing)
                #expect(try await own == series(history.keeping), "seed \(seed), \(zone), \(name)")
                #expect(own[0].reduce(0, +) > 0, "seed \(seed), \(zone), \(name)")
            }
        }
    }

    @Test(
        "leave sessions, purchases and the events of goals",
        arguments: 81...82 as ClosedRange<UInt64>
    )
    func others(seed: UInt64) async throws {
        let history = try await history(seed)
        for id in try await history.keeping.columns.select(
            .all([]),
            at: EvaluationTime(now: 0)
        ).profiles() {
            let profile = ProfileID(id)
            func rest(_ server: EventHistory.Server) async throws -> [StoredEvent] {
                try await server.store.events(of: profile, limit: 5_000)
                    .filter { !EventHistory.names.contains($0.name) }
            }
            #expect(try await rest(history.removing) == rest(history.keeping))
            let figures = try await history.removing.store.figures(of: profile)
            #expect(try await figures == history.keeping.store.figures(of: profile))
        }
    }

    // MARK: One by one

    private func item(_ name: String, daysAgo days: Double, at now: Date) -> IngestItem {
        IngestItem(
            recordID: UUID(),
            user: .external("ada"),
            time: now - days * EventHistory.day,
            content: .event(name: name, properties: ["color": .string("red")])
        )
    }

    /// A server that was told a few events of the last hundred days, and removed the old ones.
    private func server(
        _ kinds: [RetainedKind] = [.customEvents]
    ) async throws -> (EventHistory.Server, [IngestItem], Date) {
        let now = Date(timeIntervalSince1970: 1_790_000_000) + 200 * EventHistory.day
        let server = try await EventHistory.Server { now }
        let items = [95.0, 60, 50, 3].map { item("view", daysAgo: $0, at: now) }
        _ = try await tell(items.dropLast(), server, at: now - 45 * EventHistory.day)
        _ = try await tell(items.suffix(1), server, at: now - EventHistory.day)
        // Asked for what came later, the store knows that the columns have these.
        for _ in 0..<2 { try await server.audience.catchUp() }
        for kind in kinds {
            // What a pass removes was there when the one before began.
            for _ in 0..<2 {
                while try await !server.store.removeRows(
                    kind,
                    in: server.workspace,
                    olderThan: now - Double(EventHistory.period) * EventHistory.day,
                    lookingAt: 2,
                    now: now
                ).isLast {}
            }
        }
        return (server, items, now)
    }

    private func tell(
        _ items: some Sequence<IngestItem>,
        _ server: EventHistory.Server,
        at now: Date
    ) async throws -> [IngestOutcome] {
        let phone = SDKDevice(
            id: UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
            platform: "ios"
        )
        let request = IngestRequest(
            workspace: server.workspace,
            source: .device(phone, app: server.app),
            items: Array(items)
        )
        return try #require(try await server.store.ingest([request], now: now).first)
    }

    @Test("of three that are old nothing stays but their sum")
    func sum() async throws {
        let (server, items, now) = try await server()
        let found = try await server.store.profile(.external("ada"), in: server.workspace)
        let ada = try #require(found)
        let kept = try await server.store.events(of: ada.id, limit: 50)
        #expect(kept.map(\.time) == [items[3].time])
        let sums = try await server.store.rows(of: ada.id)["removed_activity"]
        #expect(
            sums == [
                [
                    "name": "view", "count": 3,
                    "first_at": .string(Timestamp.format(items[0].time)),
                    "last_at": .string(Timestamp.format(items[2].time)),
                ]
            ]
        )
        let progress = try await server.store.retentionProgress(in: server.workspace).first
        #expect(progress?.kind == .customEvents)
        #expect(progress?.removed == 3)
        #expect(progress?.keptSince == now - 30 * EventHistory.day)
    }

    @Test("that are told again after their ids are gone too are not counted twice")
    func toldAgain() async throws {
        let (server, items, now) = try await server([.recordIDs, .customEvents])
        #expect(
            try await tell(items, server, at: now)
                == Array(repeating: IngestOutcome.duplicate, count: 4)
        )
        let columns = try await server.columns
        let four = SegmentRule.condition(
            .activity(ActivityCondition(subject: .event("view"), measure: .count(.equal, 4)))
        )
        let time = EvaluationTime(now: Int64(now.timeIntervalSince1970))
        #expect(try await columns.select(four, at: time).count().users == 1)
    }

    @Test("leave a series of an app from the first day on that can be told")
    func filtered() async throws {
        let (server, _, now) = try await server()
        func counts(days: Int) async throws -> [Double] {
            try await server.store.counts(
                of: .events("view"),
                in: server.workspace,
                between: LocalDays(.gmt).days(days, endingAt: now),
                filter: SeriesFilter(apps: [server.app])
            )
        }
        #expect(try await counts(days: 20).reduce(0, +) == 1)
        let gap = await #expect(throws: SeriesGapError.self) { try await counts(days: 40) }
        #expect(gap?.since == now - 30 * EventHistory.day)
    }

    @Test("that lie together are removed together, so that whole pages are free", .aboutFiles)
    func pages() async throws {
        let now = Date(timeIntervalSince1970: 1_790_000_000) + 200 * EventHistory.day
        let server = try await EventHistory.Server { now }
        let items = (0..<4_000).map {
            item("view \($0 % 20)", daysAgo: 95 - Double($0) / 10_000, at: now)
        }
        // What comes late lies among what is young.
        let late = item("view 3", daysAgo: 80, at: now)
        let young = (0..<600).map { item("view \($0 % 20)", daysAgo: 1, at: now) }
        _ = try await tell(items, server, at: now - 50 * EventHistory.day)
        let recent = young[..<300] + [late] + young[300...]
        _ = try await tell(recent, server, at: now - EventHistory.day)
        for _ in 0..<2 { try await server.audience.catchUp() }
        func step() async throws -> RetentionStep {
            try await server.store.removeRows(
                .customEvents,
                in: server.workspace,
                olderThan: now - Double(EventHistory.period) * EventHistory.day,
                lookingAt: 2_000,
                now: now
            )
        }
        while try await !step().isLast {}
        let free = try await server.freePages
        #expect(try await step() == RetentionStep(removed: 2_000, isLast: false))
        // They have about fifty bytes each, in pages of 4,096.
        #expect(try await server.freePages - free > 10)
        var removed = 2_000
        while true {
            let next = try await step()
            removed += next.removed
            if next.isLast { break }
        }
        #expect(removed == 4_001)
        let ada = try #require(
            try await server.store.profile(.external("ada"), in: server.workspace)
        )
        #expect(try await server.store.events(of: ada.id, limit: 1_000).count == 600)
    }

    @Test("go from among those of another workspace and purchases, however many kinds there are")
    func mixed() async throws {
        let now = Date(timeIntervalSince1970: 1_790_000_000) + 200 * EventHistory.day
        let server = try await EventHistory.Server { now }
        let other = try await server.conformance.fixture().workspace
        func request(_ workspace: WorkspaceID, _ number: Int) -> IngestRequest {
            var items = (number..<number + 3).map {
                item("view \($0 % 700)", daysAgo: $0 < 1_200 ? 95 : 1, at: now)
            }
            items[2].content = .purchase(
                product: "tea",
                currency: "JPY",
                price: 480,
                quantity: 1,
                properties: [:]
            )
            return IngestRequest(workspace: workspace, source: .api, items: items)
        }
        _ = try await server.store.ingest(
            stride(from: 0, to: 1_500, by: 3).flatMap {
                [request(server.workspace, $0), request(other, $0)]
            },
            now: now - EventHistory.day
        )
        for _ in 0..<2 { try await server.audience.catchUp() }
        // What cannot be read stays, wherever it seems to belong.
        try await server.damage("UPDATE events SET time = -9223372036854775808 WHERE id = 1")
        var removed = 0
        for _ in 0..<2 {
            while true {
                let step = try await server.store.removeRows(
                    .customEvents,
                    in: server.workspace,
                    olderThan: now - Double(EventHistory.period) * EventHistory.day,
                    lookingAt: 70,
                    now: now
                )
                removed += step.removed
                if step.isLast { break }
            }
        }
        #expect(removed == 799)
        // Of both 500 purchases, of the other one all events, and here those of yesterday and the damaged one.
        #expect(try await server.count("events") == 2 * 500 + 1_000 + 200 + 1)
        #expect(try await server.count("removed_activity") == 0)
        try await server.fold()
        #expect(try await server.count("removed_activity", sum: "count") == 799)
        #expect(try await server.count("recently_removed_activity") == 0)
    }

    @Test("are removed on from where a server was that was killed")
    func killed() async throws {
        let (server, _, now) = try await server([])
        func step(_ store: any Store) async throws -> RetentionStep {
            try await store.removeRows(
                .customEvents,
                in: server.workspace,
                olderThan: now - Double(EventHistory.period) * EventHistory.day,
                lookingAt: 1,
                now: now
            )
        }
        while try await !step(server.store).isLast {}
        #expect(try await step(server.store) == RetentionStep(removed: 1, isLast: false))
        // It opens what the killed one had stored.
        let another = try SQLStore.testing(at: server.path)
        #expect(try await step(another) == RetentionStep(removed: 1, isLast: false))
        #expect(try await step(another) == RetentionStep(removed: 1, isLast: false))
        while try await !step(another).isLast {}
        #expect(try await server.count("recently_removed_activity") == 3)
        try await server.fold()
        #expect(try await server.count("removed_activity", sum: "count") == 3)
        #expect(
            try await another.retentionProgress(in: server.workspace).first?.removed == 3
        )
    }
}
