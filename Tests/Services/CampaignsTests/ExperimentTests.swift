import Campaigns
import Experiments
import Foundation
import Model
import NoroshiWire
import Ports
import Testing

@Suite("What a campaign's groups say")
struct ExperimentTests {
    private static let start = "2027-10-30T22:00:00Z"

    private static func content(
        _ delivery: CampaignDelivery = .immediately,
        _ change: (inout CampaignContent) -> Void = { _ in }
    ) -> CampaignContent {
        CampaignFixture.content(delivery, variants: ["A", "B"]) {
            $0.conversions = [
                ConversionEvent(event: EventMatch(.purchase(product: nil)), window: 3_600)
            ]
            change(&$0)
        }
    }

    private func experiment(
        _ campaign: Campaign,
        _ world: CampaignFixture
    ) async throws -> CampaignExperiment {
        try await CampaignReports(store: world.store).experiment(
            of: try await world.read(campaign),
            at: world.now
        )
    }

    private func buy(_ user: String, _ price: Double, _ world: CampaignFixture) async throws {
        try await world.event(
            "$purchase",
            by: user,
            ["product_id": "tea", "price": .number(price), "quantity": 1]
        )
    }

    private func sums(
        _ measure: CampaignExperiment.Measure,
        _ experiment: CampaignExperiment
    ) throws -> [Double] {
        let result = try #require(experiment.results.first { $0.measure == measure })
        return result.experiment.arms.map(\.sample.sum)
    }

