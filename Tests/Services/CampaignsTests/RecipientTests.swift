import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import Scheduling
import Testing

/// Who gets a campaign and who does not, counted and asked for.
@Suite("Recipients of a campaign")
struct RecipientTests {
    @Test("each platform gets its own message, the others the common one")
    func platforms() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            try await world.user("phone", platform: "ios")
            try await world.user("robot", platform: "android")
            try await world.user("browser", platform: "web")
            var content = CampaignFixture.content(.immediately)
            content.variants[0].message.android = PlatformMessage(PushMessage(body: "Robot"))
            _ = try await world.activate(content)
            let sent = try await world.settle()
            let texts = Dictionary(uniqueKeysWithValues: sent.map { ($0.user, $0.text) })
            #expect(texts == ["phone": "A!", "robot": "Robot", "browser": "A!"])
        }
    }

    @Test("a control group gets nothing, is kept apart, and stays the same")
    func control() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let users = try await world.users(60)
            var content = CampaignFixture.content(.apiTriggered, variants: ["A", "B"])
            content.controlShare = 40
            content.reeligibility = .after(0)
            let campaign = try await world.activate(content)
            func send() async throws -> Set<String> {
                let trigger = CampaignTriggerRequest(audience: .everyone)
                _ = try await world.service.trigger(campaign, trigger, by: world.actor)
                return Set(try await world.settle().map(\.user))
            }
            let first = try await send()
            world.advance(60)
            let second = try await send()
            #expect(first == second)
            #expect((20...50).contains(first.count))
            let control = try await world.store.controlGroupUsers(of: campaign.id)
            #expect(control == users.count - first.count)
            let figures = try await CampaignReports(store: world.store).figures(of: campaign)
            #expect(figures.uniqueRecipients == first.count)
            #expect(figures.variants.map(\.variant) == [0, 1])
            let send = try #require(
                try await world.store.sends(of: campaign.id, limit: 1, offset: 0).first
            )
            let left = try await world.store.exclusions(of: send.id)
            #expect(left == ["ControlGroup": users.count - first.count])
        }
    }

    @Test("caps hold over campaigns; exempt ones neither ask nor count")
    func caps() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            try await world.user("ada")
            try await world.store.saveLimits(
                MessagingLimits(caps: [FrequencyCap(messages: 2, days: 1)]),
                of: world.workspace
            )
            func launch(isExempt: Bool = false) async throws -> Int {
                _ = try await world.activate(
                    CampaignFixture.content(.immediately) { $0.isExemptFromCaps = isExempt }
                )
                return try await world.settle().count
            }
            #expect(try await launch() == 1)
            #expect(try await launch(isExempt: true) == 1)
            world.advance(3600)
            #expect(try await launch() == 1)
            #expect(try await launch() == 0)
            #expect(try await launch(isExempt: true) == 1)
            // The next day, though the second one is not yet 24 hours old.
            try world.set("2026-07-05T00:00:00Z")
            #expect(try await launch() == 1)
            #expect(try await launch() == 1)
            #expect(try await launch() == 0)
        }
    }

    @Test("what a provider refused has not reached its user: it fills no cap and can come again")
    func refused() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let ada = try await world.user("ada")
            let campaign = try await world.activate(CampaignFixture.content(.apiTriggered))
            func send(_ change: DispatchUpdate.Change) async throws -> Int {
                let trigger = CampaignTriggerRequest(audience: .profiles([ada]))
                _ = try await world.service.trigger(campaign, trigger, by: world.actor)
                for send in try await world.store.startPlanningDueSends(now: world.now) {
                    _ = try await world.planner.planNextBatch(of: send, limit: 10)
                }
                let claimed = try await world.store.claimDispatches(
                    ClaimRequest(
                        limit: 10,
                        owner: "test",
                        leaseEnd: world.now.addingTimeInterval(60),
                        now: world.now
                    )
                ).rows
                try await world.store.record(
                    claimed.map {
                        DispatchUpdate(send: $0.send, device: $0.device.id, change: change)
                    },
                    now: world.now
                )
                world.advance(60)
                return claimed.count
            }
            #expect(try await send(.rejected(reason: "BadTopic", retiresToken: false)) == 1)
            #expect(try await send(.skipped(reason: "Aborted: not today")) == 1)
            #expect(try await send(.accepted(providerID: nil)) == 1)
            #expect(try await send(.accepted(providerID: nil)) == 0)
        }
    }

    @Test("for every user who got nothing there is a reason, and the counts of reasons agree")
    func explanations() async throws {
        // Ten in the evening in Tokyo.
        try await CampaignFixture.run(at: "2026-07-04T13:00:00Z") { world in
            // Quiet hours keep the first ones from the message; of the others half are in the control
            // group.
            var users = try await world.users(40)
            for number in 0..<40 {
                users.append(try await world.user("early-\(number)", zone: "Europe/Berlin"))
            }
            let night = try await world.user("night", zone: "Asia/Tokyo")
            let day = try await world.user("day", zone: "Europe/Berlin")
            let quiet = QuietHours(
                start: try #require(TimeOfDay("21:00")),
                end: try #require(TimeOfDay("08:00"))
            )
            _ = try await world.store.ingest(
                [
                    IngestRequest(
                        workspace: world.workspace,
                        source: .api,
                        items: [
                            IngestItem(
                                recordID: nil,
                                user: .external("nobody"),
                                time: world.now,
                                content: .attributes(AttributeChanges(["first_name": "No"]))
                            )
                        ]
                    )
                ],
                now: world.now
            )
            let nobody = try #require(
                try await world.store.profile(.external("nobody"), in: world.workspace)
            ).id
            try await world.store.saveLimits(
                MessagingLimits(quietHours: quiet),
                of: world.workspace
            )
            var content = CampaignFixture.content(.immediately, variants: ["A", "B"])
            content.controlShare = 50
            content.quietHours = .skip
            let campaign = try await world.activate(content)
            let sent = try await world.settle()
            var reasons: [String: Int] = [:]
            var reached = 0
            let send = try #require(
                try await world.store.sends(of: campaign.id, limit: 1, offset: 0).first
            )
            for user in users + [night, day, nobody] {
                if let entry = try await world.store.entry(of: user, in: send.id) {
                    if entry.isControl {
                        reasons["ControlGroup", default: 0] += 1
                    } else {
                        reached += 1
                    }
                    continue
                }
                guard
                    case .excluded(let reason) = try await world.planner.decision(
                        for: user,
                        in: send
                    )
                else {
                    Issue.record("no explanation for \(user)")
                    continue
                }
                reasons[reason.rawValue, default: 0] += 1
            }
            #expect(reached == sent.count)
            #expect(try await world.store.exclusions(of: send.id) == reasons)
            #expect(reasons["NoDevice"] == 1)
            #expect((reasons["QuietHours"] ?? 0) > 5)
            #expect((reasons["ControlGroup"] ?? 0) > 5)
        }
    }

    @Test("quiet hours hold a message until the user's morning")
    func held() async throws {
        try await CampaignFixture.run(at: "2026-07-04T13:00:00Z") { world in
            try await world.user("night", zone: "Asia/Tokyo")
            try await world.user("day", zone: "Europe/Berlin")
            try await world.store.saveLimits(
                MessagingLimits(
                    quietHours: QuietHours(
                        start: try #require(TimeOfDay("21:00")),
                        end: try #require(TimeOfDay("08:00"))
                    )
                ),
                of: world.workspace
            )
            let campaign = try await world.activate(CampaignFixture.content(.immediately))
            #expect(try await world.settle().map(\.user) == ["day"])
            #expect(try await world.read(campaign).state == .active)
            try world.set("2026-07-04T22:59:59Z")
            #expect(try await world.settle().isEmpty)
            try world.set("2026-07-04T23:00:00Z")
            #expect(try await world.settle().map(\.user) == ["night"])
            #expect(try await world.read(campaign).state == .stopped)
        }
    }

    @Test("a part tries the variants, the rest gets the one that was opened most")
    func winner() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            _ = try await world.users(60)
            var content = CampaignFixture.content(.immediately, variants: ["A", "B"])
            content.winner = WinnerRule(testShare: 40, duration: 3600)
            let campaign = try await world.activate(content)
            let test = try await world.settle()
            #expect((10...40).contains(test.count))
            #expect(Set(test.map(\.text)) == ["A!", "B!"])
            // Everybody opens B and nobody A.
            for push in test where push.text == "B!" {
                let user = try #require(
                    try await world.store.profile(
                        .external(push.user),
                        in: world.workspace
                    )
                )
                let device = try #require(try await world.store.devices(of: user.id).first)
                let opened = IngestItem(
                    recordID: UUID(),
                    user: .external(push.user),
                    time: world.now,
                    content: .pushInteraction(
                        .init(
                            kind: .opened,
                            dispatch: DispatchID(
                                workspace: world.workspace,
                                send: push.send,
                                device: device.id
                            ).uuid,
                            pushNumber: push.send.rawValue
                        )
                    )
                )
                _ = try await world.store.ingest(
                    [
                        IngestRequest(
                            workspace: world.workspace,
                            source: .device(
                                .init(id: device.installation, platform: "ios"),
                                app: world.app.id
                            ),
                            items: [opened]
                        )
                    ],
                    now: world.now
                )
            }
            world.advance(3599)
            #expect(try await world.settle().isEmpty)
            world.advance(1)
            let rest = try await world.settle()
            #expect(Set(rest.map(\.text)) == ["B!"])
            #expect(test.count + rest.count == 60)
            #expect(Set((test + rest).map(\.user)).count == 60)
            #expect(try await world.read(campaign).state == .stopped)
        }
    }

    @Test("an audience is asked as it is when users get the message, a frozen one as it is now")
    func moments() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let send = try await world.store.createSend(
                SendContent(message: PushMessage(body: "Hello"), audience: .everyone),
                in: world.workspace,
                scheduledAt: world.now,
                now: world.now
            )
            func moment(_ change: (inout Send) throws -> Void) throws -> AudienceMoment {
                var changed = send
                try change(&changed)
                return world.planner.audienceMoment(of: changed)
            }
            let start = world.now
            let local = LocalDateTime(
                day: try #require(CalendarDay("2026-07-06")),
                time: try #require(TimeOfDay("09:00"))
            )
            #expect(try moment { $0.startedAt = nil } == .now)
            #expect(try moment { $0.startedAt = start } == .at(start))
            let onClocks = try moment {
                $0.startedAt = start
                $0.content.localMoment = local
            }
            #expect(onClocks == .onEachClock(local))
            let frozen = try moment {
                $0.startedAt = start
                $0.content.localMoment = local
                $0.content.extraction = .whenScheduled
            }
            #expect(frozen == .now)
        }
    }
}
