import Foundation
import Model
import NoroshiWire
import Ports
import Reasons
import Rehearsals
import Scheduling
import StoreSQL
import Testing

@Suite("A rehearsal")
struct RehearsalTests {
    private static let people = [
        "external_id,first_name,language,time_zone",
        "ada,Ada,en,America/New_York", "ben,Ben,de,Europe/Berlin",
        "cai,Cai,en,Australia/Lord_Howe", "dai,Dai,ja,Asia/Tokyo",
    ]

    private static let zones = [
        "ada": "America/New_York", "ben": "Europe/Berlin", "cai": "Australia/Lord_Howe",
        "dai": "Asia/Tokyo",
    ]

    /// Half past nine on each of the days that lie within two weeks, by the system's own calendar.
    private static func mornings(_ zone: String, from start: Date) throws -> [Date] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        let days = (-1...15).compactMap { calendar.date(byAdding: .day, value: $0, to: start) }
        let end = start.addingTimeInterval(14 * 86_400)
        return days.compactMap { calendar.date(bySettingHour: 9, minute: 30, second: 0, of: $0) }
            .filter { $0 >= start && $0 < end }
    }

    @Test(
        "says on each person's clock when a daily message comes, around the days on which clocks change",
        arguments: ["2026-03-01T12:00:00Z", "2026-03-25T12:00:00Z", "2026-10-24T12:00:00Z"]
    )
    func clocks(from: String) async throws {
        try await RehearsalFixture.run(Self.people, from: from) { fixture in
            try await fixture.campaign("Daily", try RehearsalFixture.daily("09:30"))
            let played = try await fixture.play()
            for (user, zone) in Self.zones {
                let times = played.sent().filter { $0.user == user }.map(\.time)
                #expect(times == (try Self.mornings(zone, from: fixture.from)), "\(user)")
            }
            #expect(played.result.sent == played.sent().count)
        }
    }

    /// A text that is the same for the same, in one process; that processes do not differ is tried by command.
    private static func text(
        _ body: String = "Tea for {{${first_name}}}",
        at time: String = "09:30",
        zone: String = "UTC",
        caps: [FrequencyCap] = [FrequencyCap(messages: 2, days: 7)],
        again: TimeInterval = 0,
        seed: UInt64 = 1
    ) async throws -> String {
        try await RehearsalFixture.run(people, zone: zone) { fixture in
            try await fixture.store.saveLimits(MessagingLimits(caps: caps), of: fixture.workspace)
            let variants = [
                RehearsalFixture.variant("A", body), RehearsalFixture.variant("B", "Coffee"),
            ]
            try await fixture.campaign("Daily", try RehearsalFixture.daily(time), variants) {
                $0.controlShare = 30
                $0.reeligibility = .after(again)
            }
            return try await fixture.play {
                $0.seed = seed
                $0.openRate = 0.5
            }.text
        }
    }

    @Test(
        "says the same of the same, and something else when a text, time, zone, cap, rule or the seed changes"
    )
    func changes() async throws {
        let text = try await Self.text()
        #expect(try await Self.text() == text)
        let others = [
            try await Self.text("Tea for you"), try await Self.text("Tea for {{${first_name}}} "),
            try await Self.text(at: "09:31"), try await Self.text(zone: "Asia/Tokyo"),
            try await Self.text(caps: [FrequencyCap(messages: 3, days: 7)]),
            try await Self.text(caps: [FrequencyCap(messages: 2, days: 6)]),
            try await Self.text(again: 5 * 86_400), try await Self.text(seed: 2),
        ]
        for (index, other) in others.enumerated() {
            #expect(other != text, "change \(index)")
        }
        #expect(Set(others).count == others.count)
    }

    @Test("names everybody who gets nothing, and why")
    func reasons() async throws {
        let lines = [
            "external_id,push_subscribe,time_zone", "ada,subscribed,UTC", "ben,unsubscribed,UTC",
        ]
        try await RehearsalFixture.run(lines) { fixture in
            try await fixture.store.saveLimits(
                MessagingLimits(caps: [FrequencyCap(messages: 1, days: 30)]),
                of: fixture.workspace
            )
            try await fixture.campaign("Daily", try RehearsalFixture.daily("10:00"))
            try await fixture.campaign(
                "Long",
                .immediately,
                [RehearsalFixture.variant("A", String(repeating: "tea ", count: 60))]
            ) { $0.isExemptFromCaps = true }
            let played = try await fixture.play(days: 2)
            let found = played.rows.map {
                "\($0.source.name) \($0.user) \($0.outcome.rawValue) \($0.reason)"
            }
            #expect(
                found.sorted() == [
                    // The launch of the third day is planned when it begins east of everybody.
                    "Daily ada left out FrequencyCap", "Daily ada left out FrequencyCap",
                    "Daily ada sent ", "Daily ben left out NoDevice",
                    "Daily ben left out NoDevice", "Daily ben left out NoDevice",
                    "Long ada refused PayloadTooLarge", "Long ben left out NoDevice",
                ]
            )
        }
    }

    @Test("lets people repeat their weeks on their own clocks, and sends what that triggers")
    func history() async throws {
        try await RehearsalFixture.run(Self.people, from: "2026-03-25T00:00:00Z") { fixture in
            // Mondays at eight in the evening and Thursdays at noon, for four weeks.
            var events: [(user: String, name: String, at: Date)] = []
            for (user, zone) in Self.zones {
                let zone = try #require(TimeZone(identifier: zone))
                for day in ["2026-03-02", "2026-03-09", "2026-03-16", "2026-03-23"] {
                    let monday = try #require(CalendarDay(day))
                    for (offset, time) in [(0, "20:00"), (-4, "12:00")] {
                        events.append(
                            (
                                user, "order",
                                WallClock.instant(
                                    monday.adding(days: offset),
                                    try #require(TimeOfDay(time)),
                                    in: zone
                                )
                            )
                        )
                    }
                }
            }
            try await fixture.events(events)
            try await fixture.campaign(
                "Thanks",
                .actionBased(EventTrigger(event: EventMatch(.custom(name: "order")), delay: 3_600)),
                [RehearsalFixture.variant("A", "{{event_properties.${cup}}} cups")]
            )
            let played = try await fixture.play()
            #expect(played.result.repeated == played.sent().count)
            for (user, name) in Self.zones {
                let zone = try #require(TimeZone(identifier: name))
                let readings = played.sent().filter { $0.user == user }
                    .map { WallClock.reading(of: $0.time.addingTimeInterval(-3_600), in: zone) }
                #expect(readings.count == 4, "\(user)")
                for reading in readings {
                    let expected = reading.day.weekday == 1 ? "20:00" : "12:00"
                    // Phones report within five minutes; the hour counts from the event.
                    #expect(reading.time == TimeOfDay(expected), "\(user) \(reading)")
                    #expect([1, 4].contains(reading.day.weekday))
                }
            }
            #expect(played.sent().allSatisfy { $0.body == "2 cups" })
        }
    }

    @Test("lets people open the share that is given, each time as somebody else draws it")
    func opens() async throws {
        let people = ["external_id,time_zone"] + (0..<150).map { "user-\($0),UTC" }
        try await RehearsalFixture.run(people) { fixture in
            try await fixture.campaign("Daily", try RehearsalFixture.daily("10:00"))
            let played = try await fixture.play(days: 10) { $0.openRate = 0.2 }
            #expect(played.sent().count == 1_500)
            // Five standard deviations of a binomial count.
            let limit = 5 * (1_500 * 0.2 * 0.8).squareRoot()
            #expect(abs(Double(played.result.opened) - 300) < limit)
            let campaign = try #require(
                try await fixture.store.campaigns(
                    in: fixture.workspace,
                    matching: CampaignQuery()
                ).campaigns.first
            )
            let totals = try await fixture.store.totals(of: [campaign.id])[campaign.id]
            #expect(totals?.delivered == 1_500)
            // The last ones come after the end.
            let kept = totals?.opened ?? 0
            #expect(kept <= played.result.opened && kept > played.result.opened - 60)
        }
    }

    @Test("plays journeys to their end, calls of webhooks included, and asks no server")
    func journeys() async throws {
        try await RehearsalFixture.run(Self.people) { fixture in
            let ids = (0..<4).map { JourneyStepID(UUID(named: "step \($0)".utf8)) }
            let push = JourneyPush(variants: [
                RehearsalFixture.variant(
                    "A",
                    "{% connected_content http://example.com/x :save x %}Hi"
                )
            ])
            try await fixture.journey(
                JourneyDefinition(
                    name: "Welcome",
                    entry: .members(SegmentQuery(), at: nil),
                    steps: [
                        JourneyStep(
                            id: ids[0],
                            name: "",
                            kind: .wait(.duration(86_400)),
                            next: ids[1]
                        ),
                        JourneyStep(
                            id: ids[1],
                            name: "",
                            kind: .wait(
                                .clock(JourneyClockTime(time: try #require(TimeOfDay("09:00"))))
                            ),
                            next: ids[2]
                        ),
                        JourneyStep(id: ids[2], name: "Hello", kind: .push(push), next: ids[3]),
                        JourneyStep(
                            id: ids[3],
                            name: "Tell",
                            kind: .webhook(JourneyWebhook(url: "https://example.com/told")),
                            next: nil
                        ),
                    ]
                )
            )
            let played = try await fixture.play(days: 4)
            #expect(played.result.problems.isEmpty)
            #expect(Set(played.sent().map(\.user)) == Set(Self.zones.keys))
            #expect(
                played.sent().allSatisfy { $0.source.name == "Welcome · Hello" && $0.body == "Hi" }
            )
            for row in played.sent() {
                let zone = try #require(TimeZone(identifier: Self.zones[row.user] ?? ""))
                #expect(WallClock.reading(of: row.time, in: zone).time == TimeOfDay("09:00"))
            }
            #expect(played.result.calls == 4)
            #expect(played.result.unasked >= 1)
        }
    }

    @Test("names what cannot be started, and plays the rest")
    func notStarted() async throws {
        try await RehearsalFixture.run(Self.people) { fixture in
            let past = CampaignSchedule(
                start: try #require(CalendarDay("2026-01-01")),
                time: try #require(TimeOfDay("10:00")),
                clock: .zone("UTC")
            )
            try await fixture.campaign("Over", .scheduled(past))
            try await fixture.campaign("Now", .immediately)
            let played = try await fixture.play(days: 1)
            #expect(played.result.problems.count == 1)
            #expect(played.text.contains("Not sent: campaign 'Over'"))
            #expect(played.sent().count == 4)
        }
    }

    @Test("starts one campaign by its name, and says when there is none")
    func named() async throws {
        try await RehearsalFixture.run(Self.people) { fixture in
            try await fixture.campaign("One", .immediately)
            try await fixture.campaign("Two", .immediately)
            let played = try await fixture.play(days: 1) { $0.starts = .only("Two") }
            #expect(Set(played.sent().map(\.source.name)) == ["Two"])
            await #expect(throws: RehearsalProblem.self) {
                try await fixture.play(days: 1) { $0.starts = .only("Three") }
            }
        }
    }

    @Test("names the line and the field of a person who cannot be read")
    func guests() async throws {
        let error = await #expect(throws: RehearsalProblem.self) {
            try await RehearsalFixture.run(["external_id,time_zone", "ada,UTC", ",UTC"]) { _ in }
        }
        #expect(
            error?.description.contains("people.csv:3: ") == true,
            "\(String(describing: error))"
        )
    }

    @Test(
        "a person who could not be stored whole is named, for it would be somebody else who is played"
    )
    func leftOut() async throws {
        let error = await #expect(throws: RehearsalProblem.self) {
            let lines = ["external_id,time_zone", "ada,UTC", "ben,Mars/Olympus"]
            try await RehearsalFixture.run(lines) { _ in }
        }
        #expect(
            error?.description.contains("people.csv:3: time_zone") == true,
            "\(String(describing: error))"
        )
    }

    @Test("a limit of messages per minute takes its minutes")
    func limited() async throws {
        let people = ["external_id,time_zone"] + (0..<25).map { "user-\($0),UTC" }
        try await RehearsalFixture.run(people) { fixture in
            try await fixture.campaign("Slow", .immediately) { $0.messagesPerMinute = 10 }
            let played = try await fixture.play(days: 1)
            let sent = played.sent()
            #expect(sent.count == 25)
            let last = try #require(sent.last).time.timeIntervalSince(fixture.from)
            #expect((60...180).contains(last), "\(last)")
            // Within any minute as many as the limit says, and what it lets through at its beginning.
            for row in sent {
                let end = row.time.addingTimeInterval(60)
                #expect(sent.count { $0.time >= row.time && $0.time < end } <= 20)
            }
        }
    }

    @Test("a copy of a restored backup is not held, and what was due before is not played")
    func held() async throws {
        try await RehearsalFixture.run(Self.people) { fixture in
            try await fixture.store.holdSending(since: fixture.from)
            try await fixture.campaign("Daily", try RehearsalFixture.daily("09:30"))
            let played = try await fixture.play(days: 2)
            // The launch of the first day began east of everybody, before the hold.
            #expect(Set(played.sent().map(\.user)) == Set(Self.zones.keys))
            for row in played.sent() {
                let zone = try #require(TimeZone(identifier: Self.zones[row.user] ?? ""))
                let first = try #require(CalendarDay("2026-03-02"))
                #expect(WallClock.day(of: row.time, in: zone) > first, "\(row)")
            }
        }
    }

    @Test("what other workspaces send is not shown")
    func others() async throws {
        try await RehearsalFixture.run(Self.people) { fixture in
            let other = try await fixture.store.createWorkspace(
                name: "Coffee",
                timeZone: "UTC",
                now: fixture.from
            )
            let next = RehearsalFixture(store: fixture.store, workspace: other, from: fixture.from)
            try await next.people(["external_id,time_zone", "eve,UTC"])
            try await next.campaign("Theirs", try RehearsalFixture.daily("10:00"))
            _ = try await next.play(days: 1)
            try await fixture.campaign("Ours", try RehearsalFixture.daily("10:00"))
            let played = try await fixture.play(days: 3)
            #expect(Set(played.rows.map(\.source.name)) == ["Ours"])
            #expect(played.result.people == 4)
        }
    }
}
