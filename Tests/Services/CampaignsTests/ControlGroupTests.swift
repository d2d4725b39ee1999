import Analytics
import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import Reasons
import Scheduling
import Testing

/// What the workspace's control group does not get, and who is told so.
@Suite("Messages withheld from the workspace's control group")
struct ControlGroupTests {
    private func withheld(
        _ send: Send,
        _ users: [ProfileID],
        _ world: CampaignFixture
    ) async throws -> Set<ProfileID> {
        var found: Set<ProfileID> = []
        for user in users where try await world.store.withheld(send.id, from: user) != nil {
            found.insert(user)
        }
        return found
    }

    @Test("a campaign leaves out its members, counts them apart, and says so of each")
    func campaign() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let users = try await world.users(60)
            let group = try await world.keepControlGroup(with: users[0])
            let members = Set(users.filter(group.contains))
            let campaign = try await world.activate(CampaignFixture.content(.immediately))
            let sent = try await world.settle()
            #expect(sent.count == users.count - members.count)
            let send = try #require(
                try await world.store.sends(of: campaign.id, limit: 1, offset: 0).first
            )
            #expect(
                try await world.store.exclusions(of: send.id)
                    == ["WorkspaceControlGroup": members.count]
            )
            #expect(try await withheld(send, users, world) == members)
            for user in users {
                let decision = try await world.planner.decision(for: user, in: send)
                #expect((decision == .withheld(at: send.scheduledAt)) == members.contains(user))
            }
            let funnels = MessageFunnels(store: world.store, now: { world.now })
            let funnel = try await funnels.funnel(of: campaign)
            #expect(funnel.withheld == members.count)
            #expect(funnel.base == sent.count)
            #expect(funnel.control == nil)
            #expect(try await funnels.funnel(of: send.id).withheld == members.count)
            // They are in no group of the experiment, and got no variant.
            let figures = try await CampaignReports(store: world.store).figures(of: campaign)
            #expect(figures.variants.map(\.variant) == [0])
            #expect(figures.uniqueRecipients == sent.count)
            #expect(try await world.store.controlGroupUsers(of: campaign.id) == 0)
        }
    }

    @Test("a push to everyone leaves them out where it says so; a push to named users reaches them")
    func pushes() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let users = try await world.users(10)
            let group = try await world.keepControlGroup(with: users[0])
            let members = Set(users.filter(group.contains))
            func push(_ audience: Audience, withholds: Bool?) async throws -> Int {
                var content = SendContent(message: PushMessage(body: "Tea?"), audience: audience)
                content.withholdsFromControlGroup = withholds
                let send = try await world.store.createSend(
                    content,
                    in: world.workspace,
                    scheduledAt: world.now,
                    now: world.now
                )
                let sent = try await world.settle().count
                #expect(try await withheld(send, users, world).count == users.count - sent)
                return sent
            }
            #expect(try await push(.everyone, withholds: true) == users.count - members.count)
            #expect(try await push(.everyone, withholds: false) == users.count)
            #expect(try await push(.everyone, withholds: nil) == users.count)
            #expect(try await push(.profiles(users), withholds: true) == users.count)
        }
    }

    @Test("an API-triggered campaign reaches them, unless it or the request says otherwise")
    func triggered() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let users = try await world.users(10)
            let group = try await world.keepControlGroup(with: users[0])
            let others = users.count - users.filter(group.contains).count
            func send(campaign: Bool?, request: Bool?) async throws -> Int {
                let content = CampaignFixture.content(.apiTriggered) {
                    $0.reachesControlGroup = campaign
                }
                var trigger = CampaignTriggerRequest(audience: .everyone)
                trigger.reachesControlGroup = request
                let active = try await world.activate(content)
                _ = try await world.service.trigger(active, trigger, by: world.actor)
                return try await world.settle().count
            }
            #expect(try await send(campaign: nil, request: nil) == users.count)
            #expect(try await send(campaign: false, request: nil) == others)
            #expect(try await send(campaign: nil, request: false) == others)
            #expect(try await send(campaign: false, request: true) == users.count)
        }
    }

    @Test("caps that were read before a control group was made do not take it away, nor it them")
    func lateLimits() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let service = LimitService(store: world.store, now: { world.now })
            let admin = world.actor
            var stale = try await service.limits(of: world.workspace)
            let group = try await service.saveControlGroup(share: 10, by: admin)
            stale.caps = [FrequencyCap(messages: 2, days: 7)]
            try await service.save(stale, by: admin)
            #expect(try await service.limits(of: world.workspace).controlGroup == group)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for share in [20, 30, 40] {
                    tasks.addTask {
                        _ = try await service.saveControlGroup(share: share, by: admin)
                    }
                    tasks.addTask {
                        var limits = MessagingLimits()
                        limits.caps = [FrequencyCap(messages: share, days: 1)]
                        try await service.save(limits, by: admin)
                    }
                }
                try await tasks.waitForAll()
            }
            let limits = try await service.limits(of: world.workspace)
            #expect(limits.controlGroup?.seed == group?.seed)
            #expect([20, 30, 40].contains(limits.controlGroup?.share))
            #expect([20, 30, 40].contains(limits.caps.first?.messages))
        }
    }

    @Test("what was withheld goes along in a merge, unless the other one got the message")
    func merge() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let users = try await world.users(3)
            let group = try await world.keepControlGroup(with: users[0], without: [users[1]])
            let campaign = try await world.activate(
                CampaignFixture.content(.immediately) {
                    $0.audience = .profiles([users[0], users[1]])
                }
            )
            try await world.settle()
            let send = try #require(
                try await world.store.sends(of: campaign.id, limit: 1, offset: 0).first
            )
            #expect(group.contains(users[0]))
            #expect(try await withheld(send, users, world) == [users[0]])
            func merge(_ source: Int, into target: Int) async throws {
                let outcomes = try await world.store.apply(
                    [.merge(.external("user-\(source)"), into: .external("user-\(target)"))],
                    in: world.workspace,
                    now: world.now
                )
                #expect(outcomes == [.done])
            }
            try await merge(0, into: 2)
            #expect(try await withheld(send, users, world) == [users[2]])
            try await merge(2, into: 1)
            #expect(try await withheld(send, users, world).isEmpty)
        }
    }
}

