import Analytics
import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import Testing

@Suite("How far a message has come")
struct MessageFunnelTests {
    private static let start = "2027-10-30T22:00:00Z"
    /// Devices that learned of a push by its number do not know the identifier of its row.
    private static let unknown = UUID(
        uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    )

    private func funnels(_ world: CampaignFixture) -> MessageFunnels {
        MessageFunnels(store: world.store, now: { world.now })
    }

    private static func content(
        _ change: (inout CampaignContent) -> Void = { _ in }
    ) -> CampaignContent {
        CampaignFixture.content(.apiTriggered) {
            $0.conversions = [
                ConversionEvent(event: EventMatch(.custom(name: "poured")), window: 3_600)
            ]
            $0.reeligibility = .after(0)
            change(&$0)
        }
    }

    /// What a user's only device tells of a push.
    private func tell(
        _ kind: SDKRecord.PushInteraction.Kind,
        of send: SendID,
        by user: ProfileID,
        at time: Date,
        _ world: CampaignFixture
    ) async throws {
        let device = try #require(try await world.store.devices(of: user).first)
        let name = try #require(try await world.store.profile(user)?.externalID)
        let outcomes = try await world.store.ingest(
            [
                IngestRequest(
                    workspace: world.workspace,
                    source: .device(
                        SDKDevice(id: device.installation, platform: "ios"),
                        app: world.app.id
                    ),
                    items: [
                        IngestItem(
                            recordID: UUID(),
                            user: .external(name),
                            time: time,
                            content: .pushInteraction(
                                SDKRecord.PushInteraction(
                                    kind: kind,
                                    dispatch: Self.unknown,
                                    pushNumber: send.rawValue
                                )
                            )
                        )
                    ]
                )
            ],
            now: world.now
        )
        #expect(outcomes.joined().allSatisfy { $0 == .stored(except: []) }, "\(outcomes)")
    }

    private func launch(
        _ campaign: Campaign,
        for users: [ProfileID],
        _ world: CampaignFixture
    ) async throws -> [CampaignFixture.Sent] {
        _ = try await world.service.trigger(
            try await world.read(campaign),
            CampaignTriggerRequest(audience: .profiles(users)),
            by: world.actor
        )
        return try await world.settle()
    }

    @Test("users are counted once, however many launches they had, beside the control group")
    func campaign() async throws {
        try await CampaignFixture.run(at: Self.start) { world in
            let users = try await world.users(40)
            let campaign = try await world.activate(Self.content { $0.controlShare = 30 })
            let first = try await launch(campaign, for: users, world)
            world.advance(60)
            let second = try await launch(campaign, for: users, world)
            let got = Set(first.map(\.user))
            #expect(Set(second.map(\.user)) == got)
            func profile(_ name: String) -> ProfileID {
                users[Int(name.dropFirst("user-".count)) ?? 0]
            }
            let names = got.sorted()
            world.advance(60)
            for sent in [first, second] {
                let send = try #require(sent.first).send
                try await tell(.received, of: send, by: profile(names[0]), at: world.now, world)
                try await tell(.opened, of: send, by: profile(names[1]), at: world.now, world)
            }
            let control = (0..<40).map { "user-\($0)" }.filter { !got.contains($0) }
            for name in [names[0], names[2], names[2], control[0]] {
                try await world.event("poured", by: name)
            }
            let funnel = try await funnels(world).funnel(of: try await world.read(campaign))
            #expect(
                funnel.steps.map(\.stage) == [
                    .targeted, .delivered, .received, .opened, .converted,
                ]
            )
            #expect(funnel.steps.map(\.users) == [got.count, got.count, 2, 1, 2])
            #expect(funnel.control == .init(users: control.count, converted: 1))
            let push = try await funnels(world).funnel(of: try #require(second.first).send)
            #expect(push.steps.map(\.users) == [got.count, got.count, 2, 1])
            #expect(push.control == .init(users: control.count, converted: nil))
        }
    }

    @Test("what no provider took is targeted and not delivered, and nothing to open")
    func refused() async throws {
        try await CampaignFixture.run(at: Self.start) { world in
            let users = try await world.users(3)
            let campaign = try await world.activate(Self.content())
            _ = try await world.service.trigger(
                campaign,
                CampaignTriggerRequest(audience: .profiles(users)),
                by: world.actor
            )
            try await world.settle(.rejected(reason: "Unregistered", retiresToken: false))
            let read = try await world.read(campaign)
            let funnel = try await funnels(world).funnel(of: read)
            #expect(funnel.steps.map(\.users) == [3, 0, 0, 0, 0])
            #expect(funnel.control == nil)
            #expect(try await funnels(world).opens(of: read) == nil)
        }
    }

    @Test("opens rise with the time since each message was accepted, and half of them have a time")
    func opens() async throws {
        try await CampaignFixture.run(at: Self.start) { world in
            let users = try await world.users(5)
            let campaign = try await world.activate(Self.content())
            let sent = try await launch(campaign, for: users, world)
            let send = try #require(sent.first).send
            let accepted = world.now
            func read() async throws -> OpenCurve {
                try #require(try await funnels(world).opens(of: send))
            }
            let none = try await read()
            #expect(none == OpenCurve(unit: 60, opens: [0], total: 0, halfTime: nil))
            world.advance(600)
            // A clock that is behind does not open a message before it came.
            for (user, delay) in zip(users, [-5.0, 60, 60.001, 540]) {
                let time = accepted.addingTimeInterval(delay)
                try await tell(.opened, of: send, by: user, at: time, world)
            }
            let early = try await read()
            #expect(early.unit == 60)
            #expect(early.opens == [1, 2, 3, 3, 3, 3, 3, 3, 3, 4, 4])
            #expect(early.halfTime == 60)
            world.advance(72 * 3_600)
            let late = accepted.addingTimeInterval(60 * 3_600)
            try await tell(.opened, of: send, by: users[4], at: late, world)
            let whole = try await read()
            #expect(whole.unit == 1_800)
            #expect(whole.opens.count == 97)
            #expect(whole.opens.first == 1 && whole.opens.last == 4)
            #expect(whole.total == 5)
            #expect(try await funnels(world).opens(of: try await world.read(campaign)) == whole)
        }
    }

    @Test("the steps of the curve grow with its length")
    func units() {
        let ages: [Int64] = [0, 1, 5_760, 5_761, 28_800, 28_801, 86_400, 86_401, 172_800, 999_999]
        #expect(
            ages.map { OpenCurve.unit(age: $0) }
                == [60, 60, 60, 300, 300, 900, 900, 1_800, 1_800, 1_800]
        )
        #expect(ages.map { OpenCurve.steps(age: $0) } == [0, 1, 96, 20, 96, 33, 96, 49, 96, 96])
    }
}
