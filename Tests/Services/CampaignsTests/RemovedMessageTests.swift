import Analytics
import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import Testing

/// Campaigns whose messages are removed when they are old. What is said of them is the same before, after, and at
/// each step of the removal.
@Suite("Messages of campaigns that were removed")
struct RemovedMessageTests {
    private static let start = "2027-10-30T22:00:00Z"
    private static let names = (0..<12).map { "user-\($0)" }

    /// Two launches for twelve users in three groups, of whom some have a second phone, with refusals, opens,
    /// sessions and purchases.
    private struct Scene {
        let world: CampaignFixture
        let users: [ProfileID]
        let campaign: Campaign
        let sends: [SendID]

        init(_ world: CampaignFixture) async throws {
            self.world = world
            var users: [ProfileID] = []
            for (number, name) in names.enumerated() {
                let platform = number % 3 == 0 ? "android" : "ios"
                users.append(try await world.user(name, platform: platform))
                if number % 4 == 0 { try await world.user(name, platform: "web") }
            }
            self.users = users
            let content = CampaignFixture.content(.apiTriggered, variants: ["A", "B"]) {
                $0.controlShare = 20
                $0.reeligibility = .after(0)
                $0.conversions = [
                    ConversionEvent(event: EventMatch(.purchase(product: nil)), window: 86_400),
                    ConversionEvent(event: EventMatch(.custom(name: "poured")), window: 7_200),
                ]
            }
            campaign = try await world.activate(content)
            var sends: [SendID] = []
            for (number, tracking) in ["morning", nil, "morning"].enumerated() {
                var trigger = CampaignTriggerRequest(
                    audience: .profiles(number == 1 ? Array(users.prefix(7)) : users)
                )
                trigger.trackingID = tracking
                _ = try await world.service.trigger(campaign, trigger, by: world.actor)
                let sent = try await world.settle(
                    number == 2
                        ? .rejected(reason: "BadDeviceToken", retiresToken: false)
                        : .accepted(providerID: nil)
                )
                sends.append(try #require(sent.first).send)
                try await Self.happen(in: world, users, after: sends[number])
                world.advance(number == 0 ? 20 * 3_600 : 3_600)
            }
            self.sends = sends
        }

        private static func happen(
            in world: CampaignFixture,
            _ users: [ProfileID],
            after send: SendID
        ) async throws {
            for (number, user) in users.enumerated() {
                world.advance(40)
                for (place, device) in try await world.store.devices(of: user).enumerated() {
                    var kinds: [SDKRecord.PushInteraction.Kind] = number % 2 == 0 ? [.received] : []
                    if (number + place) % 3 == 1 { kinds.append(.opened) }
                    if number % 5 == 0 { kinds.append(.dismissed) }
                    try await tell(kinds, of: send, by: names[number], on: device, world)
                }
                if number % 4 == 1 { try await world.event("poured", by: names[number]) }
                if number % 4 < 2 {
                    try await world.event(
                        "$purchase",
                        by: names[number],
                        ["product_id": "tea", "price": .integer(Int64(number) + 1), "quantity": 2]
                    )
                }
            }
        }

        private static func tell(
            _ kinds: [SDKRecord.PushInteraction.Kind],
            of send: SendID,
            by name: String,
            on device: Device,
            _ world: CampaignFixture
        ) async throws {
            let dispatch = DispatchID(workspace: world.workspace, send: send, device: device.id)
            let items =
                kinds.map { kind in
                    let report = SDKRecord.PushInteraction(
                        kind: kind,
                        dispatch: dispatch.uuid,
                        pushNumber: send.rawValue,
                        page: kind == .opened ? 1 : nil
                    )
                    return IngestItem(
                        recordID: UUID(),
                        user: .external(name),
                        time: world.now,
                        content: .pushInteraction(report)
                    )
                } + [
                    IngestItem(
                        recordID: UUID(),
                        user: .external(name),
                        time: world.now.addingTimeInterval(1),
                        content: .sessionStarted
                    )
                ]
            let request = IngestRequest(
                workspace: world.workspace,
                source: .device(
                    SDKDevice(id: device.installation, platform: device.platform),
                    app: world.app.id
                ),
                items: items
            )
            _ = try await world.store.ingest([request], now: world.now)
        }

        /// Everything that is said of the campaign and its users, a line for each figure.
        func figures() async throws -> [String] {
            let store = world.store
            let reports = CampaignReports(store: store)
            let campaign = try await world.read(campaign)
            var lines: [String] = []
            for tracking in [nil, "morning", "none"] {
                let figures = try await reports.figures(of: campaign, trackingID: tracking)
                lines.append("\(tracking ?? "all"): \(figures)")
            }
            for day in try await reports.series(of: campaign, days: 5, endingAt: world.now) {
                lines.append("\(day)")
            }
            lines.append("\(try await reports.experiment(of: campaign, at: world.now))")
            let funnels = MessageFunnels(store: store) { world.now }
            lines.append("\(try await funnels.funnel(of: campaign))")
            var curve = try #require(try await funnels.opens(of: campaign))
            // It is known to the minute.
            curve.halfTime = curve.halfTime.map { ($0 + 59) / 60 * 60 }
            lines.append("\(curve)")
            for send in sends {
                lines.append("\(try await funnels.funnel(of: send))")
                lines.append("\(String(describing: try await funnels.opens(of: send)))")
            }
            let source = LedgerSource.campaign(campaign.id)
            lines.append(String(describing: try await store.firstAcceptance(of: source)))
            lines.append("\(try await store.controlGroupUsers(of: campaign.id))")
            lines.append(String(describing: try await store.totals(of: [campaign.id])[campaign.id]))
            return try await lines + persons()
        }

        private func persons() async throws -> [String] {
            let store = world.store
            var lines: [String] = []
            let received = try await store.campaignsReceived(by: users)
            let contacts = try await store.recipients(
                users,
                in: world.workspace,
                reaching: DeviceTargeting(),
                campaign: campaign.id,
                contactsSince: .distantPast,
                before: nil
            )
            for user in users {
                lines.append("\(try await store.entries(of: user, in: campaign.id))")
                lines.append("\(received[user] ?? [])")
                lines.append("\(contacts.first { $0.profile == user }?.contacts ?? [])")
                lines.append("\(try await store.figures(of: user))")
            }
            return lines
        }

    }

