import Audience
import Foundation
import Model
import NoroshiWire
import Ports
import Reports
import Segments
import StoreSQL
import Testing

/// Random histories told to a server that removes old sessions and to one that keeps all. What the
/// first one answers without saying since when, the second one answers too.
@Suite("Old sessions that are removed")
struct SessionRemovalTests {
    private static let zone = "Asia/Tokyo"

    /// With merges, deletions and sessions that are told late, or without.
    private func history(_ seed: UInt64, isPlain: Bool = false) async throws -> EventHistory {
        try await EventHistory.removing(
            seed,
            EventHistory.Options(
                removes: .sessions,
                deletesLate: !isPlain,
                merges: !isPlain,
                isToldLate: !isPlain
            )
        )
    }

    @Test(
        "change no answer of a segment that does not say so, nor the columns",
        arguments: 1...2 as ClosedRange<UInt64>
    )
    func segments(seed: UInt64) async throws {
        let history = try await history(seed)
        try await Answers(history).compare("seed \(seed)", times: 200) {
            RandomConditions.condition(
                &history.random,
                now: history.now,
                often: .session
            )
        }
        let server = history.removing
        let rows = try await server.store.audienceView().rows(of: server.workspace)
        #expect(try await server.columns.differences(from: rows) == [], "seed \(seed)")
        try await server.audience.rebuild()
        #expect(try await server.columns.differences(from: rows) == [], "seed \(seed)")
    }