@Suite("The control group's setting")
struct ControlGroupSettingTests {
    private func service(_ world: CampaignFixture) -> LimitService {
        LimitService(store: world.store, now: { world.now })
    }

    @Test("a larger share keeps the draw, a new draw does not, and nothing ends it")
    func shares() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let service = service(world)
            let first = try #require(try await service.saveControlGroup(share: 5, by: world.actor))
            world.advance(60)
            let same = try await service.saveControlGroup(share: 5, by: world.actor)
            #expect(same == first)
            let larger = try #require(
                try await service.saveControlGroup(share: 10, by: world.actor)
            )
            #expect(larger.seed == first.seed)
            #expect(larger.since == world.now)
            let drawn = try #require(
                try await service.saveControlGroup(share: 10, redraws: true, by: world.actor)
            )
            #expect(drawn.seed != first.seed)
            #expect(try await service.saveControlGroup(share: 0, by: world.actor) == nil)
            #expect(try await service.limits(of: world.workspace).controlGroup == nil)
        }
    }

    @Test("what is no share is refused by the field's name", arguments: [-1, 51, 100])
    func refusals(share: Int) async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let error = await #expect(throws: ValidationError.self) {
                try await service(world).saveControlGroup(share: share, by: world.actor)
            }
            #expect(error?.problems.map(\.path) == [.limits(.controlShare)])
        }
    }

    @Test("frequency caps that are saved later leave the group as it is")
    func caps() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let service = service(world)
            let group = try await service.saveControlGroup(share: 5, by: world.actor)
            var limits = try await service.limits(of: world.workspace)
            limits.caps = [FrequencyCap(messages: 1, days: 1)]
            try await service.save(limits, by: world.actor)
            #expect(try await service.limits(of: world.workspace).controlGroup == group)
        }
    }
}
