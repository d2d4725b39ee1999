import Foundation
import Model
import NoroshiWire
import Ports
import Testing

extension StoreConformance {
    private func content(_ delivery: CampaignDelivery = .immediately) -> CampaignContent {
        CampaignContent(
            name: "Morning tea",
            delivery: delivery,
            variants: [
                CampaignVariant(
                    apiID: UUID(),
                    name: "A",
                    message: CampaignMessage(PlatformMessage(PushMessage(body: "Tea?")))
                )
            ]
        )
    }

    private func activeCampaign(
        _ content: CampaignContent,
        in fixture: Fixture
    ) async throws -> Campaign {
        let campaign = try await store.createCampaign(
            content,
            apiID: UUID(),
            in: fixture.workspace,
            now: now
        )
        #expect(
            try await store.transitionCampaign(
                campaign.id,
                from: [.draft],
                to: .active,
                nextDueAt: now,
                now: now
            ) == []
        )
        return try #require(try await store.campaign(campaign.id))
    }

    private func launch(
        _ campaign: Campaign,
        _ key: String,
        advance: LaunchRequest.Advance? = nil,
        triggers: [Int64] = []
    ) async throws -> LaunchOutcome {
        var send = SendContent(message: PushMessage(body: "Tea?"), audience: .everyone)
        send.launch = LaunchContext(
            campaign: campaign.id,
            apiID: campaign.apiID,
            occurrence: key,
            content: campaign.content,
            activatedAt: now
        )
        return try await store.launch(
            LaunchRequest(
                campaign: campaign.id,
                key: key,
                dueAt: now,
                content: send,
                scheduledAt: now,
                advance: advance,
                triggers: triggers
            ),
            now: now
        )
    }

    package func keepsCampaignsAsTheyWereWritten() async throws {
        let fixture = try await fixture()
        let other = try await self.fixture()
        var written = content()
        written.tags = ["tea"]
        written.winner = WinnerRule(testShare: 10, duration: 60)
        written.conversions = [
            ConversionEvent(
                event: EventMatch(
                    .purchase(product: "tea"),
                    conditions: [PropertyCondition("grams", .greaterThan, 5)]
                )
            )
        ]
        let campaign = try await store.createCampaign(
            written,
            apiID: UUID(),
            in: fixture.workspace,
            now: now
        )
        #expect(try await store.campaign(campaign.id) == campaign)
        #expect(try await store.campaign(apiID: campaign.apiID, in: fixture.workspace) == campaign)
        #expect(try await store.campaign(apiID: campaign.apiID, in: other.workspace) == nil)
        // The store has given the text its number.
        written.variants[0].number = 0
        #expect(campaign.content == written)
        written.name = "Evening tea"
        let later = now.addingTimeInterval(60)
        #expect(
            try await store.updateCampaign(
                campaign.id,
                in: .draft,
                content: written,
                nextDueAt: nil,
                reserved: [],
                now: later
            ) == .updated
        )
        // It was read before it was activated by somebody else.
        #expect(
            try await store.updateCampaign(
                campaign.id,
                in: .active,
                content: written,
                nextDueAt: nil,
                reserved: [],
                now: later
            ) == .moved
        )
        func names(_ query: CampaignQuery) async throws -> [String] {
            try await store.campaigns(in: fixture.workspace, matching: query)
                .campaigns.map(\.content.name)
        }
        #expect(try await names(CampaignQuery(text: "EVENING")) == ["Evening tea"])
        #expect(try await names(CampaignQuery(text: "coffee")) == [])
        #expect(try await names(CampaignQuery(states: [.active])) == [])
        #expect(try await names(CampaignQuery(editedAfter: now)) == ["Evening tea"])
        #expect(try await names(CampaignQuery(editedAfter: later)) == [])
    }

    package func launchesAnOccurrenceOnce() async throws {
        let fixture = try await fixture()
        let campaign = try await activeCampaign(content(), in: fixture)
        #expect(try await store.dueCampaigns(now: now).map(\.id) == [campaign.id])
        #expect(try await store.nextWorkDue(after: now.addingTimeInterval(-1)) == now)
        let next = now.addingTimeInterval(86_400)
        let advance = LaunchRequest.Advance(
            expectedDueAt: now,
            nextDueAt: next,
            isLast: false
        )
        guard case .launched(let send) = try await launch(campaign, "a", advance: advance) else {
            Issue.record("the first launch makes a send")
            return
        }
        #expect(try await launch(campaign, "a", advance: advance) == .known(send))
        // Another server looked at the same time, and came second.
        #expect(try await launch(campaign, "b", advance: advance) == .outdated)
        #expect(try await store.dueCampaigns(now: now).isEmpty)
        #expect(try await store.campaign(campaign.id)?.nextDueAt == next)
        #expect(try await store.nextWorkDue(after: now) == next)
        #expect(try await store.sends(of: campaign.id, limit: 9, offset: 0) == [send])
        _ = try await store.transitionCampaign(
            campaign.id,
            from: [.active],
            to: .paused,
            nextDueAt: next,
            now: now
        )
        #expect(try await launch(campaign, "c") == .outdated)
    }

    package func movesACampaignWithItsSends() async throws {
        let fixture = try await fixture()
        let campaign = try await activeCampaign(content(), in: fixture)
        guard case .launched(let first) = try await launch(campaign, "a"),
            case .launched(let second) = try await launch(campaign, "b")
        else {
            Issue.record("both are launched")
            return
        }
        func move(_ origin: CampaignState, _ state: CampaignState) async throws -> [SendID]? {
            try await store.transitionCampaign(
                campaign.id,
                from: [origin],
                to: state,
                nextDueAt: nil,
                now: now
            )
        }
        func states() async throws -> [SendState?] {
            try await [store.send(first.id)?.state, store.send(second.id)?.state]
        }
        #expect(try await move(.active, .paused) == [first.id, second.id])
        #expect(try await states() == [.paused, .paused])
        #expect(try await move(.active, .paused) == nil)
        #expect(try await store.control(first.id, .stop, noting: nil, now: now))
        #expect(try await move(.paused, .active) == [second.id])
        #expect(try await states() == [.cancelled, .scheduled])
        #expect(try await move(.active, .stopped) == [second.id])
        #expect(try await states() == [.cancelled, .cancelled])
    }

    package func changesACampaignWithAllItsReservedSendsOrNotAtAll() async throws {
        let fixture = try await fixture()
        let campaign = try await activeCampaign(content(), in: fixture)
        guard case .launched(let begun) = try await launch(campaign, "a") else {
            Issue.record("it is launched")
            return
        }
        _ = try await store.startPlanningDueSends(now: now)
        guard case .launched(let waiting) = try await launch(campaign, "b") else {
            Issue.record("it is launched")
            return
        }
        var written = campaign.content
        written.name = "Evening tea"
        func update(_ sends: [Send]) async throws -> CampaignUpdate {
            try await store.updateCampaign(
                campaign.id,
                in: .active,
                content: written,
                nextDueAt: nil,
                reserved: sends.map { send in
                    var content = send.content
                    content.message.body = "Changed"
                    return ReservedSend(
                        id: send.id,
                        content: content,
                        scheduledAt: now.addingTimeInterval(60)
                    )
                },
                now: now
            )
        }
        #expect(try await update([begun, waiting]) == .sendMoved)
        #expect(try await store.campaign(campaign.id)?.content == campaign.content)
        #expect(try await store.send(waiting.id) == waiting)
        #expect(try await update([waiting]) == .updated)
        #expect(try await store.campaign(campaign.id)?.content == written)
        let changed = try await store.send(waiting.id)
        #expect(changed?.content.message.body == "Changed")
        #expect(changed?.scheduledAt == now.addingTimeInterval(60))
        #expect(try await store.send(begun.id)?.content == begun.content)
    }

    package func readsEachEventOnceForTriggers() async throws {
        let fixture = try await fixture()
        let event = EventMatch(.custom(name: "brewed"))
        let campaign = try await activeCampaign(
            content(.actionBased(EventTrigger(event: event))),
            in: fixture
        )
        #expect(try await store.triggeredCampaigns().map(\.id) == [campaign.id])
        let start = try await store.triggerCursor()
        for name in ["brewed", "poured", "brewed"] {
            _ = try await ingest(
                [
                    IngestItem(
                        recordID: nil,
                        user: .external("ada"),
                        time: now,
                        content: .event(name: name, properties: ["cup": 1])
                    )
                ],
                in: fixture.workspace
            )
        }
        let names = [fixture.workspace: Set(["brewed"])]
        let first = try await store.events(after: start, named: names, limit: 2)
        #expect(first.events.count == 1)
        #expect(first.events.first?.properties["cup"] == 1)
        #expect(first.hasMore)
        let rest = try await store.events(after: first.end, named: names, limit: 10)
        #expect(rest.events.count == 1)
        #expect(!rest.hasMore)
        let ada = try #require(try await store.profile(.external("ada"), in: fixture.workspace))
        func trigger(_ event: Int64, _ time: Date) -> TriggerChange {
            .add(
                NewTrigger(
                    campaign: campaign.id,
                    profile: ada.id,
                    event: event,
                    triggeredAt: time,
                    dueAt: time,
                    properties: ["cup": 1]
                )
            )
        }
        let changes = [trigger(1, now), trigger(2, now.addingTimeInterval(10))]
        #expect(try await store.commitTriggers(changes, from: start, to: rest.end))
        // A second reader of the same events changes nothing.
        #expect(try await !store.commitTriggers(changes, from: start, to: rest.end))
        #expect(try await store.pendingTriggerCount(of: campaign.id) == 2)
        #expect(try await store.nextWorkDue(after: now) == now.addingTimeInterval(10))
        let due = try await store.dueTriggers(now: now, limit: 10)
        #expect(due.map(\.trigger.event) == [1])
        #expect(
            try await store.commitTriggers(
                [.cancel(campaign: campaign.id, profile: ada.id, before: now)],
                from: rest.end,
                to: rest.end + 1
            )
        )
        #expect(try await store.dueTriggers(now: now, limit: 10).isEmpty)
        let later = try await store.dueTriggers(now: now.addingTimeInterval(10), limit: 10)
        #expect(later.map(\.trigger.event) == [2])
        guard case .launched = try await launch(campaign, "a", triggers: later.map(\.id)) else {
            Issue.record("triggers that wait become a send")
            return
        }
        #expect(try await launch(campaign, "b", triggers: later.map(\.id)) == .outdated)
        #expect(try await store.pendingTriggerCount(of: campaign.id) == 0)
    }

    package func plansAChunkOnce() async throws {
        let fixture = try await fixture()
        try await register("ada", token: "01", in: fixture)
        try await register("ben", token: "02", in: fixture)
        let campaign = try await activeCampaign(content(), in: fixture)
        guard case .launched(let send) = try await launch(campaign, "a") else {
            Issue.record("the launch makes a send")
            return
        }
        _ = try await store.startPlanningDueSends(now: now)
        let users = try await store.profiles(in: fixture.workspace, after: nil, limit: 10)
        #expect(users.count == 2)
        func facts(_ time: Date) async throws -> [CampaignRecipient] {
            try await store.recipients(
                users,
                in: fixture.workspace,
                reaching: DeviceTargeting(),
                campaign: campaign.id,
                contactsSince: time,
                before: nil
            )
        }
        let found = try await facts(now)
        #expect(found.map(\.devices.count) == [1, 1])
        #expect(found.allSatisfy { $0.contacts.isEmpty })
        let dueAt = now.addingTimeInterval(30)
        let chunk = RecipientBatch(
            campaign: campaign.id,
            countsForCaps: true,
            origin: nil,
            end: users.last,
            entries: [
                RecipientBatch.Entry(
                    profile: found[0].profile,
                    devices: found[0].devices,
                    variant: 0,
                    isControl: false,
                    dueAt: dueAt
                ),
                RecipientBatch.Entry(
                    profile: found[1].profile,
                    devices: [],
                    variant: nil,
                    isControl: true,
                    dueAt: dueAt
                ),
            ],
            exclusions: ["ControlGroup": 1],
            isComplete: true
        )
        #expect(try await store.commitPlan(chunk, of: send.id, now: now))
        #expect(try await !store.commitPlan(chunk, of: send.id, now: now))
        #expect(try await store.exclusions(of: send.id) == ["ControlGroup": 1])
        #expect(try await store.counts(of: [send.id])[send.id]?.total == 1)
        #expect(try await claim(10).isEmpty)
        let claimed = try await claim(10, at: dueAt)
        #expect(claimed.map(\.variant) == [0])
        let contacts = try await facts(now).map { $0.contacts.map(\.variant) }
        #expect(contacts == [[0], [nil]])
        for (own, count) in [(dueAt, 1), (dueAt.addingTimeInterval(1), 0)] {
            let since = try await store.recipients(
                users,
                in: fixture.workspace,
                reaching: DeviceTargeting(),
                campaign: campaign.id,
                ownContactsSince: own,
                contactsSince: .distantFuture,
                before: nil
            )
            #expect(since.map(\.contacts.count) == [count, count])
        }
        try await store.record(
            claimed.map {
                DispatchUpdate(
                    send: $0.send,
                    device: $0.device.id,
                    change: .rejected(reason: "BadTopic", retiresToken: false)
                )
            },
            now: dueAt
        )
        // What was refused has not reached anybody; the control group stays one.
        #expect(try await facts(now).map(\.contacts.count) == [0, 1])
        #expect(try await store.entries(of: users[0], in: campaign.id).count == 1)
        #expect(try await store.controlGroupUsers(of: campaign.id) == 1)
    }

    package func holdsASendAndLetsItGoOn() async throws {
        let fixture = try await fixture()
        for number in 0..<4 {
            try await register("user-\(number)", token: "0\(number)", in: fixture)
        }
        let send = try await store.createSend(
            SendContent(message: PushMessage(body: "Hello"), audience: .everyone),
            in: fixture.workspace,
            scheduledAt: now,
            now: now
        )
        #expect(try await store.control(send.id, .pause, noting: nil, now: now))
        #expect(try await store.startPlanningDueSends(now: now).isEmpty)
        #expect(try await store.control(send.id, .resume, noting: nil, now: now))
        _ = try await store.startPlanningDueSends(now: now)
        _ = try await store.planNextBatch(of: send.id, limit: 2, now: now)
        #expect(try await store.control(send.id, .pause, noting: nil, now: now))
        #expect(try await claim(10).isEmpty)
        #expect(try await store.startPlanningDueSends(now: now).isEmpty)
        #expect(try await store.markFinishedSends(now: now).isEmpty)
        #expect(try await store.control(send.id, .resume, noting: nil, now: now))
        #expect(try await !store.control(send.id, .resume, noting: nil, now: now))
        // It was being planned, and is again.
        #expect(try await store.startPlanningDueSends(now: now).map(\.id) == [send.id])
        while try await !store.planNextBatch(of: send.id, limit: 2, now: now).isComplete {}
        #expect(try await claim(10).count == 4)
    }
}
