import Campaigns
import Foundation
import Model
import Ports
import Scheduling
import Testing

/// Campaigns by the clock, over the real store, with a clock that is set by hand.
@Suite("Campaigns by the clock")
struct ScheduledCampaignTests {
    private func daily(
        _ time: String,
        _ clock: ScheduleTimeZone = .zone("Asia/Tokyo"),
        from start: String,
        end: Recurrence.End = .never
    ) throws -> CampaignDelivery {
        .scheduled(
            CampaignSchedule(
                start: try #require(CalendarDay(start)),
                time: try #require(TimeOfDay(time)),
                clock: clock,
                recurrence: Recurrence(.daily(every: 1), end: end)
            )
        )
    }

    private func once(
        _ time: String,
        _ clock: ScheduleTimeZone = .zone("Asia/Tokyo"),
        on day: String
    ) throws -> CampaignDelivery {
        .scheduled(
            CampaignSchedule(
                start: try #require(CalendarDay(day)),
                time: try #require(TimeOfDay(time)),
                clock: clock
            )
        )
    }

    @Test("at once: everyone gets it once, and the campaign is over when its send is")
    func immediately() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            _ = try await world.users(7)
            let campaign = try await world.activate(CampaignFixture.content(.immediately))
            let sent = try await world.settle()
            #expect(Set(sent.map(\.user)).count == 7)
            #expect(sent.count == 7)
            #expect(try await world.settle().isEmpty)
            let over = try await world.read(campaign)
            #expect(over.state == .stopped)
            #expect(over.firstSentAt == world.now)
            #expect(over.lastSentAt == world.now)
        }
    }

    @Test("a month of mornings, with a restart before every look at the clock: one a day each")
    func month() async throws {
        try await CampaignFixture.run(at: "2026-03-15T00:00:00Z") { world in
            try await world.user("tokyo")
            try await world.user("berlin", zone: "Europe/Berlin")
            var content = CampaignFixture.content(
                try daily("09:00", .zone("Europe/Berlin"), from: "2026-03-16"),
                variants: ["A", "B"]
            )
            content.reeligibility = .after(20 * 3600)
            let campaign = try await world.activate(content)
            var sent: [CampaignFixture.Sent] = []
            for _ in 0..<(31 * 24) {
                sent += try await world.settle()
                world.advance(3600)
            }
            for user in ["tokyo", "berlin"] {
                let own = sent.filter { $0.user == user }
                #expect(own.count == 30)
                // The clocks change on 29 March: eight o'clock UTC before, seven after.
                let hours = own.map { Int($0.time.timeIntervalSince1970) / 3600 % 24 }
                #expect(hours == Array(repeating: 8, count: 13) + Array(repeating: 7, count: 17))
                // The variant stays the user's own.
                #expect(Set(own.map(\.text)).count == 1)
            }
            #expect(try await world.store.occurrences(of: campaign.id, limit: 100).count == 30)
        }
    }

    @Test("nine in the morning wherever the user is: three users, three moments, one send")
    func localTime() async throws {
        try await CampaignFixture.run(at: "2026-03-27T00:00:00Z") { world in
            try await world.user("tokyo")
            try await world.user("berlin", zone: "Europe/Berlin")
            try await world.user("honolulu", zone: "Pacific/Honolulu")
            _ = try await world.activate(
                CampaignFixture.content(try once("09:00", .eachUser, on: "2026-03-29"))
            )
            var times: [String: String] = [:]
            var sends: Set<SendID> = []
            for _ in 0..<96 {
                for sent in try await world.settle() {
                    #expect(times[sent.user] == nil)
                    times[sent.user] = Timestamp.format(sent.time)
                    sends.insert(sent.send)
                }
                world.advance(3600)
            }
            #expect(
                times == [
                    // The user without a zone has the workspace's.
                    "tokyo": "2026-03-29T00:00:00.000Z",
                    // The clocks were put forward that night.
                    "berlin": "2026-03-29T07:00:00.000Z",
                    "honolulu": "2026-03-29T19:00:00.000Z",
                ]
            )
            #expect(sends.count == 1)
        }
    }

    @Test("of three days that were missed one is made up for, the others say why not")
    func missed() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            try await world.user("ada")
            var content = CampaignFixture.content(try daily("10:00", from: "2026-07-04"))
            content.reeligibility = .after(0)
            let campaign = try await world.activate(content)
            try world.set("2026-07-06T02:00:00Z")
            #expect(try await world.settle().count == 1)
            let occurrences = try await world.store.occurrences(of: campaign.id, limit: 10)
            #expect(
                occurrences.map(\.key)
                    == ["2026-07-06T10:00", "2026-07-05T10:00", "2026-07-04T10:00"]
            )
            #expect(occurrences.map(\.skipReason) == [nil, "Superseded", "Superseded"])
        }
    }

    @Test("one that was missed by more than a day is over with its last day, or waits for the next")
    func missedForGood() async throws {
        let last = try #require(CalendarDay("2026-07-05"))
        for (pattern, end, reasons, next) in [
            (Recurrence.Pattern.daily(every: 1), .onDay(last), ["TooLate", "Superseded"], nil),
            (.weekly(every: 1, weekdays: [6]), .never, ["TooLate"], "2026-07-11T01:00:00Z"),
        ] as [(Recurrence.Pattern, Recurrence.End, [String], String?)] {
            try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
                try await world.user("ada")
                let schedule = CampaignSchedule(
                    start: try #require(CalendarDay("2026-07-04")),
                    time: try #require(TimeOfDay("10:00")),
                    clock: .zone("Asia/Tokyo"),
                    recurrence: Recurrence(pattern, end: end)
                )
                let campaign = try await world.activate(
                    CampaignFixture.content(.scheduled(schedule))
                )
                try world.set("2026-07-07T02:00:00Z")
                #expect(try await world.settle().isEmpty)
                let occurrences = try await world.store.occurrences(of: campaign.id, limit: 10)
                #expect(occurrences.map(\.skipReason) == reasons)
                let found = try await world.read(campaign)
                #expect(found.state == (next == nil ? .stopped : .active))
                #expect(found.nextDueAt == next.flatMap(Timestamp.parse))
                #expect(found.firstSentAt == nil && found.lastSentAt == nil)
                guard let next else { return }
                try world.set(next)
                #expect(try await world.settle().map(\.user) == ["ada"])
            }
        }
    }

    @Test("what a pause has covered is not made up for; it goes on at its next time")
    func resumedLater() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            try await world.user("ada")
            var content = CampaignFixture.content(try daily("10:00", from: "2026-07-04"))
            content.reeligibility = .after(0)
            let campaign = try await world.activate(content)
            try world.set("2026-07-04T01:00:00Z")
            #expect(try await world.settle().count == 1)
            for (moment, sent, next) in [
                ("2026-07-06T02:00:00Z", 0, "2026-07-07T01:00:00Z"),
                // Resumed as the clock strikes.
                ("2026-07-07T01:00:00Z", 1, "2026-07-08T01:00:00Z"),
            ] {
                try await world.service.take(
                    .pause,
                    with: try await world.read(campaign),
                    by: world.actor
                )
                try world.set(moment)
                #expect(try await world.settle().isEmpty)
                try await world.service.take(
                    .resume,
                    with: try await world.read(campaign),
                    by: world.actor
                )
                #expect(try await world.settle().count == sent, "\(moment)")
                #expect(try await world.read(campaign).nextDueAt == Timestamp.parse(next))
            }
        }
    }

    @Test("a winner that was to be chosen during a pause is sent to the rest when it is over")
    func resumedWinner() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let users = try await world.users(40).count
            let campaign = try await world.activate(
                CampaignFixture.content(
                    try once("10:00", on: "2026-07-04"),
                    variants: ["A", "B"]
                ) {
                    $0.conversions = [
                        ConversionEvent(event: EventMatch(.purchase(product: nil)), window: 3_600)
                    ]
                    $0.winner = WinnerRule(testShare: 50, duration: 3_600, measure: .conversions)
                }
            )
            try world.set("2026-07-04T01:00:00Z")
            let test = try await world.settle()
            #expect(!test.isEmpty && test.count < users)
            try await world.service.take(
                .pause,
                with: try await world.read(campaign),
                by: world.actor
            )
            try world.set("2026-07-04T05:00:00Z")
            #expect(try await world.settle().isEmpty)
            try await world.service.take(
                .resume,
                with: try await world.read(campaign),
                by: world.actor
            )
            let rest = try await world.settle()
            #expect(test.count + rest.count == users)
            #expect(Set((test + rest).map(\.user)).count == users)
            #expect(try await world.read(campaign).state == .stopped)
        }
    }

    @Test("a frozen audience is listed to its end, also where that is the end of a page")
    func frozenPages() async throws {
        for count in [5, 6, 7] {
            try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
                let users = try await world.users(count)
                world.audience.set(users)
                var content = CampaignFixture.content(try once("09:00", on: "2026-07-06"))
                content.audience = .matching(SegmentQuery())
                content.extraction = .whenScheduled
                _ = try await world.activate(content)
                var settings = CampaignScheduler.Settings()
                settings.chunk = 3
                let scheduler = world.scheduler(settings)
                while try await scheduler.step() {}
                world.audience.set([])
                try world.set("2026-07-06T00:00:00Z")
                #expect(try await world.settle().count == count)
            }
        }
    }

    @Test("frozen: who comes later is not added, who leaves still gets it; the other way is asked")
    func frozen() async throws {
        for extraction in RecipientTiming.allCases {
            try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
                let users = try await world.users(5)
                world.audience.set(users[0..<4])
                var content = CampaignFixture.content(try once("09:00", on: "2026-07-06"))
                content.audience = .matching(SegmentQuery())
                content.extraction = extraction
                let campaign = try await world.activate(content)
                #expect(try await world.settle().isEmpty)
                world.audience.set(users[2..<5])
                try world.set("2026-07-06T00:00:00Z")
                let sent = try await world.settle()
                let expected = extraction == .whenScheduled ? 0..<4 : 2..<5
                #expect(sent.map(\.user).sorted() == expected.map { "user-\($0)" })
                #expect(try await world.read(campaign).state == .stopped)
            }
        }
    }

    @Test("a reservation is changed until it starts, with its frozen recipients")
    func reservation() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let users = try await world.users(3)
            var content = CampaignFixture.content(try once("09:00", on: "2026-07-06"))
            content.audience = .profiles([users[0]])
            content.extraction = .whenScheduled
            var campaign = try await world.activate(content)
            try await world.settle()
            campaign = try await world.read(campaign)
            content.audience = .profiles([users[1], users[2]])
            content.delivery = try once("10:00", on: "2026-07-06")
            content.variants[0].message.common.message.body = "Changed"
            try await world.service.update(campaign, to: content, by: world.actor)
            try await world.settle()
            try world.set("2026-07-06T00:30:00Z")
            #expect(try await world.settle().isEmpty)
            try world.set("2026-07-06T01:00:00Z")
            let sent = try await world.settle()
            #expect(sent.map(\.user).sorted() == ["user-1", "user-2"])
            #expect(Set(sent.map(\.text)) == ["Changed"])
            #expect(try await world.read(campaign).state == .stopped)
        }
    }

    @Test("an edit moves a reserved send and makes no second one, also where users may have both")
    func movedOnce() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let users = try await world.users(2)
            var content = CampaignFixture.content(try once("09:00", on: "2026-07-06"))
            content.audience = .profiles(users)
            content.extraction = .whenScheduled
            content.reeligibility = .after(0)
            let campaign = try await world.activate(content)
            try await world.settle()
            for time in ["10:00", "11:00"] {
                content.delivery = try once(time, on: "2026-07-06")
                try await world.service.update(
                    try await world.read(campaign),
                    to: content,
                    by: world.actor
                )
                try await world.settle()
            }
            let sent = try await world.live(until: "2026-07-08T00:00:00Z")
            #expect(sent.map(\.user).sorted() == ["user-0", "user-1"])
            #expect(Set(sent.map(\.send)).count == 1)
        }
    }

    @Test("a draft may be written on when its time has passed; what begins needs one to come")
    func passedDraft() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            var content = CampaignFixture.content(try once("09:00", on: "2026-07-06"))
            let draft = try await world.service.create(content, by: world.actor)
            try world.set("2026-07-08T00:00:00Z")
            content.name = "Evening tea"
            try await world.service.update(draft, to: content, by: world.actor)
            let changed = try await world.read(draft)
            #expect(changed.content.name == "Evening tea")
            #expect(changed.nextDueAt == nil)
            await #expect(throws: ValidationError.self) {
                try await world.service.take(.activate, with: changed, by: world.actor)
            }
        }
    }

    @Test("recipients that cannot be told yet are listed later; those who never can stop the send")
    func unready() async throws {
        for (code, isSent) in [(AudienceError.Code.notReady, true), (.unknownSegment, false)] {
            try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
                let users = try await world.users(3)
                world.audience.set(users)
                world.audience.fail(AudienceError(code, .notHere))
                var content = CampaignFixture.content(try once("09:00", on: "2026-07-06"))
                content.audience = .matching(SegmentQuery())
                content.extraction = .whenScheduled
                let campaign = try await world.activate(content)
                try await world.settle()
                let states = try await world.store.sends(of: campaign.id, limit: 9, offset: 0)
                    .map(\.state)
                #expect(states == [isSent ? .scheduled : .cancelled])
                world.audience.fail(nil)
                try await world.settle()
                try world.set("2026-07-06T00:00:00Z")
                #expect(try await world.settle().count == (isSent ? 3 : 0))
            }
        }
    }

    @Test("a reservation on each user's clock is moved on each user's clock")
    func localReservation() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let users = try await [
                world.user("tokyo"), world.user("berlin", zone: "Europe/Berlin"),
            ]
            var content = CampaignFixture.content(try once("09:00", .eachUser, on: "2026-07-06"))
            content.audience = .profiles(users)
            content.extraction = .whenScheduled
            let campaign = try await world.activate(content)
            try await world.settle()
            content.delivery = try once("10:00", .eachUser, on: "2026-07-07")
            try await world.service.update(
                try await world.read(campaign),
                to: content,
                by: world.actor
            )
            var sent: [CampaignFixture.Sent] = []
            for time in [
                "2026-07-06T20:00:00Z", "2026-07-07T00:59:00Z", "2026-07-07T01:00:00Z",
                "2026-07-07T07:59:00Z", "2026-07-07T08:00:00Z", "2026-07-09T00:00:00Z",
            ] {
                try world.set(time)
                sent += try await world.settle()
            }
            #expect(
                Dictionary(uniqueKeysWithValues: sent.map { ($0.user, Timestamp.format($0.time)) })
                    == [
                        "tokyo": "2026-07-07T01:00:00.000Z",
                        "berlin": "2026-07-07T08:00:00.000Z",
                    ]
            )
        }
    }

    @Test("paused, nothing is launched and what waits is held; resumed, the rest is sent")
    func pause() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            try await world.user("ada", zone: "Asia/Tokyo")
            try await world.user("ben", zone: "America/New_York")
            var content = CampaignFixture.content(
                try daily("09:00", .eachUser, from: "2026-07-05")
            )
            content.reeligibility = .after(0)
            var campaign = try await world.activate(content)
            try world.set("2026-07-05T00:00:00Z")
            #expect(try await world.settle().map(\.user) == ["ada"])
            campaign = try await world.read(campaign)
            try await world.service.take(.pause, with: campaign, by: world.actor)
            try world.set("2026-07-05T14:00:00Z")
            #expect(try await world.settle().isEmpty)
            try await world.service.take(
                .resume,
                with: try await world.read(campaign),
                by: world.actor
            )
            #expect(try await world.settle().map(\.user) == ["ben"])
        }
    }

    @Test("stopped, what has not been sent never is")
    func stop() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            try await world.user("ada", zone: "Asia/Tokyo")
            try await world.user("ben", zone: "America/New_York")
            let campaign = try await world.activate(
                CampaignFixture.content(try once("09:00", .eachUser, on: "2026-07-05"))
            )
            try world.set("2026-07-05T00:00:00Z")
            #expect(try await world.settle().map(\.user) == ["ada"])
            try await world.service.take(
                .stop,
                with: try await world.read(campaign),
                by: world.actor
            )
            try world.set("2026-07-06T00:00:00Z")
            #expect(try await world.settle().isEmpty)
            let send = try #require(
                try await world.store.sends(of: campaign.id, limit: 1, offset: 0).first
            )
            #expect(send.state == .cancelled)
            let counts = try await world.store.counts(of: [send.id])[send.id]
            #expect(counts?.states == [.accepted: 1, .skipped: 1])
        }
    }

    @Test("launches to come are those before a moment, no more than are asked for")
    func occurrences() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let content = CampaignFixture.content(try daily("09:00", from: "2026-07-05"))
            func days(before end: String, limit: Int = 9) throws -> [String] {
                let end = try #require(Timestamp.parse(end))
                return world.service.occurrences(of: content, before: end, limit: limit)
                    .map { Timestamp.format($0.launchAt) }
            }
            let first = ["2026-07-05T00:00:00.000Z", "2026-07-06T00:00:00.000Z"]
            #expect(try days(before: "2026-07-07T00:00:00Z") == first)
            #expect(try days(before: "2026-07-07T00:00:01Z").count == 3)
            #expect(try days(before: "2026-08-07T00:00:00Z", limit: 2) == first)
            #expect(world.service.nextRuns(of: content, limit: 2).map(Timestamp.format) == first)
        }
    }

    @Test("a batch that was read before a pause is not planned after it")
    func staleBatch() async throws {
        try await CampaignFixture.run(at: "2026-07-04T12:00:00Z") { world in
            _ = try await world.users(2)
            let campaign = try await world.activate(CampaignFixture.content(.immediately))
            _ = try await world.scheduler.step()
            let send = try #require(
                try await world.store.startPlanningDueSends(now: world.now).first
            )
            try await world.service.take(.pause, with: world.read(campaign), by: world.actor)
            let result = try await world.planner.planNextBatch(of: send, limit: 9)
            #expect(result.added == 0 && !result.isComplete)
        }
    }

    @Test("a time that has passed for everybody is refused with the field")
    func passed() async throws {
        try await CampaignFixture.run(at: "2026-07-04T12:00:00Z") { world in
            let campaign = try await world.service.create(
                CampaignFixture.content(try once("09:00", on: "2026-07-04")),
                by: world.actor
            )
            let problems = await #expect(throws: ValidationError.self) {
                try await world.service.take(.activate, with: campaign, by: world.actor)
            }
            #expect(problems?.problems.map(\.field) == ["delivery.start"])
        }
    }

    @Test("a campaign with a limit sends no more in any minute, whoever takes its rows")
    func rate() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            _ = try await world.users(40)
            _ = try await world.activate(
                CampaignFixture.content(.immediately) { $0.messagesPerMinute = 30 }
            )
            var times: [Date] = []
            for _ in 0..<120 {
                times += try await world.settle().map(\.time)
                world.advance(1)
            }
            #expect(times.count == 40)
            // Half a push a second; what two seconds bring may come at once.
            let first = try #require(times.first)
            #expect(times.count { $0 < first.addingTimeInterval(60) } <= 31)
            #expect(try #require(times.last).timeIntervalSince(first) >= 76)
        }
    }

    @Test("a content block that is not there is refused when a campaign is saved, with the field")
    func contentBlocks() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            var content = CampaignFixture.content(.immediately, variants: ["A", "B"])
            content.variants[1].message.android = PlatformMessage(
                PushMessage(title: "{{content_blocks.${greeting}}}", body: "Hi")
            )
            let problems = await #expect(throws: ValidationError.self) {
                try await world.service.create(content, by: world.actor)
            }
            #expect(problems?.problems.map(\.field) == ["variants.1.android.title"])
            var campaign = try await world.service.create(
                CampaignFixture.content(.immediately),
                by: world.actor
            )
            await #expect(throws: ValidationError.self) {
                try await world.service.update(campaign, to: content, by: world.actor)
            }
            campaign = try await world.read(campaign)
            #expect(campaign.content.variants.count == 1)
        }
    }
}
