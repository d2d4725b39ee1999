import Foundation
import Model
import NoroshiWire
import Ports
import Testing

extension StoreConformance {
    private var berlin: LocalDays {
        LocalDays(TimeZone(identifier: "Europe/Berlin") ?? .gmt)
    }

    private func event(
        _ name: String,
        _ user: String,
        at time: Date
    ) -> IngestItem {
        IngestItem(
            recordID: nil,
            user: .external(user),
            time: time,
            content: name == "session"
                ? .sessionStarted : .event(name: name, properties: [:])
        )
    }

    private func purchase(
        _ product: String,
        _ price: Double,
        _ user: String,
        at time: Date
    ) -> IngestItem {
        IngestItem(
            recordID: nil,
            user: .external(user),
            time: time,
            content: .purchase(
                product: product,
                currency: price < 100 ? "EUR" : "JPY",
                price: price,
                quantity: 3,
                properties: [:]
            )
        )
    }

    /// Every figure of the last days, from the daily counts.
    private func figures(_ fixture: Fixture, until end: Date) async throws -> [[Double]] {
        try await store.refreshDailyCounts(in: fixture.workspace, days: berlin)
        let days = berlin.days(40, endingAt: end)
        var figures: [[Double]] = []
        for series in allSeries {
            figures.append(
                try await store.dailyCounts(of: series, in: fixture.workspace, between: days)
            )
        }
        for window in [1, 30] {
            let users = try await store.activeUsers(
                in: fixture.workspace,
                days: days,
                window: window,
                calendar: berlin
            )
            figures.append(users.map(Double.init))
        }
        return figures
    }

    private var allSeries: [CountSeries] {
        [
            .events("viewed"), .events("rated"), .sessions, .quantity(product: nil),
            .quantity(product: "tea"), .revenue(product: nil, currency: "EUR"),
            .revenue(product: "pot", currency: "JPY"),
        ]
    }

