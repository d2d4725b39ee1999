import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import Testing

/// Messages at the very edges of days, of two campaigns with the same recipients, counted by the
/// store and here from what was done.
@Suite("Figures of a campaign, day by day")
struct CampaignFigureTests {
    private struct Fact {
        var campaign: CampaignID
        var trackingID: String?
        var user: ProfileID
        var platform: MessagePlatform
        var time: Date
        var isRefused: Bool
        var isOpened = false
        var isReceived = false
    }

    private static let start = "2027-10-27T15:00:00Z"

    /// Days of 24 hours, among them one of 25 or 23, and stretches that are no days at all.
    private static func boundaries(_ first: Date) -> [[Date]] {
        func times(_ hours: [Double]) -> [Date] {
            hours.map { first.addingTimeInterval($0 * 3_600) }
        }
        return [
            times([0, 24, 48, 73, 97, 121]), times([0, 24, 48, 72]), times([24, 48]),
            times([0, 25, 49, 72, 73, 97]), times([0, 1, 24, 97.5]), times([0, 24, 48, 72, 73]),
        ]
    }

    @Test("count each message once, in its period, for campaign and request, removed or not")
    func figures() async throws {
        try await CampaignFixture.run(at: Self.start) { world in
            let first = world.now
            let users = [
                (try await world.user("ada"), MessagePlatform.ios),
                (try await world.user("bob", platform: "android"), .android),
            ]
            let content = CampaignFixture.content(.apiTriggered) { $0.reeligibility = .after(0) }
            let campaigns = [
                try await world.activate(content), try await world.activate(content),
            ]
            let edges = Set(Self.boundaries(first).joined()).sorted()
            let times = edges.flatMap { [$0.addingTimeInterval(-0.001), $0] }.dropFirst()
            var facts: [Fact] = []
            for (index, time) in times.enumerated() {
                let (user, platform) = users[index / 2 % 2]
                var fact = Fact(
                    campaign: campaigns[index % 3 == 2 ? 1 : 0].id,
                    trackingID: index % 4 == 0 ? "autumn-\(index % 3 == 2 ? 1 : 0)" : nil,
                    user: user,
                    platform: platform,
                    time: time,
                    isRefused: index % 5 == 4
                )
                world.advance(time.timeIntervalSince(world.now))
                try await send(&fact, index, campaigns, world)
                facts.append(fact)
            }
            world.advance(3_600)
            try await check(facts, campaigns, Self.boundaries(first), world)
            world.advance(100 * 86_400)
            while try await !world.removeMessages(lookingAt: 10) {}
            for campaign in campaigns {
                for send in try await world.store.sends(of: campaign.id, limit: 100, offset: 0) {
                    #expect(try await world.store.isRemoved(send.id))
                }
            }
            try await check(facts, campaigns, Self.boundaries(first), world)
        }
    }

    private func check(
        _ facts: [Fact],
        _ campaigns: [Campaign],
        _ periods: [[Date]],
        _ world: CampaignFixture
    ) async throws {
        for campaign in campaigns {
            for trackingID in [nil, "autumn-0", "autumn-1", "none"] {
                let facts = facts.filter {
                    $0.campaign == campaign.id
                        && (trackingID == nil || $0.trackingID == trackingID)
                }
                for boundaries in periods {
                    try await check(facts, campaign, trackingID, boundaries, world)
                }
            }
        }
    }

    private func send(
        _ fact: inout Fact,
        _ index: Int,
        _ campaigns: [Campaign],
        _ world: CampaignFixture
    ) async throws {
        let campaign = try #require(campaigns.first { $0.id == fact.campaign })
        var trigger = CampaignTriggerRequest(audience: .profiles([fact.user]))
        trigger.trackingID = fact.trackingID
        _ = try await world.service.trigger(campaign, trigger, by: world.actor)
        _ = try await world.scheduler.step()
        for send in try await world.store.startPlanningDueSends(now: world.now) {
            _ = try await world.planner.planNextBatch(of: send, limit: 10)
        }
        let rows = try await world.store.claimDispatches(
            ClaimRequest(
                limit: 10,
                owner: "test",
                leaseEnd: world.now.addingTimeInterval(60),
                now: world.now
            )
        ).rows
        let row = try #require(rows.first)
        #expect(rows.count == 1)
        let result = DispatchUpdate(
            send: row.send,
            device: row.device.id,
            change: fact.isRefused
                ? .rejected(reason: "No", retiresToken: false) : .accepted(providerID: nil)
        )
        try await world.store.record([result], now: world.now)
        _ = try await world.store.markFinishedSends(now: world.now)
        guard !fact.isRefused else { return }
        fact.isReceived = index % 2 == 0
        fact.isOpened = index % 7 < 2
        for (isReported, kind) in [
            (fact.isReceived, SDKRecord.PushInteraction.Kind.received), (fact.isOpened, .opened),
        ] where isReported {
            let item = IngestItem(
                recordID: UUID(),
                user: .external(row.profile.externalID ?? ""),
                time: world.now,
                content: .pushInteraction(
                    SDKRecord.PushInteraction(
                        kind: kind,
                        dispatch: row.dispatch.uuid,
                        pushNumber: row.send.rawValue
                    )
                )
            )
            let outcomes = try await world.store.ingest(
                [
                    IngestRequest(
                        workspace: world.workspace,
                        source: .device(
                            SDKDevice(id: row.device.installation, platform: row.device.platform),
                            app: world.app.id
                        ),
                        items: [item]
                    )
                ],
                now: world.now
            )
            #expect(outcomes == [[.stored(except: [])]])
        }
    }

