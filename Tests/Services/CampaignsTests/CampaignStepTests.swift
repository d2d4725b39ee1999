import Campaigns
import Foundation
import Model
import Ports
import Testing

@Suite("What is done with a campaign as a whole")
struct CampaignStepTests {
    private static func member(_ role: Member.Role, of workspace: WorkspaceID) -> Actor {
        .member(
            Member(
                id: MemberID(1),
                workspace: workspace,
                name: "Mio",
                email: "mio@example.org",
                role: role
            )
        )
    }

    private static func log(_ world: CampaignFixture) async throws -> [AuditRecord] {
        try await world.store.audit(in: world.workspace, matching: AuditQuery())
            .records.reversed()
    }

    @Test("is in the log with its name, once for each step that was done")
    func steps() async throws {
        try await CampaignFixture.run(at: "2026-07-04T12:00:00Z") { world in
            let marketer = Self.member(.marketer, of: world.workspace)
            let content = CampaignFixture.content(.apiTriggered)
            let campaign = try await world.service.create(content, by: marketer)
            try await world.service.update(campaign, to: content, by: marketer)
            let steps: [(CampaignStep, CampaignState)] = [
                (.activate, .active), (.pause, .paused), (.resume, .active), (.stop, .stopped),
                (.archive, .archived),
            ]
            for (step, state) in steps {
                let now = try await world.read(campaign)
                try await world.service.take(step, with: now, by: marketer)
                #expect(try await world.read(campaign).state == state)
                // Its state does not allow it a second time.
                await #expect(throws: RefusalError.self) {
                    try await world.service.take(step, with: now, by: marketer)
                }
            }
            let log = try await Self.log(world)
            #expect(
                log.map(\.action) == [
                    "campaign_saved", "campaign_saved", "campaign_activated", "campaign_paused",
                    "campaign_resumed", "campaign_stopped", "campaign_archived",
                ]
            )
            #expect(Set(log.map(\.subject)) == ["#\(campaign.id)"])
            #expect(Set(log.map(\.detail)) == [content.name])
        }
    }

    @Test("is for marketers of its workspace")
    func strangers() async throws {
        try await CampaignFixture.run(at: "2026-07-04T12:00:00Z") { world in
            let content = CampaignFixture.content(.apiTriggered)
            let campaign = try await world.service.create(content, by: world.actor)
            let other = WorkspaceID(world.workspace.rawValue + 1)
            for actor in [
                Self.member(.viewer, of: world.workspace), Self.member(.administrator, of: other),
            ] {
                await #expect(throws: NotAllowedError.self) {
                    try await world.service.take(.activate, with: campaign, by: actor)
                }
                await #expect(throws: NotAllowedError.self) {
                    try await world.service.update(campaign, to: content, by: actor)
                }
            }
            await #expect(throws: NotAllowedError.self) {
                try await world.service.create(
                    content,
                    by: Self.member(.viewer, of: world.workspace)
                )
            }
            #expect(try await world.read(campaign).state == .draft)
            #expect(try await world.service.campaign(campaign.id, in: other) == nil)
        }
    }

    @Test("is sent by request once for each key, and is in the log with its name as often")
    func trigger() async throws {
        try await CampaignFixture.run(at: "2026-07-04T12:00:00Z") { world in
            let content = CampaignFixture.content(.apiTriggered)
            let campaign = try await world.activate(content)
            let before = try await Self.log(world).count
            var request = CampaignTriggerRequest(audience: .everyone)
            request.key = "one"
            let key = Actor.key(
                APIKey(
                    workspace: world.workspace,
                    name: "shop",
                    permissions: ["*"],
                    createdAt: world.now
                )
            )
            let send = try await world.service.trigger(campaign, request, by: key).send
            #expect(try await world.service.trigger(campaign, request, by: key).send.id == send.id)
            #expect(send.content.author == "shop")
            request.key = "two"
            request.scheduledAt = world.now.addingTimeInterval(60)
            let later = try await world.service.trigger(
                campaign,
                request,
                by: Self.member(.marketer, of: world.workspace)
            ).send
            let other = WorkspaceID(world.workspace.rawValue + 1)
            for actor in [
                Self.member(.viewer, of: world.workspace), Self.member(.administrator, of: other),
            ] {
                await #expect(throws: NotAllowedError.self) {
                    try await world.service.trigger(campaign, request, by: actor)
                }
                await #expect(throws: NotAllowedError.self) {
                    try await world.service.saveTrackingID("autumn", of: campaign, by: actor)
                }
            }
            let log = try await Self.log(world).dropFirst(before)
            #expect(log.map(\.action) == ["push_sent", "push_scheduled"])
            #expect(log.map(\.subject) == [send, later].map { "#\($0.id)" })
            #expect(log.map(\.author) == ["shop", "Mio"])
            #expect(Set(log.map(\.detail)) == [content.name])
        }
    }

    @Test("a name for some of its sends is made where none is wanted, and is no other campaign's")
    func trackingID() async throws {
        try await CampaignFixture.run(at: "2026-07-04T12:00:00Z") { world in
            let content = CampaignFixture.content(.apiTriggered)
            let first = try await world.service.create(content, by: world.actor)
            let second = try await world.service.create(content, by: world.actor)
            func save(_ wanted: String?, _ campaign: Campaign) async throws -> String? {
                try await world.service.saveTrackingID(wanted, of: campaign, by: world.actor)
            }
            #expect(try await save("autumn", first) == "autumn")
            #expect(try await save("autumn", first) == "autumn")
            #expect(try await save("autumn", second) == nil)
            #expect(try await save(nil, second)?.count == 32)
        }
    }
}
