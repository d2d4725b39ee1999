import Foundation
import Model
import NoroshiWire
import Ports
import Rehearsals
import Scheduling
import StoreSQL
import Testing

@Suite("Those who play a rehearsal side by side")
struct RehearsalHandsTests {
    private static let zones = ["UTC", "Asia/Tokyo", "America/New_York", "Australia/Lord_Howe"]

    private static let people =
        ["external_id,first_name,language,time_zone"]
        + (0..<12).map { "user-\($0),N\($0),\($0 % 3 == 0 ? "ja" : "en"),\(zones[$0 % 4])" }

    /// Caps, quiet hours, groups, variants, an event that launches, a journey with a split and a call.
    private static func write(_ fixture: RehearsalFixture) async throws {
        try await fixture.store.saveLimits(
            MessagingLimits(
                caps: [FrequencyCap(messages: 3, days: 2)],
                quietHours: QuietHours(
                    start: try #require(TimeOfDay("22:00")),
                    end: try #require(TimeOfDay("07:00"))
                ),
                controlGroup: ControlGroup(
                    share: 10,
                    seed: UUID(named: "group".utf8),
                    since: fixture.from
                )
            ),
            of: fixture.workspace
        )
        var events: [(user: String, name: String, at: Date)] = []
        for user in 0..<12 {
            for week in 1...4 {
                let seconds = user * 3_671 - week * 7 * 86_400
                let time = fixture.from.addingTimeInterval(Double(seconds))
                events.append(("user-\(user)", user % 2 == 0 ? "order" : "visit", time))
            }
        }
        try await fixture.events(events)
        let two = [
            RehearsalFixture.variant("A", "Tea, {{${first_name}}}"),
            RehearsalFixture.variant("B", "Coffee"),
        ]
        try await fixture.campaign("Daily", try RehearsalFixture.daily("06:30"), two) {
            $0.controlShare = 20
            $0.quietHours = .delay
        }
        try await fixture.campaign("Late", try RehearsalFixture.daily("09:00"), two)
        try await fixture.campaign(
            "Thanks",
            .actionBased(EventTrigger(event: EventMatch(.custom(name: "order")), delay: 3_600)),
            two
        )
        let ids = (0..<4).map { JourneyStepID(UUID(named: "step \($0)".utf8)) }
        var journey = JourneyDefinition(
            name: "Welcome",
            entry: .members(SegmentQuery(), at: nil),
            steps: [
                JourneyStep(
                    id: ids[0],
                    name: "",
                    kind: .split([
                        JourneyShare(name: "x", weight: 1, next: ids[1]),
                        JourneyShare(name: "y", weight: 1, next: ids[2]),
                    ])
                ),
                JourneyStep(id: ids[1], name: "", kind: .wait(.duration(90_000)), next: ids[2]),
                JourneyStep(
                    id: ids[2],
                    name: "Hello",
                    kind: .push(JourneyPush(variants: two)),
                    next: ids[3]
                ),
                JourneyStep(
                    id: ids[3],
                    name: "Tell",
                    kind: .webhook(JourneyWebhook(url: "https://example.com/told"))
                ),
            ]
        )
        journey.isExemptFromCaps = true
        try await fixture.journey(journey)
    }

    private static func play(
        _ hands: Int,
        _ change: (RehearsalFixture) async throws -> Void = { _ in }
    ) async throws -> RehearsalFixture.Played {
        try await RehearsalFixture.run(people) { fixture in
            try await write(fixture)
            try await change(fixture)
            return try await fixture.play(days: 4, hands: hands) {
                $0.openRate = 0.4
                $0.signUpsPerDay = 1.5
            }
        }
    }

    @Test("find what one finds: the same text, and the same rows in the same order")
    func same() async throws {
        let alone = try await Self.play(1)
        #expect(alone.sent().count > 60 && alone.result.signedUp > 3 && alone.result.opened > 15)
        #expect(Set(alone.rows.map(\.outcome)) == [.sent, .leftOut, .control])
        #expect(alone.result.calls > 8)
        let together = try await Self.play(3)
        #expect(together.text == alone.text)
        let isEqual = together.rows == alone.rows
        #expect(isEqual)
    }

    @Test("leave it to one where people share a limit of messages per minute")
    func bound() async throws {
        let slow: (RehearsalFixture) async throws -> Void = { fixture in
            try await fixture.campaign("Slow", .immediately) { $0.messagesPerMinute = 5 }
        }
        let alone = try await Self.play(1, slow)
        #expect(alone.sent("Slow").count > 5)
        #expect(try await Self.play(2, slow).text == alone.text)
    }

    @Test("let whoever rehearses end it")
    func ended() async throws {
        struct Ended: Error {}
        try await RehearsalFixture.run(Self.people) { fixture in
            try await Self.write(fixture)
            await #expect(throws: Ended.self) {
                let end = fixture.from.addingTimeInterval(86_400)
                var ending = fixture
                ending.progress = { if $0 > end { throw Ended() } }
                return try await ending.play(days: 4, hands: 2)
            }
        }
    }
}