    private func check(
        _ facts: [Fact],
        _ campaign: Campaign,
        _ trackingID: String?,
        _ boundaries: [Date],
        _ world: CampaignFixture
    ) async throws {
        let found = try await world.store.dailyFigures(
            of: campaign.id,
            trackingID: trackingID,
            between: boundaries
        )
        let expected = zip(boundaries, boundaries.dropFirst()).map { start, end in
            let facts = facts.filter { $0.time >= start && $0.time < end }
            return (
                variants: Self.variants(facts),
                users: Set(facts.filter { !$0.isRefused }.map(\.user)).count
            )
        }
        #expect(found.map(\.variants) == expected.map(\.variants), "\(boundaries)")
        #expect(found.map(\.uniqueRecipients) == expected.map(\.users), "\(boundaries)")
        for (index, (start, end)) in zip(boundaries, boundaries.dropFirst()).enumerated() {
            let figures = try await CampaignReports(store: world.store).figures(
                of: campaign,
                trackingID: trackingID,
                from: start,
                to: end
            )
            #expect(figures.variants == expected[index].variants)
            #expect(figures.uniqueRecipients == expected[index].users)
        }
    }

    private static func variants(_ facts: [Fact]) -> [VariantCounts] {
        [MessagePlatform.android, .ios].compactMap { platform in
            let facts = facts.filter { $0.platform == platform }
            guard !facts.isEmpty else { return nil }
            return VariantCounts(
                platform: platform,
                variant: 0,
                sent: facts.count { !$0.isRefused },
                directOpens: facts.count(where: \.isOpened),
                totalOpens: facts.count(where: \.isOpened),
                bounces: facts.count(where: \.isRefused),
                // Whoever opened a push has received it.
                received: facts.count { $0.isReceived || $0.isOpened }
            )
        }
    }

    @Test("a day of the series has the messages and the conversions of that day of the workspace")
    func series() async throws {
        // Midnight in Tokyo.
        try await CampaignFixture.run(at: Self.start) { world in
            let first = world.now
            let content = CampaignFixture.content(.apiTriggered) {
                $0.conversions = [
                    ConversionEvent(
                        event: EventMatch(.purchase(product: nil)),
                        window: 20 * 86_400
                    ),
                    ConversionEvent(event: EventMatch(.custom(name: "poured")), window: 3_600),
                ]
            }
            let campaign = try await world.activate(content)
            /// When each user's message goes and when they buy, in days since the first midnight.
            let facts: [(sent: Double, bought: Double)] = [
                (0, 0), (0, 3), (0.999999, 0.999999), (1, 4.5), (1.5, 2), (2, 2.999999),
                (2.999999, 3), (3, 3.5), (3.999999, 4), (4, 5), (4.5, 5.5),
            ]
            func date(_ days: Double) -> Date {
                Date(
                    milliseconds: first.milliseconds + Int64((days * 86_400_000).rounded(.down))
                )
            }
            for (number, fact) in facts.enumerated() {
                world.advance(date(fact.sent).timeIntervalSince(world.now))
                let user = try await world.user("user-\(number)")
                _ = try await world.service.trigger(
                    campaign,
                    CampaignTriggerRequest(audience: .profiles([user])),
                    by: world.actor
                )
                #expect(try await world.settle().count == 1)
            }
            world.advance(3 * 86_400)
            for (number, fact) in facts.enumerated() {
                try await world.event(
                    "$purchase",
                    by: "user-\(number)",
                    ["product_id": "tea", "price": .integer(Int64(number) + 1), "quantity": 2],
                    at: date(fact.bought)
                )
                try await world.event("poured", by: "user-\(number)", at: date(fact.sent))
            }
            let spans: [(days: Int, end: Double)] = [
                (4, 4.5), (4, 4), (1, 3.999999), (6, 5), (2, 0),
            ]
            for (count, end) in spans {
                let series = try await CampaignReports(store: world.store).series(
                    of: campaign,
                    days: count,
                    endingAt: date(end)
                )
                let last = Int(end)
                let expected = (last - count + 1...last).map { day in
                    let bought = facts.indices.filter { Int(facts[$0].bought) == day }
                    let sent = facts.indices.filter { Int(facts[$0].sent) == day }
                    let cups: Int = bought.reduce(0) { $0 + ($1 + 1) * 2 }
                    return (
                        sent: sent.count,
                        conversions: [bought.count, sent.count],
                        bySendTime: [sent.count, sent.count],
                        revenue: Double(cups)
                    )
                }
                let days = try (last - count + 1...last).map {
                    try #require(CalendarDay("2027-10-28")).adding(days: $0)
                }
                #expect(series.map(\.day) == days)
                #expect(
                    series.map { $0.variants.reduce(0) { $0 + $1.sent } } == expected.map(\.sent)
                )
                #expect(series.map(\.uniqueRecipients) == expected.map(\.sent))
                #expect(series.map(\.conversions) == expected.map(\.conversions))
                #expect(series.map(\.conversionsBySendTime) == expected.map(\.bySendTime))
                #expect(series.map(\.revenue) == expected.map(\.revenue))
            }
        }
    }
}