    @Test("change no answer of a report that does not say so", arguments: [41] as [UInt64])
    func reports(seed: UInt64) async throws {
        let history = try await history(seed)
        let now = history.now
        var (complete, limited) = (0, 0)
        for number in 0..<80 {
            let question = RandomConditions.report(&history.random, now: now, often: .session)
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

    // MARK: Figures

    /// Of the days of one zone up to the history's end.
    private struct Figures {
        let server: EventHistory.Server
        let calendar: LocalDays
        let days: [Date]

        init(_ server: EventHistory.Server, zone: String, days: Int, until end: Date) throws {
            self.server = server
            calendar = LocalDays(try #require(TimeZone(identifier: zone)))
            self.days = calendar.days(days, endingAt: end)
        }

        func active(_ window: Int, _ filter: SeriesFilter? = nil) async throws -> [Int] {
            let (store, workspace) = (server.store, server.workspace)
            if let filter {
                return try await store.activeUsers(
                    in: workspace,
                    days: days,
                    window: window,
                    calendar: calendar,
                    filter: filter
                )
            }
            return try await store.activeUsers(
                in: workspace,
                days: days,
                window: window,
                calendar: calendar
            )
        }

        func newUsers(of app: Int) async throws -> [Int] {
            try await server.store.newUsers(
                in: server.workspace,
                between: days,
                filter: SeriesFilter(apps: [server.apps[app]])
            )
        }

        func sessions() async throws -> [Int] {
            try await server.store.figures(in: server.workspace, between: days).map(\.sessions)
        }
    }

    private func figures(
        _ history: EventHistory,
        zone: String = zone,
        days: Int
    ) async throws -> (removing: Figures, keeping: Figures) {
        let own = try Figures(history.removing, zone: zone, days: days, until: history.now)
        let all = try Figures(history.keeping, zone: zone, days: days, until: history.now)
        for one in [own, all] {
            try await one.server.store.refreshDailyCounts(
                in: one.server.workspace,
                days: one.calendar
            )
        }
        return (own, all)
    }

    @Test(
        "stay in the counts and the active users of every day",
        arguments: 61...62 as ClosedRange<UInt64>
    )
    func counts(seed: UInt64) async throws {
        let history = try await history(seed, isPlain: true)
        let (own, all) = try await figures(history, days: 200)
        for window in ActiveUserWindow.all {
            let active = try await own.active(window)
            #expect(try await active == all.active(window), "seed \(seed), \(window) days")
            #expect(active.reduce(0, +) > 0)
        }
        let sessions = try await own.sessions()
        #expect(try await sessions == all.sessions(), "seed \(seed)")
        #expect(sessions.reduce(0, +) > 0)
        for zone in ["America/Sao_Paulo", "Asia/Kathmandu"] {
            let (own, all) = try await figures(history, zone: zone, days: 200)
            #expect(try await own.sessions() == all.sessions(), "seed \(seed), \(zone)")
            // Who was active on them is known in days of the zone in which they were counted.
            let gap = await #expect(throws: SeriesGapError.self) { try await own.active(1) }
            let since = try #require(gap?.since)
            #expect(own.calendar.isStart(since))
            let known = own.calendar.count(from: since, to: history.now) + 1
            #expect(known < 34, "seed \(seed), \(zone)")
            let (rest, expected) = try await figures(history, zone: zone, days: known)
            for window in ActiveUserWindow.all {
                #expect(
                    try await rest.active(window) == expected.active(window),
                    "seed \(seed), \(zone), \(window) days"
                )
            }
        }
        // Back in the first zone nothing is missing, also after a rebuild.
        try await history.removing.store.deleteDailyCounts(in: history.removing.workspace)
        let (again, expected) = try await figures(history, days: 200)
        #expect(try await again.active(30) == expected.active(30), "seed \(seed)")
    }

    @Test(
        "leave the days that are kept, those of an app and its new users, whoever is merged or late",
        arguments: 71...73 as ClosedRange<UInt64>
    )
    func keptDays(seed: UInt64) async throws {
        let history = try await history(seed)
        let (own, all) = try await figures(history, days: EventHistory.period)
        for window in ActiveUserWindow.all {
            #expect(
                try await own.active(window) == all.active(window),
                "seed \(seed), \(window) days"
            )
            for app in 0...1 {
                #expect(
                    try await own.active(window, SeriesFilter(apps: [own.server.apps[app]]))
                        == all.active(window, SeriesFilter(apps: [all.server.apps[app]])),
                    "seed \(seed), \(window) days, app \(app)"
                )
            }
        }
        let (longOwn, longAll) = try await figures(history, days: 200)
        for app in 0...1 {
            let users = try await longOwn.newUsers(of: app)
            #expect(try await users == longAll.newUsers(of: app), "seed \(seed), app \(app)")
            #expect(users.reduce(0, +) > 0)
        }
        await #expect(throws: SeriesGapError.self) {
            try await longOwn.active(1, SeriesFilter(apps: [own.server.apps[0]]))
        }
    }

    @Test("change nothing that is known of a person", arguments: 81...82 as ClosedRange<UInt64>)
    func persons(seed: UInt64) async throws {
        let history = try await history(seed)
        let (removing, keeping) = (history.removing, history.keeping)
        // Counted anew from the rows that are left, which changes nothing either.
        for isCountedAgain in [false, true] {
            for id in try await keeping.columns.select(
                .all([]),
                at: EvaluationTime(now: 0)
            ).profiles() {
                let profile = ProfileID(id)
                let figures = try await removing.store.figures(of: profile)
                #expect(try await figures == keeping.store.figures(of: profile), "seed \(seed)")
                guard !isCountedAgain else { continue }
                func rest(_ server: EventHistory.Server) async throws -> [StoredEvent] {
                    try await server.store.events(of: profile, limit: 5_000)
                        .filter { !$0.name.hasPrefix("$session") }
                }
                #expect(try await rest(removing) == rest(keeping))
            }
            try await removing.store.recountOpens(in: removing.workspace)
        }
    }

    // MARK: One by one

    private static let now = Date(timeIntervalSince1970: 1_790_000_000) + 200 * EventHistory.day

    private func tell(
        _ days: some Sequence<Double>,
        _ server: EventHistory.Server,
        at now: Date = now
    ) async throws -> [IngestOutcome] {
        let phone = SDKDevice(
            id: UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
            platform: "ios"
        )
        let items = days.map {
            IngestItem(
                recordID: UUID(),
                user: .external("ada"),
                time: Self.now - $0 * EventHistory.day,
                content: .sessionStarted
            )
        }
        let request = IngestRequest(
            workspace: server.workspace,
            source: .device(phone, app: server.app),
            items: items
        )
        return try #require(try await server.store.ingest([request], now: now).first)
    }

    private func remove(_ kinds: [RetainedKind], _ server: EventHistory.Server) async throws {
        for _ in 0..<2 { try await server.audience.catchUp() }
        for kind in kinds {
            // What a pass removes was there when the one before began.
            for _ in 0..<2 {
                while try await !server.store.removeRows(
                    kind,
                    in: server.workspace,
                    olderThan: Self.now - Double(EventHistory.period) * EventHistory.day,
                    lookingAt: 2,
                    now: Self.now
                ).isLast {}
            }
        }
    }

    @Test("of three that are old nothing stays but their sums, and told again they are known")
    func sums() async throws {
        let server = try await EventHistory.Server { Self.now }
        let days = [95.0, 60, 50, 3]
        _ = try await tell(days.dropLast(), server, at: Self.now - 45 * EventHistory.day)
        _ = try await tell([3], server, at: Self.now - EventHistory.day)
        try await remove([.recordIDs, .sessions], server)
        let found = try await server.store.profile(.external("ada"), in: server.workspace)
        let ada = try #require(found)
        let kept = try await server.store.events(of: ada.id, limit: 50)
        #expect(kept.map(\.time) == [Self.now - 3 * EventHistory.day])
        let rows = try await server.store.rows(of: ada.id)
        func time(_ days: Double) -> JSONValue {
            .string(Timestamp.format(Self.now - days * EventHistory.day))
        }
        #expect(
            rows["removed_sessions"] == [
                ["app": "Tea", "count": 3, "first_at": time(95), "last_at": time(50)]
            ]
        )
        #expect(rows["user_sessions"]?.count == 1 && rows["user_sessions"]?[0]["number"] == 4)
        #expect(
            try await tell(days.dropLast(), server)
                == Array(repeating: IngestOutcome.duplicate, count: 3)
        )
        #expect(try await server.store.figures(of: ada.id).sessions == 4)
    }

    @Test(
        "stay while a message counts them as conversions, also one whose identifier cannot be read",
        arguments: [false, true]
    )
    func conversions(isDamaged: Bool) async throws {
        let server = try await EventHistory.Server { Self.now }
        try await server.store.createInAppMessage(
            InAppMessageDefinition(
                id: UUID(),
                workspace: server.workspace,
                name: "come back",
                state: .active,
                message: InAppMessage(
                    id: "come back",
                    kind: .modal,
                    message: "Come back",
                    rules: InAppMessageRules(triggers: [.sessionStart])
                ),
                goal: ConversionEvent(event: EventMatch(.sessionStart)),
                createdAt: Self.now,
                updatedAt: Self.now
            )
        )
        if isDamaged { try await server.damage("UPDATE in_app_messages SET api_id = 'come'") }
        _ = try await tell([95, 60, 50, 3], server, at: Self.now - EventHistory.day)
        try await remove([.sessions], server)
        #expect(
            try await server.store.retentionProgress(in: server.workspace).first?.removed == 0
        )
        #expect(
            try await server.store.retentionHolders(in: server.workspace).isEmpty == isDamaged
        )
        let figures = try Figures(server, zone: Self.zone, days: 120, until: Self.now)
        #expect(try await figures.active(1).reduce(0, +) == 4)
    }
}