    @Test("users, conversions and revenue of every group are counted by user")
    func counted() async throws {
        try await CampaignFixture.run(at: Self.start) { world in
            let users = try await world.users(90).count
            let campaign = try await world.activate(Self.content { $0.controlShare = 30 })
            let sent = try await world.settle()
            let got = ["A!", "B!"].map { text in sent.filter { $0.text == text }.map(\.user) }
            let control = (0..<users).map { "user-\($0)" }
                .filter { !(got[0] + got[1]).contains($0) }
            world.advance(60)
            for (user, price) in [(got[0][0], 5.0), (got[0][0], 7), (got[1][1], 20)] {
                try await buy(user, price, world)
            }
            for user in control.prefix(3) { try await buy(user, 10, world) }
            let experiment = try await experiment(campaign, world)
            #expect(experiment.launches == 1)
            #expect(
                experiment.groups.map(\.users) == [control.count, got[0].count, got[1].count]
            )
            #expect(experiment.groups.map(\.name) == ["", "A", "B"])
            #expect(experiment.groups.map { ($0.share * 100).rounded() } == [30, 35, 35])
            #expect(try sums(.conversion(0), experiment) == [3, 1, 1])
            // A message has one conversion, the first.
            #expect(try sums(.revenue, experiment) == [30, 5, 20])
            #expect(try sums(.opens, experiment) == [0, 0])
            let revenue = try #require(experiment.results.first { $0.measure == .revenue })
            #expect(revenue.experiment.arms.map(\.sample.squares) == [300, 25, 400])
            #expect(experiment.primary?.measure == .conversion(0))
            #expect(experiment.convertsUntil == world.now.addingTimeInterval(3_540))
            // The last moment counts; what comes at the end of the window does not.
            world.advance(3_539.999)
            #expect(try await self.experiment(campaign, world).convertsUntil != nil)
            world.advance(0.001)
            #expect(try await self.experiment(campaign, world).convertsUntil == nil)
        }
    }

    @Test("refunds count, amounts are rounded to a millionth, and tiny ones are none")
    func refunds() async throws {
        try await CampaignFixture.run(at: Self.start) { world in
            _ = try await world.users(40)
            let campaign = try await world.activate(Self.content())
            let sent = try await world.settle()
            let got = ["A!", "B!"].map { text in sent.filter { $0.text == text }.map(\.user) }
            world.advance(60)
            for (user, price) in [
                (got[0][0], -20.0), (got[0][1], 5), (got[1][0], 1e-160), (got[1][1], 0.000_000_7),
            ] {
                try await buy(user, price, world)
            }
            let experiment = try await experiment(campaign, world)
            #expect(try sums(.conversion(0), experiment) == [2, 2])
            #expect(try sums(.revenue, experiment) == [-15, 0.000_001])
            let revenue = try #require(experiment.results.first { $0.measure == .revenue })
            let comparison = revenue.experiment.comparisons[0]
            let interval = try #require(comparison.differenceInterval)
            #expect(interval.low.isFinite && interval.high?.isFinite == true)
            // There is no ratio of what users brought in to what was given back.
            #expect(comparison.lift == nil)
            #expect(comparison.liftInterval == nil)
        }
    }

    @Test("a user of several launches is one user, and what is not due yet is none")
    func launches() async throws {
        try await CampaignFixture.run(at: Self.start) { world in
            let users = try await world.users(20)
            let campaign = try await world.activate(
                Self.content(.apiTriggered) { $0.reeligibility = .after(0) }
            )
            for _ in 0..<2 {
                _ = try await world.service.trigger(
                    campaign,
                    CampaignTriggerRequest(audience: .profiles(users)),
                    by: world.actor
                )
                let sent = try await world.settle()
                world.advance(60)
                try await buy(try #require(sent.first).user, 5, world)
                world.advance(60)
            }
            let twice = try await experiment(campaign, world)
            #expect(twice.launches == 2)
            #expect(twice.groups.map(\.users).reduce(0, +) == users.count)
            #expect(try sums(.conversion(0), twice).reduce(0, +) == 1)
            #expect(try sums(.revenue, twice).reduce(0, +) == 10)
            let early = try await CampaignReports(store: world.store).experiment(
                of: try await world.read(campaign),
                at: world.now.addingTimeInterval(-3_600)
            )
            #expect(early.groups.map(\.users) == [0, 0])
        }
    }

    @Test("another split or another text begins another experiment")
    func changed() async throws {
        try await CampaignFixture.run(at: Self.start) { world in
            let users = try await world.users(30)
            let campaign = try await world.activate(
                Self.content(.apiTriggered) { $0.reeligibility = .after(0) }
            )
            func launch() async throws {
                _ = try await world.service.trigger(
                    try await world.read(campaign),
                    CampaignTriggerRequest(audience: .profiles(users)),
                    by: world.actor
                )
                _ = try await world.settle()
                world.advance(60)
            }
            try await launch()
            try await launch()
            var content = campaign.content
            content.controlShare = 50
            try await world.service.update(
                try await world.read(campaign),
                to: content,
                by: world.actor
            )
            // What was launched is shown until there is another launch.
            #expect(try await experiment(campaign, world).groups.count == 2)
            let begun = world.now
            try await launch()
            let experiment = try await experiment(campaign, world)
            #expect(experiment.launches == 1)
            #expect(experiment.since == begun)
            #expect(experiment.groups.count == 3)
            #expect(experiment.groups.map(\.users).reduce(0, +) == users.count)
        }
    }

    @Test("whom the message does not reach belongs to the group, and can convert like the others")
    func unreached() async throws {
        try await CampaignFixture.run(at: Self.start) { world in
            _ = try await world.users(12)
            let campaign = try await world.activate(Self.content())
            _ = try await world.scheduler.step()
            for send in try await world.store.startPlanningDueSends(now: world.now) {
                _ = try await world.planner.planNextBatch(of: send, limit: 100)
            }
            let rows = try await world.store.claimDispatches(
                ClaimRequest(
                    limit: 100,
                    owner: "test",
                    leaseEnd: world.now.addingTimeInterval(60),
                    now: world.now
                )
            ).rows
            try await world.store.record(
                rows.map {
                    DispatchUpdate(
                        send: $0.send,
                        device: $0.device.id,
                        change: .rejected(reason: "Unregistered", retiresToken: true)
                    )
                },
                now: world.now
            )
            world.advance(60)
            try await buy("user-3", 5, world)
            let experiment = try await experiment(campaign, world)
            #expect(experiment.groups.map(\.users).reduce(0, +) == 12)
            #expect(try sums(.conversion(0), experiment).reduce(0, +) == 1)
            // The campaign's own figures count what was delivered.
            let figures = try await CampaignReports(store: world.store).figures(of: campaign)
            #expect(figures.conversions[0].isEmpty)
        }
    }

    @Test("the rest of a test is no part of it, and what it got is said")
    func rest() async throws {
        try await CampaignFixture.run(at: Self.start) { world in
            _ = try await world.users(60)
            let campaign = try await world.activate(
                Self.content {
                    $0.winner = WinnerRule(testShare: 50, duration: 3_600, measure: .conversions)
                }
            )
            let test = try await world.settle()
            #expect(try await experiment(campaign, world).choice == nil)
            let buyer = try #require(test.first { $0.text == "B!" }).user
            try await buy(buyer, 5, world)
            world.advance(3_601)
            let rest = try await world.settle()
            #expect(Set(rest.map(\.text)) == ["B!"])
            let experiment = try await experiment(campaign, world)
            #expect(experiment.groups.map(\.users).reduce(0, +) == test.count)
            // One purchase proves nothing.
            #expect(experiment.choice?.name == "B")
            #expect(experiment.choice?.isProven == false)
        }
    }

    @Test("a deleted user is in no group, a merged one in the group of the first launch")
    func identities() async throws {
        try await CampaignFixture.run(at: Self.start) { world in
            _ = try await world.users(40)
            let campaign = try await world.activate(Self.content())
            let sent = try await world.settle()
            let a = sent.filter { $0.text == "A!" }.map(\.user)
            let b = sent.filter { $0.text == "B!" }.map(\.user)
            world.advance(60)
            try await buy(a[0], 5, world)
            try await buy(b[0], 5, world)
            let gone = try #require(
                try await world.store.profile(.external(a[0]), in: world.workspace)
            )
            let deleted = try await world.store.deleteUsers(
                [gone.id],
                in: world.workspace,
                noting: nil,
                now: world.now
            )
            #expect(deleted == 1)
            let merged = try await world.store.apply(
                [.merge(.external(a[1]), into: .external(a[2]))],
                in: world.workspace,
                now: world.now
            )
            #expect(merged == [.done])
            let experiment = try await experiment(campaign, world)
            #expect(experiment.groups.map(\.users) == [a.count - 2, b.count])
            #expect(try sums(.conversion(0), experiment) == [0, 1])
        }
    }

    @Test("a variant without a weight is in no group, and one group has no split to check")
    func groups() throws {
        func experiment(control: Int, _ weights: Int...) -> CampaignExperiment {
            CampaignExperiment(
                planned: Self.content { content in
                    content.controlShare = control
                    for (index, weight) in weights.enumerated() {
                        content.variants[index].weight = weight
                    }
                }
            )
        }
        func shares(_ experiment: CampaignExperiment) -> [Int] {
            experiment.groups.map { Int(($0.share * 100).rounded()) }
        }
        let plain = experiment(control: 0, 1, 3)
        #expect(plain.groups.map(\.identity) == [.variant(0), .variant(1)])
        #expect(shares(plain) == [25, 75])
        #expect(plain.split != nil)
        let controlled = experiment(control: 20, 1, 0)
        #expect(controlled.groups.map(\.identity) == [.control, .variant(0)])
        #expect(shares(controlled) == [20, 80])
        #expect(controlled.split != nil)
        let alone = experiment(control: 0, 0, 2)
        #expect(alone.groups.map(\.identity) == [.variant(1)])
        #expect(shares(alone) == [100])
        #expect(alone.split == nil)
        let nobody = experiment(control: 100, 1, 1)
        #expect(nobody.groups.map(\.identity) == [.control])
        #expect(nobody.split == nil)
    }

    @Test("a winner is proven when it beats every other variant, whatever the control group does")
    func proven() async throws {
        for (buyers, isProven) in [(["B!"], true), (["B!", "C!"], false), ([], false)] {
            try await CampaignFixture.run(at: Self.start) { world in
                // Who is in which group is drawn: each has far more people than a proof needs.
                _ = try await world.users(180)
                let campaign = try await world.activate(
                    CampaignFixture.content(.immediately, variants: ["A", "B", "C"]) {
                        $0.conversions = [
                            ConversionEvent(
                                event: EventMatch(.purchase(product: nil)),
                                window: 3_600
                            )
                        ]
                        $0.controlShare = 20
                    }
                )
                let sent = try await world.settle()
                world.advance(60)
                for push in sent where buyers.contains(push.text) {
                    try await buy(push.user, 5, world)
                }
                let best = try await CampaignReports(store: world.store)
                    .bestVariant(of: campaign, by: .conversions, at: world.now)
                #expect(best == (buyers.isEmpty ? 0 : 1, isProven), "\(buyers)")
            }
        }
    }

    @Test("before the first launch there is nobody, and a size to plan with")
    func before() async throws {
        try await CampaignFixture.run(at: Self.start) { world in
            let campaign = try await world.service.create(
                Self.content { $0.controlShare = 20 },
                by: world.actor
            )
            let experiment = try await experiment(campaign, world)
            #expect(experiment.since == nil)
            #expect(experiment.groups.map(\.users) == [0, 0, 0])
            #expect(experiment.primary?.experiment.verdict == .nothingToCompare)
            let large = try #require(experiment.requiredUsers(baseline: 0.02)?.sequential)
            let small = try #require(experiment.requiredUsers(baseline: 0.2)?.sequential)
            #expect(large > small)
        }
    }
}
