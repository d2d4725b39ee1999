import Campaigns
import Foundation
import Model
import NoroshiWire
import Testing

@Suite("A campaign is checked when it is saved")
struct CampaignValidatorTests {
    /// The fields at fault after `change` to a campaign that is right.
    private func fields(
        _ delivery: CampaignDelivery = .immediately,
        _ change: (inout CampaignContent) -> Void
    ) -> [String] {
        var content = CampaignFixture.content(delivery, variants: ["A", "B"])
        change(&content)
        do {
            try CampaignValidator.check(content)
            return []
        } catch {
            return error.problems.map(\.field)
        }
    }

    private func schedule(
        _ pattern: Recurrence.Pattern,
        end: Recurrence.End = .never,
        zone: String = "Asia/Tokyo"
    ) throws -> CampaignDelivery {
        .scheduled(
            CampaignSchedule(
                start: try #require(CalendarDay("2026-02-01")),
                time: try #require(TimeOfDay("09:00")),
                clock: .zone(zone),
                recurrence: Recurrence(pattern, end: end)
            )
        )
    }

    @Test("one that is right is taken")
    func right() throws {
        #expect(fields { _ in } == [])
        #expect(fields(try schedule(.monthly(every: 1, days: [-1]))) { _ in } == [])
    }

    @Test("texts are Liquid, of every variant and platform, and are named by their place")
    func texts() {
        #expect(
            fields {
                $0.variants[1].message.common.message.body = "{{ a"
                $0.variants[0].message.web = PlatformMessage(
                    PushMessage(title: "{% if %}", body: "b")
                )
            }.sorted() == ["variants.0.web.title", "variants.1.message.body"]
        )
    }

    @Test("what a tap opens has a scheme that an app can open, or a template in its place")
    func addresses() {
        func fields(_ address: String) -> [String] {
            self.fields { content in
                var message = content.variants[0].message.common.message
                message.uri = address
                message.buttons = [
                    PushButton(actionID: "no", title: "No"),
                    PushButton(actionID: "yes", title: "Yes", uri: address),
                ]
                content.variants[0].message.common.message = message
            }
        }
        #expect(fields("myapp://tea") == [])
        #expect(fields("{{ link }}") == [])
        #expect(fields("") == [])
        for address in ["example.com", "javascript:alert(1)"] {
            #expect(
                fields(address)
                    == ["variants.0.message.uri", "variants.0.message.buttons.1.uri"]
            )
        }
    }

    @Test("a story has three to ten pages with pictures, a category of its own, and Liquid")
    func stories() {
        func fields(
            _ pages: Int,
            _ change: (inout PushMessage) -> Void = { _ in }
        ) -> [String] {
            self.fields { content in
                var message = content.variants[1].message.common.message
                message.story = (0..<pages).map {
                    StoryPage(image: "https://example.com/\($0).png")
                }
                change(&message)
                content.variants[1].message.common.message = message
            }
        }
        let place = "variants.1.message.push_story"
        for (count, isRight) in [(0, false), (2, false), (3, true), (10, true), (11, false)] {
            #expect(fields(count) == (isRight ? [] : [place]))
        }
        #expect(
            fields(3) { $0.story?[1].image = "http://example.com/a.png" } == [
                place + ".1.image_url"
            ]
        )
        #expect(fields(3) { $0.story?[1].image = "" } == [place + ".1.image_url"])
        #expect(fields(3) { $0.story?[1].image = "{{${first_name}}}" } == [])
        #expect(fields(3) { $0.story?[2].title = "{{ a" } == [place + ".2.title"])
        #expect(fields(3) { $0.story?[2].uri = "tea://{% if %}" } == [place + ".2.uri"])
        #expect(fields(3) { $0.category = "teahouse_reply" } == [place])
        #expect(fields(3) { $0.category = "noroshi_story" } == [])
        #expect(fields(3) { $0.isSilent = true } == [place])
    }

    @Test("names, weights, shares and numbers have limits")
    func limits() {
        #expect(fields { $0.name = "" } == ["name"])
        #expect(fields { $0.variants = [] } == ["variants"])
        #expect(
            fields { $0.variants = (0..<9).map { CampaignFixture.variant("\($0)") } } == [
                "variants"
            ]
        )
        #expect(
            fields { content in
                for index in content.variants.indices { content.variants[index].weight = 0 }
            } == ["variants"]
        )
        #expect(fields { $0.variants[1].apiID = $0.variants[0].apiID } == ["variants"])
        #expect(fields { $0.controlShare = 100 } == ["control_share"])
        #expect(fields { $0.messagesPerMinute = 0 } == ["messages_per_minute"])
        #expect(fields { $0.audience = .profiles([]) } == ["audience"])
        let event = ConversionEvent(event: EventMatch(.sessionStart))
        #expect(
            fields { $0.conversions = Array(repeating: event, count: 5) } == ["conversions"]
        )
        #expect(
            fields { $0.conversions = [ConversionEvent(event: event.event, window: 31 * 86_400)] }
                == ["conversions.0.window"]
        )
    }

    @Test("a schedule has a zone that exists and days that come")
    func schedules() throws {
        #expect(
            fields(try schedule(.daily(every: 1), zone: "Mars/Olympus")) { _ in }
                == ["delivery.zone"]
        )
        #expect(fields(try schedule(.daily(every: 0))) { _ in } == ["delivery.every"])
        #expect(
            fields(try schedule(.weekly(every: 1, weekdays: [0, 8]))) { _ in }
                == ["delivery.weekdays"]
        )
        // Every year in February.
        #expect(fields(try schedule(.monthly(every: 12, days: [30]))) { _ in } == ["delivery"])
        let early = try #require(CalendarDay("2026-01-31"))
        #expect(
            fields(try schedule(.daily(every: 1), end: .onDay(early))) { _ in }
                .contains("delivery.end")
        )
    }

    @Test("what does not go together is refused")
    func combinations() throws {
        let event = EventMatch(.custom(name: "brewed"))
        #expect(
            fields(.actionBased(EventTrigger(event: event, exception: event))) { _ in }
                == ["delivery.exception"]
        )
        #expect(fields { $0.extraction = .whenScheduled } == ["extraction"])
        #expect(
            fields(try schedule(.daily(every: 1))) { $0.extraction = .whenScheduled } == [
                "extraction"
            ]
        )
        let winner = WinnerRule(testShare: 20, duration: 3600)
        #expect(fields { $0.winner = winner } == [])
        // It is found where all get their message once, at the same moment.
        let once = CampaignSchedule(
            start: try #require(CalendarDay("2026-02-01")),
            time: try #require(TimeOfDay("09:00")),
            clock: .zone("Asia/Tokyo"),
            recurrence: nil
        )
        #expect(fields(.scheduled(once)) { $0.winner = winner } == [])
        var byUser = once
        byUser.clock = .eachUser
        #expect(fields(.scheduled(byUser)) { $0.winner = winner } == ["winner"])
        #expect(
            fields(.scheduled(once)) {
                $0.winner = winner
                $0.extraction = .whenScheduled
            } == ["winner"]
        )
        #expect(
            fields(.actionBased(EventTrigger(event: event))) { $0.winner = winner } == ["winner"]
        )
        #expect(fields(try schedule(.daily(every: 1))) { $0.winner = winner } == ["winner"])
        #expect(
            fields { $0.winner = WinnerRule(testShare: 20, duration: 60, measure: .conversions) }
                == ["winner.measure"]
        )
    }

    @Test("a content block of a file has as many labels as one that is written by hand")
    func labels() {
        func fields(_ count: Int) -> [String] {
            let block = ContentBlock(
                id: UUID(),
                workspace: WorkspaceID(1),
                name: "hours",
                content: "8",
                tags: (0..<count).map { "t\($0)" },
                createdAt: Date(timeIntervalSince1970: 0),
                updatedAt: Date(timeIntervalSince1970: 0)
            )
            return WrittenContentCheck(blocks: [block], catalogs: []).problems(of: block)
                .map(\.field)
        }
        #expect(fields(ContentBlockValidator.tagLimit) == [])
        #expect(fields(ContentBlockValidator.tagLimit + 1) == ["tags"])
    }

    @Test("a property that is null is not there")
    func null() {
        #expect(!PropertyCondition("size", .exists).holds(for: .null))
        #expect(PropertyCondition("size", .doesNotExist).holds(for: .null))
    }

    // MARK: The ends of limits

    private func checked(_ limits: MessagingLimits) -> [String] {
        do {
            try CampaignValidator.check(limits)
            return []
        } catch {
            return error.problems.map(\.field)
        }
    }

    @Test("caps have a message at least and 1 to 30 days, and there are at most ten")
    func caps() throws {
        func cap(_ messages: Int, _ days: Int) -> [String] {
            checked(MessagingLimits(caps: [FrequencyCap(messages: messages, days: days)]))
        }
        #expect(cap(1, 1) == [] && cap(1, 30) == [])
        #expect(cap(0, 1) == ["caps.0.messages"])
        #expect(cap(1, 0) == ["caps.0.days"] && cap(1, 31) == ["caps.0.days"])
        let cap = FrequencyCap(messages: 1, days: 1)
        #expect(checked(MessagingLimits(caps: Array(repeating: cap, count: 10))) == [])
        #expect(checked(MessagingLimits(caps: Array(repeating: cap, count: 11))) == ["caps"])
        let nine = try #require(TimeOfDay("09:00"))
        let later = try #require(TimeOfDay("09:01"))
        let quiet = { MessagingLimits(quietHours: QuietHours(start: nine, end: $0)) }
        #expect(checked(quiet(nine)) == ["quiet_hours.end"])
        #expect(checked(quiet(later)) == [])
    }

    @Test("each number of a campaign may have the last value of its limit, and not the next")
    func ends() {
        #expect(fields { $0.name = String(repeating: "茶", count: 250) } == [])
        #expect(fields { $0.name = String(repeating: "茶", count: 251) } == ["name"])
        #expect(fields { $0.tags = Array(repeating: "a", count: 50) } == [])
        #expect(fields { $0.tags = Array(repeating: "a", count: 51) } == ["tags"])
        #expect(fields { $0.tags = ["a", ""] } == ["tags"])
        #expect(
            fields { $0.variants = (0..<8).map { CampaignFixture.variant("\($0)") } } == []
        )
        for (weight, isTaken) in [(-1, false), (0, true), (1_000, true), (1_001, false)] {
            #expect(
                fields { $0.variants[1].weight = weight }
                    == (isTaken ? [] : ["variants.1.weight"]),
                "\(weight)"
            )
        }
        #expect(fields { $0.variants[1].name = "" } == ["variants.1.name"])
        for (share, isTaken) in [(-1, false), (0, true), (99, true), (100, false)] {
            #expect(fields { $0.controlShare = share } == (isTaken ? [] : ["control_share"]))
        }
        for (rate, isTaken) in [(0, false), (1, true), (500_000, true), (500_001, false)] {
            #expect(
                fields { $0.messagesPerMinute = rate } == (isTaken ? [] : ["messages_per_minute"])
            )
        }
        let year = 366 * 86_400.0
        for (pause, isTaken) in [(-1, false), (0, true), (year, true), (year + 1, false)] {
            #expect(
                fields { $0.reeligibility = .after(pause) } == (isTaken ? [] : ["reeligibility"])
            )
        }
        let event = EventMatch(.sessionStart)
        let month = 30 * 86_400.0
        for (window, isTaken) in [(59.9, false), (60, true), (month, true), (month + 1, false)] {
            #expect(
                fields { $0.conversions = [ConversionEvent(event: event, window: window)] }
                    == (isTaken ? [] : ["conversions.0.window"])
            )
        }
        let conversions = Array(repeating: ConversionEvent(event: event), count: 4)
        #expect(fields { $0.conversions = conversions } == [])
        let second = ConversionEvent(event: EventMatch(.purchase(product: "")))
        #expect(
            fields { $0.conversions = [conversions[0], second] } == ["conversions.1.event"]
        )
    }

    @Test("a winner is found among two at least, by 1 to 99 per cent, within a minute to a week")
    func winners() {
        func winner(_ share: Int, _ duration: TimeInterval) -> [String] {
            fields { $0.winner = WinnerRule(testShare: share, duration: duration) }
        }
        let week = 7 * 86_400.0
        #expect(winner(1, 60) == [] && winner(99, week) == [])
        #expect(winner(0, 60) == ["winner.test_share"] && winner(100, 60) == ["winner.test_share"])
        #expect(
            winner(1, 59.9) == ["winner.duration"] && winner(1, week + 1) == ["winner.duration"]
        )
        #expect(
            fields {
                $0.winner = WinnerRule(testShare: 20, duration: 60)
                $0.variants = [$0.variants[0]]
            } == ["winner"]
        )
    }

    @Test("each number of a schedule may have the last value of its limit, and not the next")
    func scheduleEnds() throws {
        func delivery(_ pattern: Recurrence.Pattern) throws -> [String] {
            fields(try schedule(pattern)) { _ in }
        }
        #expect(try delivery(.daily(every: 365)) == [])
        #expect(try delivery(.daily(every: 366)) == ["delivery.every"])
        #expect(try delivery(.weekly(every: 52, weekdays: [1, 7])) == [])
        #expect(try delivery(.weekly(every: 53, weekdays: [1])) == ["delivery.every"])
        #expect(try delivery(.weekly(every: 0, weekdays: [1])) == ["delivery.every"])
        for weekdays in [[], [0], [8], [1, 8]] as [Set<Int>] {
            #expect(try delivery(.weekly(every: 1, weekdays: weekdays)) == ["delivery.weekdays"])
        }
        #expect(try delivery(.monthly(every: 12, days: [1, 31, -1])) == [])
        #expect(try delivery(.monthly(every: 13, days: [1])) == ["delivery.every"])
        #expect(try delivery(.monthly(every: 0, days: [1])) == ["delivery.every"])
        for days in [[], [0], [32], [-2], [1, 32]] as [Set<Int>] {
            #expect(try delivery(.monthly(every: 1, days: days)) == ["delivery.days"])
        }
        for (count, isTaken) in [(0, false), (1, true), (10_000, true), (10_001, false)] {
            #expect(
                fields(try schedule(.daily(every: 1), end: .afterCount(count))) { _ in }
                    == (isTaken ? [] : ["delivery.end"])
            )
        }
        let first = try #require(CalendarDay("2026-02-01"))
        #expect(fields(try schedule(.daily(every: 1), end: .onDay(first))) { _ in } == [])
    }

    @Test(
        "a trigger waits up to 30 days, ends after it starts, and waits where it may be called off"
    )
    func triggers() {
        let event = EventMatch(.custom(name: String(repeating: "a", count: 255)))
        func trigger(_ change: (inout EventTrigger) -> Void) -> [String] {
            var trigger = EventTrigger(event: event)
            change(&trigger)
            return fields(.actionBased(trigger)) { _ in }
        }
        let month = 30 * 86_400.0
        #expect(trigger { $0.delay = month } == [])
        #expect(trigger { $0.delay = month + 1 } == ["delivery.delay"])
        #expect(trigger { $0.delay = -1 } == ["delivery.delay"])
        let long = EventMatch(.custom(name: String(repeating: "a", count: 256)))
        #expect(trigger { $0.event = long } == ["delivery.event"])
        #expect(trigger { $0.event = EventMatch(.custom(name: "")) } == ["delivery.event"])
        #expect(
            trigger {
                $0.exception = event
                $0.delay = 1
            } == []
        )
        let start = Date(timeIntervalSince1970: 1_790_000_000)
        for (seconds, isTaken) in [(-1.0, false), (0, false), (1, true)] {
            #expect(
                trigger {
                    $0.start = start
                    $0.end = start.addingTimeInterval(seconds)
                } == (isTaken ? [] : ["delivery.end"])
            )
        }
    }

    @Test("each part of a push may have the last value of its limit, and not the next")
    func pushes() {
        func push(_ change: (inout PlatformMessage) -> Void) -> [String] {
            fields { change(&$0.variants[0].message.common) }
        }
        func pairs(_ count: Int) -> [String: String] {
            Dictionary(uniqueKeysWithValues: (0..<count).map { ("key\($0)", "") })
        }
        #expect(push { $0.message.keyValuePairs = pairs(50) } == [])
        #expect(
            push { $0.message.keyValuePairs = pairs(51) }
                == ["variants.0.message.key_value_pairs"]
        )
        #expect(
            push { $0.message.keyValuePairs = ["": "a"] }
                == ["variants.0.message.key_value_pairs"]
        )
        for (badge, isTaken) in [(-1, false), (0, true), (99_999, true), (100_000, false)] {
            #expect(
                push { $0.message.badge = .set(badge) }
                    == (isTaken ? [] : ["variants.0.message.badge"])
            )
        }
        for (score, isTaken) in [(-0.01, false), (0.0, true), (1, true), (1.01, false)] {
            #expect(
                push { $0.message.relevanceScore = score }
                    == (isTaken ? [] : ["variants.0.message.relevance_score"])
            )
        }
        for (count, isTaken) in [(64, true), (65, false)] {
            #expect(
                push { $0.options.collapseID = String(repeating: "a", count: count) }
                    == (isTaken ? [] : ["variants.0.message.collapse_id"])
            )
        }
        let button = PushButton(actionID: "a", title: "Tea")
        for (count, isTaken) in [(4, true), (5, false)] {
            #expect(
                push { $0.message.buttons = Array(repeating: button, count: count) }
                    == (isTaken ? [] : ["variants.0.message.buttons"])
            )
        }
        #expect(
            push {
                $0.message.body = ""
                $0.message.title = "Only a title"
            } == []
        )
        #expect(push { $0.message.body = "" } == ["variants.0.message.body"])
    }
}
