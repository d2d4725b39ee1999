import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import Testing

/// Campaigns that wait for events, and what they bring about.
@Suite("Campaigns by events")
struct TriggeredCampaignTests {
    private func trigger(
        _ event: EventMatch,
        delay: TimeInterval = 0,
        exception: EventMatch? = nil
    ) -> CampaignDelivery {
        .actionBased(EventTrigger(event: event, delay: delay, exception: exception))
    }

    @Test("an event sends its user the message, with its properties; others do not")
    func event() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            try await world.user("ada")
            try await world.user("ben")
            let match = EventMatch(
                .custom(name: "brewed"),
                conditions: [PropertyCondition("grams", .greaterThan, 5)]
            )
            _ = try await world.activate(CampaignFixture.content(trigger(match)))
            try await world.event("brewed", by: "ada", ["grams": 6, "tea": "sencha"])
            try await world.event("brewed", by: "ben", ["grams": 5])
            try await world.event("poured", by: "ben", ["grams": 9])
            let sent = try await world.settle()
            #expect(sent.map(\.user) == ["ada"])
            #expect(sent.first?.properties.event["tea"] == "sencha")
            #expect(try await world.settle().isEmpty)
        }
    }

    @Test("what happened before the campaign began triggers nothing")
    func before() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            try await world.user("ada")
            try await world.event("brewed", by: "ada")
            _ = try await world.activate(
                CampaignFixture.content(trigger(EventMatch(.custom(name: "brewed"))))
            )
            // Came late from a phone that was offline.
            try await world.event("brewed", by: "ada", at: world.now.addingTimeInterval(-60))
            #expect(try await world.settle().isEmpty)
        }
    }

    @Test("after the delay, unless the user has done the other thing by then")
    func exception() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            for user in ["ada", "ben", "cas"] { try await world.user(user) }
            let campaign = try await world.activate(
                CampaignFixture.content(
                    trigger(
                        EventMatch(.custom(name: "cart")),
                        delay: 3600,
                        exception: EventMatch(.purchase(product: nil))
                    )
                )
            )
            for user in ["ada", "ben", "cas"] { try await world.event("cart", by: user) }
            #expect(try await world.settle().isEmpty)
            #expect(try await world.store.pendingTriggerCount(of: campaign.id) == 3)
            world.advance(1800)
            try await world.event("$purchase", by: "ben", ["product_id": "tea"])
            // Bought before, told late: that is no reason to keep quiet.
            try await world.event(
                "$purchase",
                by: "cas",
                ["product_id": "tea"],
                at: world.now.addingTimeInterval(-3600)
            )
            #expect(try await world.settle().isEmpty)
            world.advance(1800)
            #expect(try await world.settle().map(\.user).sorted() == ["ada", "cas"])
        }
    }

    @Test("what could not be answered for a day is answered late; for a moment more, no longer")
    func late() async throws {
        for (lateness, expected) in [(86_400, ["ada"]), (86_400.001, [])] as [(Double, [String])] {
            try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
                try await world.user("ada")
                let campaign = try await world.activate(
                    CampaignFixture.content(
                        trigger(EventMatch(.custom(name: "brewed")), delay: 3_600)
                    )
                )
                try await world.event("brewed", by: "ada")
                #expect(try await world.settle().isEmpty)
                world.advance(3_600 + lateness)
                #expect(try await world.settle().map(\.user) == expected, "\(lateness)")
                #expect(try await world.store.pendingTriggerCount(of: campaign.id) == 0)
                let reasons = try await world.store.occurrences(of: campaign.id, limit: 10)
                    .compactMap(\.skipReason)
                #expect(reasons == (expected.isEmpty ? ["TooLate"] : []))
            }
        }
    }

    @Test("again only as the rule for it says: never, or after a pause")
    func again() async throws {
        let rules: [(Reeligibility, Int)] = [(.never, 1), (.after(3600), 2), (.after(0), 4)]
        for (rule, expected) in rules {
            try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
                try await world.user("ada")
                var content = CampaignFixture.content(
                    trigger(EventMatch(.custom(name: "brewed")))
                )
                content.reeligibility = rule
                _ = try await world.activate(content)
                var count = 0
                for _ in 0..<4 {
                    try await world.event("brewed", by: "ada")
                    count += try await world.settle().count
                    world.advance(1200)
                }
                #expect(count == expected)
            }
        }
    }

    @Test("whoever does it twice at once gets two messages, one after the other")
    func twice() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            try await world.user("ada")
            var content = CampaignFixture.content(trigger(EventMatch(.custom(name: "brewed"))))
            content.reeligibility = .after(0)
            _ = try await world.activate(content)
            try await world.event("brewed", by: "ada", ["cup": 1])
            try await world.event("brewed", by: "ada", ["cup": 2])
            let sent = try await world.settle()
            #expect(sent.map { $0.properties.event["cup"] } == [1, 2])
        }
    }

    @Test("two servers that read the same events send once")
    func twoReaders() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            for number in 0..<20 { try await world.user("user-\(number)") }
            var content = CampaignFixture.content(trigger(EventMatch(.custom(name: "brewed"))))
            content.reeligibility = .after(0)
            _ = try await world.activate(content)
            for number in 0..<20 { try await world.event("brewed", by: "user-\(number)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let scheduler = world.scheduler
                        while try await scheduler.step() {}
                    }
                }
                try await group.waitForAll()
            }
            let sent = try await world.settle()
            #expect(sent.count == 20)
            #expect(Set(sent.map(\.user)).count == 20)
        }
    }

    @Test("users who are not in the campaign's segment get nothing, and are counted")
    func segment() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let users = try await world.users(4)
            world.audience.set([users[1], users[3]])
            var content = CampaignFixture.content(trigger(EventMatch(.custom(name: "brewed"))))
            content.audience = .matching(SegmentQuery())
            let campaign = try await world.activate(content)
            for number in 0..<4 { try await world.event("brewed", by: "user-\(number)") }
            #expect(try await world.settle().map(\.user).sorted() == ["user-1", "user-3"])
            let send = try #require(
                try await world.store.sends(of: campaign.id, limit: 1, offset: 0).first
            )
            #expect(try await world.store.exclusions(of: send.id) == ["NotInAudience": 2])
        }
    }

    @Test("the newest events' numbers are given again after a deletion, and none is passed over")
    func deletion() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let ada = try await world.user("ada")
            try await world.user("ben")
            var content = CampaignFixture.content(trigger(EventMatch(.custom(name: "brewed"))))
            content.reeligibility = .after(0)
            _ = try await world.activate(content)
            for _ in 0..<3 { try await world.event("brewed", by: "ada") }
            #expect(try await world.settle().count == 3)
            _ = try await world.store.deleteUsers(
                [ada],
                in: world.workspace,
                noting: nil,
                now: world.now
            )
            try await world.event("brewed", by: "ben")
            #expect(try await world.settle().map(\.user) == ["ben"])
        }
    }

    @Test("conversions are counted once for each message, within the window, by variant")
    func conversions() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            _ = try await world.users(30)
            var content = CampaignFixture.content(.immediately, variants: ["A", "B"])
            content.controlShare = 30
            content.conversions = [
                ConversionEvent(event: EventMatch(.purchase(product: "tea")), window: 3600),
                ConversionEvent(event: EventMatch(.custom(name: "visited")), window: 60),
            ]
            let campaign = try await world.activate(content)
            // Before the message: no conversion.
            let early = world.now.addingTimeInterval(-60)
            try await world.event("$purchase", by: "user-0", ["product_id": "tea"], at: early)
            world.advance(1)
            let sent = try await world.settle()
            world.advance(1800)
            for number in 0..<10 {
                for _ in 0..<2 {
                    try await world.event(
                        "$purchase",
                        by: "user-\(number)",
                        ["product_id": "tea", "price": 2.5, "quantity": 2]
                    )
                }
                try await world.event("visited", by: "user-\(number)")
                try await world.event("$purchase", by: "user-1\(number)", ["product_id": "cup"])
            }
            world.advance(1801)
            try await world.event("$purchase", by: "user-20", ["product_id": "tea"])
            let reports = CampaignReports(store: world.store)
            let figures = try await reports.figures(of: campaign)
            let reached = Set(sent.map(\.user))
            let buyers = (0..<10).filter { reached.contains("user-\($0)") }.count
            let converted = figures.conversions[0]
            #expect(converted.count == 10)
            #expect(converted.filter { $0.variant != nil }.count == buyers)
            #expect(converted.allSatisfy { $0.revenue == 5 })
            #expect(figures.conversions[1].isEmpty)
            #expect(figures.uniqueRecipients == sent.count)
            let day = try #require(
                try await reports.series(of: campaign, days: 3, endingAt: world.now).last
            )
            #expect(day.uniqueRecipients == sent.count)
            #expect(day.variants.map(\.sent).reduce(0, +) == sent.count)
            #expect(day.conversions == [buyers, 0])
            #expect(day.revenue == Double(buyers) * 5)
        }
    }
}
