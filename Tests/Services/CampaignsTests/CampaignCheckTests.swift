import Campaigns
import Foundation
import Model
import NoroshiWire
import Testing

@Suite("A campaign is checked when it is saved")
struct CampaignCheckTests {
    /// The fields at fault after `change` to a campaign that is right.
    private func fields(
        _ delivery: CampaignDelivery = .immediately,
        _ change: (inout CampaignContent) -> Void
    ) -> [String] {
        var content = CampaignWorld.content(delivery, variants: ["A", "B"])
        change(&content)
        do {
            try CampaignCheck.check(content)
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

    @Test("names, weights, shares and numbers have limits")
    func limits() {
        #expect(fields { $0.name = "" } == ["name"])
        #expect(fields { $0.variants = [] } == ["variants"])
        #expect(
            fields { $0.variants = (0..<9).map { CampaignWorld.variant("\($0)") } } == ["variants"]
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
            fields(.actionBased(ActionTrigger(event: event, exception: event))) { _ in }
                == ["delivery.exception"]
        )
        #expect(fields { $0.extraction = .frozen } == ["extraction"])
        #expect(
            fields(try schedule(.daily(every: 1))) { $0.extraction = .frozen } == ["extraction"]
        )
        let winner = WinnerRule(testShare: 20, duration: 3600)
        #expect(fields { $0.winner = winner } == [])
        #expect(fields(try schedule(.daily(every: 1))) { $0.winner = winner } == ["winner"])
        #expect(
            fields { $0.winner = WinnerRule(testShare: 20, duration: 60, measure: .conversions) }
                == ["winner.measure"]
        )
    }

    @Test("a property that is null is not there")
    func null() {
        #expect(!PropertyCondition("size", .exists).holds(for: .null))
        #expect(PropertyCondition("size", .doesNotExist).holds(for: .null))
    }
}