    private func expectEqual(_ lines: [String], _ expected: [String], _ label: String) {
        #expect(lines.count == expected.count)
        for (line, other) in zip(lines, expected) { #expect(line == other, "\(label)") }
    }

    @Test("no figure of a campaign, an experiment or a person changes, at any step")
    func figures() async throws {
        try await CampaignFixture.run(at: Self.start) { world in
            let scene = try await Scene(world)
            world.advance(100 * 86_400)
            let before = try await scene.figures()
            var steps = 0
            while try await !world.removeMessages(lookingAt: 3) {
                steps += 1
                try await expectEqual(scene.figures(), before, "step \(steps)")
            }
            #expect(steps > 5)
            for send in scene.sends {
                #expect(try await world.store.isRemoved(send))
                #expect(try await world.store.ledger(of: send, after: nil, limit: 9).isEmpty)
            }
            try await expectEqual(scene.figures(), before, "in the end")
            try await world.store.recountOpens(in: world.workspace)
            try await expectEqual(scene.figures(), before, "counted again")
        }
    }

    @Test("whoever got one is not sent it once more, and it fills caps")
    func contacts() async throws {
        for isRefused in [false, true] {
            try await CampaignFixture.run(at: Self.start) { world in
                let ada = try await world.user("ada")
                let campaign = try await world.activate(CampaignFixture.content(.apiTriggered))
                func send() async throws -> Int {
                    let trigger = CampaignTriggerRequest(audience: .profiles([ada]))
                    _ = try await world.service.trigger(campaign, trigger, by: world.actor)
                    return try await world.settle(
                        isRefused
                            ? .rejected(reason: "BadTopic", retiresToken: false)
                            : .accepted(providerID: nil)
                    ).count
                }
                #expect(try await send() == 1)
                world.advance(100 * 86_400)
                while try await !world.removeMessages(lookingAt: 10) {}
                // What a provider refused has reached nobody.
                #expect(try await send() == (isRefused ? 1 : 0))
                try await world.store.saveLimits(
                    MessagingLimits(caps: [FrequencyCap(messages: 1, days: 200)]),
                    of: world.workspace
                )
                let other = try await world.activate(CampaignFixture.content(.immediately))
                let launched = try await world.settle().filter { $0.user == "ada" }.count
                #expect(launched == (isRefused ? 1 : 0), "\(other.id)")
            }
        }
    }

    @Test("what two users got of one is one person's after a merge, and nobody's after a deletion")
    func merged() async throws {
        try await CampaignFixture.run(at: Self.start) { world in
            let scene = try await Scene(world)
            world.advance(100 * 86_400)
            while try await !world.removeMessages(lookingAt: 50) {}
            let store = world.store
            let before = try await store.reach(of: .campaign(scene.campaign.id))
            var opened: [SendID: [Date]] = [:]
            for user in scene.users.prefix(2) {
                for entry in try await store.entries(of: user, in: scene.campaign.id) {
                    opened[entry.send, default: []] += [entry.openedAt].compactMap(\.self)
                }
            }
            #expect(opened.values.contains { $0.count == 2 })
            let rows = try await store.rows(of: scene.users[0])
            #expect(rows["removed_recipients"]?.isEmpty == false)
            _ = try await store.apply(
                [.merge(.external("user-0"), into: .external("user-1"))],
                in: world.workspace,
                now: world.now
            )
            let target = scene.users[1]
            let merged = try await store.reach(of: .campaign(scene.campaign.id))
            let entries = try await store.entries(of: target, in: scene.campaign.id)
            #expect(entries.count == 3)
            for entry in entries { #expect(entry.openedAt == opened[entry.send]?.min()) }
            #expect(merged.targeted + merged.control < before.targeted + before.control)
            _ = try await store.deleteUsers(
                [target],
                in: world.workspace,
                noting: nil,
                now: world.now
            )
            let deleted = try await store.reach(of: .campaign(scene.campaign.id))
            #expect(deleted.targeted + deleted.control < merged.targeted + merged.control)
            #expect(try await store.rows(of: target)["removed_recipients"] == nil)
        }
    }
}