    /// Daily counts that grew with what came in are those that are made from the rows at once.
    package func keepsDailyCountsThatRebuildingDoesNotChange() async throws {
        let fixture = try await fixture()
        var random = SeededGenerator(seed: 20_260_704)
        let end = try #require(Timestamp.parse("2026-03-31T10:00:00Z"))
        let users = ["ada", "bob", "eve", "dan"]
        for _ in 0..<6 {
            let items = (0..<60).map { _ in
                let time = end.addingTimeInterval(
                    -Double.random(in: 0..<38 * 86_400, using: &random)
                )
                let user = users.randomElement(using: &random) ?? "ada"
                switch Int.random(in: 0..<4, using: &random) {
                case 0: return event("viewed", user, at: time)
                case 1: return event("rated", user, at: time)
                case 2: return event("session", user, at: time)
                default:
                    return purchase(
                        Bool.random(using: &random) ? "tea" : "pot",
                        Bool.random(using: &random) ? 3.3 : 480.1,
                        user,
                        at: time
                    )
                }
            }
            _ = try await ingest(items, in: fixture.workspace)
            let grown = try await figures(fixture, until: end)
            try await store.deleteDailyCounts(in: fixture.workspace)
            #expect(try await figures(fixture, until: end) == grown)
            try await expectRows(fixture, until: end, equal: grown)
        }
        // Who is merged or deleted takes the counts along, the last event's number is used again.
        _ = try await store.apply(
            [.merge(.external("eve"), into: .external("bob"))],
            in: fixture.workspace,
            now: now
        )
        let dan = try #require(
            try await store.profile(.external("dan"), in: fixture.workspace)
        )
        _ = try await ingest([event("viewed", "dan", at: end)], in: fixture.workspace)
        _ = try await figures(fixture, until: end)
        _ = try await store.deleteUsers([dan.id], in: fixture.workspace, noting: nil, now: now)
        _ = try await ingest([event("rated", "ada", at: end)], in: fixture.workspace)
        let kept = try await figures(fixture, until: end)
        try await store.deleteDailyCounts(in: fixture.workspace)
        #expect(try await figures(fixture, until: end) == kept)
        try await expectRows(fixture, until: end, equal: kept)
    }

    /// The daily counts are what a count of the rows between the days' ends gives.
    private func expectRows(
        _ fixture: Fixture,
        until end: Date,
        equal figures: [[Double]]
    ) async throws {
        let days = berlin.days(40, endingAt: end)
        for (series, counted) in zip(allSeries, figures) {
            let rows = try await store.counts(of: series, in: fixture.workspace, between: days)
            #expect(rows == counted, "\(series)")
        }
    }

    /// The hour that is missing or comes twice belongs to its day.
    package func countsDaysOfTheTimeZone() async throws {
        let fixture = try await fixture()
        let times = [
            // 29 March has 23 hours in Berlin, 25 October 25.
            "2026-03-28T22:59:59Z", "2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z",
            "2026-03-29T22:00:00Z", "2026-10-24T21:59:59Z", "2026-10-24T22:00:00Z",
            "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T22:59:59Z",
            "2026-10-25T23:00:00Z",
        ]
        _ = try await ingest(
            try times.map { event("viewed", "ada", at: try #require(Timestamp.parse($0))) },
            in: fixture.workspace
        )
        try await store.refreshDailyCounts(in: fixture.workspace, days: berlin)
        for (end, counts) in [
            ("2026-03-30T10:00:00Z", [1.0, 2, 1]), ("2026-10-26T10:00:00Z", [1, 4, 1]),
        ] {
            let days = berlin.days(3, endingAt: try #require(Timestamp.parse(end)))
            let found = try await store.dailyCounts(
                of: .events("viewed"),
                in: fixture.workspace,
                between: days
            )
            #expect(found == counts)
        }
        // Another time zone has other days.
        let gmt = LocalDays(.gmt)
        try await store.refreshDailyCounts(in: fixture.workspace, days: gmt)
        let found = try await store.dailyCounts(
            of: .events("viewed"),
            in: fixture.workspace,
            between: gmt.days(2, endingAt: try #require(Timestamp.parse("2026-03-29T00:00:00Z")))
        )
        #expect(found == [2, 2])
    }

    /// A user counts once for a day and for each of the 30 days that a session reaches.
    package func countsActiveUsersOnce() async throws {
        let fixture = try await fixture()
        let end = try #require(Timestamp.parse("2026-07-04T10:00:00Z"))
        let gmt = LocalDays(.gmt)
        func ago(_ days: Double) -> Date { end.addingTimeInterval(-days * 86_400) }
        _ = try await ingest(
            [
                event("session", "ada", at: ago(0)), event("session", "ada", at: ago(0.1)),
                event("session", "ada", at: ago(5)), event("session", "bob", at: ago(29)),
                event("session", "eve", at: ago(30)), event("viewed", "dan", at: ago(0)),
            ],
            in: fixture.workspace
        )
        try await store.refreshDailyCounts(in: fixture.workspace, days: gmt)
        for _ in 0..<2 {
            for (window, expected) in [(1, [0, 1]), (30, [3, 2])] {
                let users = try await store.activeUsers(
                    in: fixture.workspace,
                    days: gmt.days(2, endingAt: end),
                    window: window,
                    calendar: gmt
                )
                #expect(users == expected, "within \(window) days")
            }
        }
        // A session that arrives late changes the days it belongs to.
        _ = try await ingest([event("session", "dan", at: ago(20))], in: fixture.workspace)
        try await store.refreshDailyCounts(in: fixture.workspace, days: gmt)
        let users = try await store.activeUsers(
            in: fixture.workspace,
            days: gmt.days(2, endingAt: end),
            window: 30,
            calendar: gmt
        )
        #expect(users == [4, 3])
    }
}

/// A generator whose numbers are the same for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
