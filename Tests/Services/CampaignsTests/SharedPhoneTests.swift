import Campaigns
import Delivery
import Foundation
import Model
import NoroshiWire
import Ports
import Scheduling
import Testing

/// A phone that changes hands takes nothing along of whom it belonged to.
@Suite("Shared phones")
struct SharedPhoneTests {
    /// Makes `name` the user of an installation.
    private func logIn(_ name: String, on phone: UUID, _ world: CampaignFixture) async throws {
        func item(_ content: IngestItem.Content) -> IngestItem {
            IngestItem(
                recordID: UUID(),
                user: .external(name),
                time: world.now,
                content: content
            )
        }
        _ = try await world.store.ingest(
            [
                IngestRequest(
                    workspace: world.workspace,
                    source: .device(SDKDevice(id: phone, platform: "ios"), app: world.app.id),
                    items: [
                        item(
                            .pushRegistered(
                                PushRegistration(
                                    provider: .apns,
                                    token: "token-\(phone)",
                                    environment: .sandbox,
                                    authorization: .authorized,
                                    registeredAt: world.now
                                )
                            )
                        )
                    ]
                )
            ],
            now: world.now
        )
    }

    private func profile(_ name: String, _ world: CampaignFixture) async throws -> ProfileID {
        try #require(try await world.store.profile(.external(name), in: world.workspace)).id
    }

    private func trigger(
        _ campaign: Campaign,
        _ user: String,
        _ world: CampaignFixture
    ) async throws -> [CampaignFixture.Sent] {
        _ = try await world.service.trigger(
            campaign,
            CampaignTriggerRequest(audience: .profiles([try await profile(user, world)])),
            by: world.actor
        )
        let sent = try await world.settle()
        world.advance(60)
        return sent
    }

    @Test("who has had a campaign stays not eligible, and the conversion stays")
    func eligibility() async throws {
        try await CampaignFixture.run(at: "2027-05-02T09:00:00Z") { world in
            let (phone, newPhone) = (UUID(), UUID())
            try await logIn("alice", on: phone, world)
            let campaign = try await world.activate(
                CampaignFixture.content(.apiTriggered) {
                    $0.conversions = [ConversionEvent(event: EventMatch(.custom(name: "buy")))]
                }
            )
            #expect(try await trigger(campaign, "alice", world).count == 1)
            try await world.event("buy", by: "alice")
            try await logIn("bob", on: phone, world)
            try await logIn("alice", on: newPhone, world)
            #expect(try await trigger(campaign, "alice", world).isEmpty)
            let figures = try await CampaignReports(store: world.store).figures(of: campaign)
            #expect(figures.conversions.first?.count == 1)
            // It has never reached the one who has the phone.
            #expect(try await trigger(campaign, "bob", world).map(\.user) == ["bob"])
        }
    }

    @Test("a frequency cap counts what the user got, wherever it came")
    func caps() async throws {
        try await CampaignFixture.run(at: "2027-05-02T09:00:00Z") { world in
            let (phone, newPhone) = (UUID(), UUID())
            try await logIn("alice", on: phone, world)
            try await world.store.saveLimits(
                MessagingLimits(caps: [FrequencyCap(messages: 1, days: 1)]),
                of: world.workspace
            )
            let always = { (content: inout CampaignContent) in content.reeligibility = .after(0) }
            let campaign = try await world.activate(CampaignFixture.content(.apiTriggered, always))
            #expect(try await trigger(campaign, "alice", world).count == 1)
            #expect(try await trigger(campaign, "alice", world).isEmpty)
            try await logIn("bob", on: phone, world)
            try await logIn("alice", on: newPhone, world)
            #expect(try await trigger(campaign, "alice", world).isEmpty)
            #expect(try await trigger(campaign, "bob", world).count == 1)
        }
    }

    @Test("why is answered for who got it then")
    func explanation() async throws {
        try await CampaignFixture.run(at: "2027-05-02T09:00:00Z") { world in
            let phone = UUID()
            try await logIn("alice", on: phone, world)
            let campaign = try await world.activate(CampaignFixture.content(.apiTriggered))
            let send = try #require(try await trigger(campaign, "alice", world).first).send
            try await logIn("bob", on: phone, world)
            let explainer = DeliveryExplainer(
                store: world.store,
                audience: world.audience,
                now: { world.now }
            )
            func explanation(_ user: String) async throws -> DeliveryExplanation {
                try #require(
                    try await explainer.explain(
                        send: send,
                        to: .external(user),
                        in: world.workspace
                    )
                )
            }
            let alice = try await explanation("alice")
            guard case .accepted = alice.answer else {
                Issue.record("alice: \(alice.answer)")
                return
            }
            #expect(alice.devices.map(\.reach) == [.notTheirs])
            #expect(try await explanation("bob").answer == .notInAudience)

            // What an export says of campaigns that were received.
            let users = [try await profile("alice", world), try await profile("bob", world)]
            let received = try await world.store.campaignsReceived(by: users)
            #expect(received[users[0]]?.count == 1)
            #expect(received[users[1]] == nil)
        }
    }
}
