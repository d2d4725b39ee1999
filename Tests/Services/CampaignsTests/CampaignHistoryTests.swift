import Campaigns
import Delivery
import Foundation
import Model
import NoroshiWire
import Ports
import Scheduling
import Testing

@Suite("Why a user got a campaign, or did not")
struct CampaignHistoryTests {
    private func story(
        _ campaign: Campaign,
        _ user: String,
        _ world: CampaignFixture
    ) async throws -> CampaignHistory {
        try #require(
            try await DeliveryExplainer(
                store: world.store,
                audience: world.audience,
                now: { world.now }
            ).explain(campaign: campaign.id, to: .external(user), in: world.workspace)
        )
    }

    private func trigger(
        _ campaign: Campaign,
        _ user: ProfileID,
        _ world: CampaignFixture
    ) async throws {
        _ = try await world.service.trigger(
            campaign,
            CampaignTriggerRequest(audience: .profiles([user])),
            by: world.actor
        )
        try await world.settle()
        world.advance(60)
    }

    @Test("a cap is named with the messages that filled it")
    func caps() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            try await world.user("ada")
            try await world.store.saveLimits(
                MessagingLimits(caps: [FrequencyCap(messages: 1, days: 7)]),
                of: world.workspace
            )
            let first = try await world.activate(CampaignFixture.content(.immediately))
            try await world.settle()
            world.advance(3600)
            let second = try await world.activate(CampaignFixture.content(.immediately))
            try await world.settle()

            let got = try await story(first, "ada", world)
            #expect(got.launches.count == 1)
            guard case .launched(.accepted) = got.answer else {
                Issue.record("the first one: \(got.answer)")
                return
            }
            let kept = try await story(second, "ada", world)
            #expect(kept.answer == .launched(.excluded(.frequencyCap)))
            let rule = try #require(kept.launches.first?.rule)
            #expect(rule.contacts.map(\.send) == got.launches.map(\.send.id))
            #expect(rule.facts.first == "at most 1 messages in 7 days")
        }
    }

    @Test("a cap names what it counts: the messages of its days, of campaigns that are not exempt")
    func countedByCaps() async throws {
        // Nine in the morning in Tokyo.
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            try await world.user("ada")
            func send(
                _ change: (inout CampaignContent) -> Void = { _ in }
            ) async throws -> Campaign {
                var content = CampaignFixture.content(.immediately)
                change(&content)
                let campaign = try await world.activate(content)
                try await world.settle()
                return campaign
            }
            _ = try await send()
            try world.set("2026-07-04T15:00:00Z")
            let counted = try await send()
            try world.set("2026-07-06T00:00:00Z")
            _ = try await send { $0.isExemptFromCaps = true }
            // Who is in the control group gets no message; hardly anybody else is left here.
            let control = try await send { $0.controlShare = 99 }
            try await world.store.saveLimits(
                MessagingLimits(caps: [FrequencyCap(messages: 1, days: 7)]),
                of: world.workspace
            )
            // The seven days that end with this one have begun at midnight of the fifth.
            try world.set("2026-07-11T14:00:00Z")
            let kept = try await story(try await send(), "ada", world)
            #expect(kept.answer == .launched(.excluded(.frequencyCap)))
            let rule = try #require(kept.launches.first?.rule)
            var expected = try await story(counted, "ada", world).launches.map(\.send.id)
            #expect(expected.count == 1)
            let drawn = try await story(control, "ada", world)
            if drawn.answer != .launched(.controlGroup) {
                expected.insert(contentsOf: drawn.launches.map(\.send.id), at: 0)
            }
            #expect(rule.contacts.map(\.send) == expected)
        }
    }

    @Test("of several launches that got as far the latest one is the answer")
    func latest() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let ada = try await world.user("ada")
            var content = CampaignFixture.content(.apiTriggered)
            content.reeligibility = .after(0)
            let campaign = try await world.activate(content)
            for _ in 0..<3 { try await trigger(campaign, ada, world) }
            let story = try await story(campaign, "ada", world)
            #expect(story.launches.count == 3)
            // A minute has passed since.
            let last = world.now.addingTimeInterval(-60)
            #expect(story.answer == .launched(.accepted(last)))
        }
    }

    @Test("re-eligibility names the messages of the campaign, and of no other one")
    func countedByReeligibility() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let ada = try await world.user("ada")
            // With a cap the messages of other campaigns are looked at too.
            try await world.store.saveLimits(
                MessagingLimits(caps: [FrequencyCap(messages: 5, days: 7)]),
                of: world.workspace
            )
            let other = try await world.activate(CampaignFixture.content(.apiTriggered))
            try await trigger(other, ada, world)
            let once = try await world.activate(CampaignFixture.content(.apiTriggered))
            for _ in 0..<2 { try await trigger(once, ada, world) }
            let launches = try await story(once, "ada", world).launches
            #expect(launches.map(\.answer).first == .excluded(.notEligible))
            #expect(launches.count == 2)
            let rule = try #require(launches.first?.rule)
            #expect(rule.contacts.map(\.send) == launches.suffix(1).map(\.send.id))
        }
    }

    @Test("re-eligibility, quiet hours, the control group, the audience and an unsubscribed user")
    func rules() async throws {
        // Ten in the evening in Tokyo.
        try await CampaignFixture.run(at: "2026-07-04T13:00:00Z") { world in
            let ada = try await world.user("ada")
            let ben = try await world.user("ben")
            let once = try await world.activate(CampaignFixture.content(.apiTriggered))
            try await trigger(once, ada, world)
            try await trigger(once, ada, world)
            let again = try await story(once, "ada", world)
            #expect(again.launches.map(\.answer).first == .excluded(.notEligible))
            #expect(again.launches.first?.rule?.reeligibility == .never)
            // The story ends with the launch that got furthest.
            guard case .launched(.accepted) = again.answer else {
                Issue.record("once: \(again.answer)")
                return
            }
            #expect(try await story(once, "ben", world).answer == .notTriggered)

            try await world.store.saveLimits(
                MessagingLimits(
                    quietHours: QuietHours(
                        start: try #require(TimeOfDay("21:00")),
                        end: try #require(TimeOfDay("08:00"))
                    )
                ),
                of: world.workspace
            )
            let quiet = try await world.activate(
                CampaignFixture.content(.apiTriggered) { $0.quietHours = .skip }
            )
            try await trigger(quiet, ada, world)
            let night = try await story(quiet, "ada", world)
            #expect(night.answer == .launched(.excluded(.quietHours)))
            #expect(
                night.launches.first?.rule?.facts
                    == ["quiet from 21:00 to 08:00 on the user's clock"]
            )
            try await world.store.saveLimits(MessagingLimits(), of: world.workspace)

            world.audience.set([ben])
            let segment = try await world.activate(
                CampaignFixture.content(.immediately) { $0.audience = .matching(SegmentQuery()) }
            )
            try await world.settle()
            #expect(try await story(segment, "ada", world).answer == .launched(.notInAudience))

            let users = try await world.users(40)
            let control = try await world.activate(
                CampaignFixture.content(.immediately) { $0.controlShare = 90 }
            )
            try await world.settle()
            var answers: [String: Int] = [:]
            for number in users.indices {
                let answer = try await story(control, "user-\(number)", world).answer
                answers[answer == .launched(.controlGroup) ? "control" : "got", default: 0] += 1
            }
            #expect((answers["control"] ?? 0) > 20)

            _ = try await world.store.ingest(
                [
                    IngestRequest(
                        workspace: world.workspace,
                        source: .api,
                        items: [
                            IngestItem(
                                recordID: nil,
                                user: .external("ben"),
                                time: world.now,
                                content: .attributes(
                                    AttributeChanges(["push_subscribe": "unsubscribed"])
                                )
                            )
                        ]
                    )
                ],
                now: world.now
            )
            let late = try await world.activate(CampaignFixture.content(.immediately))
            try await world.settle()
            #expect(try await story(late, "ben", world).answer == .launched(.unsubscribed))
        }
    }

    @Test("a message that waits for its delay, and users who have not done it")
    func triggered() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            try await world.user("ada")
            try await world.user("ben")
            let campaign = try await world.activate(
                CampaignFixture.content(
                    .actionBased(
                        EventTrigger(event: EventMatch(.custom(name: "bought")), delay: 600)
                    )
                )
            )
            #expect(
                try await story(campaign, "ada", world).answer == .notLaunched(.active, next: nil)
            )
            try await world.event("bought", by: "ada")
            try await world.settle()
            let due = world.now.addingTimeInterval(600)
            #expect(try await story(campaign, "ada", world).answer == .waitsAfterEvent(until: due))
            world.advance(600)
            #expect(try await world.settle().count == 1)
            guard case .launched(.accepted) = try await story(campaign, "ada", world).answer
            else {
                Issue.record("ada got nothing")
                return
            }
            #expect(try await story(campaign, "ben", world).answer == .notTriggered)
        }
    }

    @Test("a campaign that is not launched, a send that is paused, and one that was stopped")
    func notYet() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            try await world.user("ada", zone: "America/New_York")
            let draft = try await world.service.create(
                CampaignFixture.content(.immediately),
                by: world.actor
            )
            #expect(
                try await story(draft, "ada", world).answer == .notLaunched(.draft, next: nil)
            )
            let schedule = CampaignSchedule(
                start: try #require(CalendarDay("2026-07-05")),
                time: try #require(TimeOfDay("09:00")),
                clock: .eachUser
            )
            let campaign = try await world.activate(CampaignFixture.content(.scheduled(schedule)))
            try world.set("2026-07-05T00:00:00Z")
            try await world.settle()
            let nine = try #require(Timestamp.parse("2026-07-05T13:00:00Z"))
            #expect(
                try await story(campaign, "ada", world).answer
                    == .launched(.waiting(reason: nil, until: nine))
            )
            try await world.service.take(
                .pause,
                with: try await world.read(campaign),
                by: world.actor
            )
            #expect(try await story(campaign, "ada", world).answer == .launched(.paused(due: nine)))

            let composer = PushComposer(store: world.store, now: { world.now }) { _, _ in }
            let send = try await composer.send(
                SendContent(message: PushMessage(body: "Later"), audience: .everyone),
                by: world.actor,
                at: world.now.addingTimeInterval(600)
            )
            #expect(try await answer(send, world) == .notPlanned)
            #expect(try await world.store.control(send.id, .stop, noting: nil, now: world.now))
            #expect(try await answer(send, world) == .stopped)
        }
    }

    /// Why ada got a send, or did not.
    private func answer(
        _ send: Send,
        _ world: CampaignFixture
    ) async throws -> DeliveryExplanation.Answer? {
        try await DeliveryExplainer(store: world.store, audience: nil, now: { world.now })
            .explain(send: send.id, to: .external("ada"), in: world.workspace)?.answer
    }
}
