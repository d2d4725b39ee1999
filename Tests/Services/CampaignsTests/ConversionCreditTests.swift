import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import Testing

@Suite("Whom a conversion is credited to")
struct ConversionCreditTests {
    private func content(_ change: (inout CampaignContent) -> Void = { _ in }) -> CampaignContent {
        CampaignFixture.content(.apiTriggered) {
            $0.reeligibility = .after(0)
            $0.conversions = [
                ConversionEvent(event: EventMatch(.purchase(product: nil)), window: 3600)
            ]
            change(&$0)
        }
    }

    private func trigger(
        _ campaign: Campaign,
        _ user: ProfileID,
        _ world: CampaignFixture
    ) async throws -> SendID {
        _ = try await world.service.trigger(
            campaign,
            CampaignTriggerRequest(audience: .profiles([user])),
            by: world.actor
        )
        let send = try #require(try await world.settle().first).send
        world.advance(600)
        return send
    }

    private func buy(_ price: Double, _ world: CampaignFixture) async throws {
        try await world.event(
            "$purchase",
            by: "ada",
            ["product_id": "tea", "price": .number(price), "quantity": 1]
        )
    }

    @Test("one purchase is one conversion of the latest message, however many there were")
    func latest() async throws {
        try await CampaignFixture.run(at: "2027-10-30T22:00:00Z") { world in
            let ada = try await world.user("ada")
            let campaign = try await world.activate(content())
            _ = try await trigger(campaign, ada, world)
            let second = try await trigger(campaign, ada, world)
            try await buy(1000, world)
            world.advance(1)
            let third = try await trigger(campaign, ada, world)
            try await buy(70, world)
            // Of the same message: a message has one conversion, and no earlier one gets it.
            try await buy(5, world)
            let reports = CampaignReports(store: world.store)
            let found = try await reports.figures(of: campaign).conversions[0]
            #expect(found.map(\.send) == [second, third])
            #expect(found.map(\.revenue) == [1000, 70])
            let day = try #require(
                try await reports.series(of: campaign, days: 2, endingAt: world.now).last
            )
            #expect(day.conversions == [2])
            #expect(day.revenue == 1070)
        }
    }

    @Test("asked of one request, messages of others and without a request's name are left out")
    func ofRequest() async throws {
        try await CampaignFixture.run(at: "2027-10-30T22:00:00Z") { world in
            let ada = try await world.user("ada")
            let campaign = try await world.activate(content())
            var sends: [SendID] = []
            for tracking in ["morning", nil, "evening"] {
                var trigger = CampaignTriggerRequest(audience: .profiles([ada]))
                trigger.trackingID = tracking
                _ = try await world.service.trigger(campaign, trigger, by: world.actor)
                sends.append(try #require(try await world.settle().first).send)
                world.advance(60)
                try await buy(5, world)
                world.advance(60)
            }
            let reports = CampaignReports(store: world.store)
            for (tracking, expected) in [
                (nil, sends), ("morning", [sends[0]]), ("evening", [sends[2]]), ("night", []),
            ] as [(String?, [SendID])] {
                let figures = try await reports.figures(of: campaign, trackingID: tracking)
                #expect(figures.conversions[0].map(\.send) == expected, "\(tracking ?? "all")")
            }
        }
    }

    @Test("who got a message is not counted in the control group, whichever way a merge goes")
    func mergedControl() async throws {
        for isKept in [true, false] {
            try await CampaignFixture.run(at: "2027-10-30T22:00:00Z") { world in
                let users = try await world.users(60)
                let campaign = try await world.activate(content { $0.controlShare = 50 })
                _ = try await world.service.trigger(
                    campaign,
                    CampaignTriggerRequest(audience: .profiles(users)),
                    by: world.actor
                )
                let got = try #require(try await world.settle().first).user
                let before = try await world.store.controlGroupUsers(of: campaign.id)
                let other = try await controlMember(of: 60, world)
                let (source, target) = isKept ? (other, got) : (got, other)
                let merged = try await world.store.apply(
                    [.merge(.external(source), into: .external(target))],
                    in: world.workspace,
                    now: world.now
                )
                #expect(merged == [.done])
                world.advance(60)
                try await world.event("$purchase", by: target, ["price": 5, "quantity": 1])
                let reports = CampaignReports(store: world.store)
                let found = try await reports.figures(of: campaign).conversions[0]
                #expect(found.map(\.variant) == [0])
                #expect(try await world.store.controlGroupUsers(of: campaign.id) == before - 1)
            }
        }
    }

    /// The first of so many users who is in the control group.
    private func controlMember(of count: Int, _ world: CampaignFixture) async throws -> String {
        var found: String?
        for name in (0..<count).map({ "user-\($0)" }) where found == nil {
            let user = try await world.store.profile(.external(name), in: world.workspace)
            let id = try #require(user).id
            let rows = try await world.store.rows(of: id)["campaign_entries"] ?? []
            if rows.contains(where: { $0["is_control"]?.integerValue == 1 }) { found = name }
        }
        return try #require(found)
    }

    @Test("who was sent a message that was refused is not in the control group, however merged")
    func mergedRefused() async throws {
        let answer = DispatchUpdate.Change.rejected(reason: "BadDeviceToken", retiresToken: false)
        for isKept in [true, false] {
            try await CampaignFixture.run(at: "2027-03-27T22:00:00Z") { world in
                let users = try await world.users(40)
                let campaign = try await world.activate(content { $0.controlShare = 50 })
                _ = try await world.service.trigger(
                    campaign,
                    CampaignTriggerRequest(audience: .profiles(users)),
                    by: world.actor
                )
                let refused = try #require(try await world.settle(answer).first)
                let control = try await controlMember(of: 40, world)
                let before = try await world.store.controlGroupUsers(of: campaign.id)
                let (source, target) =
                    isKept ? (control, refused.user) : (refused.user, control)
                let merged = try await world.store.apply(
                    [.merge(.external(source), into: .external(target))],
                    in: world.workspace,
                    now: world.now
                )
                #expect(merged == [.done])
                world.advance(60)
                try await world.event("$purchase", by: target, ["price": 5, "quantity": 1])
                let figures = try await CampaignReports(store: world.store).figures(of: campaign)
                #expect(figures.conversions[0].isEmpty)
                #expect(try await world.store.controlGroupUsers(of: campaign.id) == before - 1)
            }
        }
    }

    @Test("a message whose window has ended gets nothing, nor does one that came later")
    func window() async throws {
        try await CampaignFixture.run(at: "2027-10-30T22:00:00Z") { world in
            let ada = try await world.user("ada")
            let campaign = try await world.activate(content())
            try await buy(1, world)
            world.advance(1)
            _ = try await trigger(campaign, ada, world)
            let sentAt = world.now.addingTimeInterval(-600)
            world.advance(7200)
            for (offset, price) in [(3600.001, 20.0), (3600, 3)] {
                try await world.event(
                    "$purchase",
                    by: "ada",
                    ["product_id": "tea", "price": .number(price), "quantity": 1],
                    at: sentAt.addingTimeInterval(offset)
                )
            }
            let figures = try await CampaignReports(store: world.store).figures(of: campaign)
            #expect(figures.conversions[0].map(\.revenue) == [3])
        }
    }
}
