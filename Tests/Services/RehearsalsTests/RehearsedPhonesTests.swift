import Audience
import Campaigns
import Foundation
import InAppMessages
import Liquid
import Model
import NoroshiWire
import Ports
import Rehearsals
import Scheduling
import StoreSQL
import Testing

@Suite("Phones and newcomers of a rehearsal")
struct RehearsedPhonesTests {
    private static let people = [
        "external_id,first_name,language,time_zone", "ada,Ada,en,UTC", "ben,Ben,de,UTC",
    ]

    private struct NoServer: ContentFetcher {
        func fetch(
            _ request: ConnectedContentRequest,
            for workspace: WorkspaceID
        ) async throws -> ConnectedContentResponse {
            ConnectedContentResponse(status: 0, body: [])
        }
    }

    /// A session at ten and an order a minute later, on the last four Mondays.
    private static func visit(_ fixture: RehearsalFixture) async throws {
        var items: [IngestItem] = []
        for user in ["ada", "ben"] {
            for week in 1...4 {
                let ten = fixture.from.addingTimeInterval(Double(-week * 7) * 86_400 + 36_000)
                for (content, time) in [
                    (IngestItem.Content.sessionStarted, ten),
                    (.event(name: "order", properties: ["cups": 2]), ten.addingTimeInterval(60)),
                ] {
                    var item = IngestItem(
                        recordID: nil,
                        user: .external(user),
                        time: time,
                        content: content
                    )
                    item.app = "app.noroshi.rehearsal"
                    items.append(item)
                }
            }
        }
        let request = IngestRequest(workspace: fixture.workspace, source: .api, items: items)
        _ = try await fixture.store.ingest([request], now: fixture.from)
    }

    private static func message(
        _ name: String,
        _ trigger: InAppMessageRules.Trigger,
        priority: Int = 0,
        limit: Int? = 1,
        in fixture: RehearsalFixture
    ) async throws {
        let from = fixture.from
        let audience = SegmentationService(
            store: fixture.store,
            now: { from },
            logger: RehearsalFixture.logger
        )
        let service = InAppMessageService(
            store: fixture.store,
            audience: audience,
            fetcher: NoServer(),
            makeID: { UUID(named: name.utf8) },
            now: { from }
        )
        var definition = service.blank(in: fixture.workspace)
        definition.name = name
        definition.message.message = "\(name), {{${first_name}}}"
        definition.message.rules = InAppMessageRules(
            triggers: [trigger],
            priority: priority,
            impressionLimit: limit
        )
        try await service.create(
            definition,
            by: .commandLine(account: "mio", fixture.workspace)
        )
    }

    @Test("phones show what the SDK would select, once by its limit, and say what kept the others")
    func inApp() async throws {
        try await RehearsalFixture.run(Self.people) { fixture in
            try await Self.visit(fixture)
            try await Self.message("Hello", .sessionStart, priority: 5, in: fixture)
            try await Self.message("Second", .sessionStart, limit: nil, in: fixture)
            try await Self.message("Thanks", .event(name: "order", filters: []), in: fixture)
            let played = try await fixture.play {
                $0.openRate = 0
                $0.starts = .named(
                    campaigns: [],
                    journeys: [],
                    inAppMessages: ["Hello", "Second", "Thanks"]
                )
            }
            let day = { (row: RehearsalRow) in
                Int(row.time.timeIntervalSince(fixture.from) / 86_400)
            }
            for user in ["ada", "ben"] {
                let mine = played.rows.filter { $0.user == user }
                let shown = mine.filter { $0.outcome == .sent }
                    .map { "\(day($0)) \($0.source.kind.rawValue) \($0.body)" }
                let name = user == "ada" ? "Ada" : "Ben"
                #expect(
                    shown == [
                        "0 in-app message Hello, \(name)", "0 in-app message Thanks, \(name)",
                        "7 in-app message Second, \(name)",
                    ]
                )
                let kept = mine.filter { $0.outcome == .skipped }
                    .map { "\(day($0)) \($0.source.name) \($0.reason)" }
                #expect(kept == ["0 Second AnotherMessage"])
            }
            #expect(played.text.contains("in-app message 'Hello': 2 messages"))
        }
    }

    @Test("as many sign up as are said, the same ones each time, and get what everybody gets")
    func newcomers() async throws {
        func play(_ perDay: Double, seed: UInt64 = 1) async throws -> RehearsalFixture.Played {
            try await RehearsalFixture.run(Self.people) { fixture in
                try await fixture.campaign("Daily", try RehearsalFixture.daily("10:00"))
                return try await fixture.play(days: 10) {
                    $0.signUpsPerDay = perDay
                    $0.seed = seed
                }
            }
        }
        let none = try await play(0)
        #expect(none.result.signedUp == 0)
        let some = try await play(2)
        #expect(some.result.signedUp == 20)
        let users = Set(some.sent().map(\.user))
        #expect(users.contains("newcomer-1-1") && users.contains("ada"))
        // Whoever came on the last evening has missed the last message.
        #expect(users.count > 16 && users.count <= 22)
        #expect(try await play(2).text == some.text)
        #expect(try await play(2, seed: 2).text != some.text)
        #expect(some.text.contains("20 sign up"))
        let half = try await play(0.5).result.signedUp
        #expect(half > 0 && half < 10)
    }
}
