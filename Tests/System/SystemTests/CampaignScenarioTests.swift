import Campaigns
import Devices
import Foundation
import Logging
import Model
import NoroshiWire
import Ports
import Server
import Testing

/// Server, push service and phones in one process, over real sockets; the days pass by hand.
@Suite("A campaign goes from its schedule to the phones")
struct CampaignScenarioTests {
    @Test("three days, two variants, a segment: what phones show and what is counted agree")
    func days() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-campaign-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let clock = HandClock(Date())
        let demo = try await Demo(
            folder: folder,
            host: "127.0.0.1",
            port: 0,
            dependencies: clock.dependencies,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await demo.run { _, phones in try await play(demo, clock, phones.apple) }
    }

    private func play(_ demo: Demo, _ clock: HandClock, _ first: VirtualPhone) async throws {
        let server = demo.server
        let store = server.store
        var phones: [String: VirtualPhone] = ["ada": first]
        for name in ["ben", "cas", "dee", "eve"] {
            phones[name] = try await demo.rack.add(
                id: UUID(),
                name: name,
                language: "en",
                user: name
            )
        }
        try await eventually("the phones register") {
            // The demo's Android phone and its browser are reachable too.
            try await store.userCounts(in: demo.workspace).reachableDevices == phones.count + 2
        }
        // Eve is not in the segment.
        let members = ["ada", "ben", "cas", "dee"]
        _ = try await store.ingest(
            [
                IngestRequest(
                    workspace: demo.workspace,
                    source: .api,
                    items: members.map { name in
                        IngestItem(
                            recordID: nil,
                            user: .external(name),
                            time: clock.now,
                            content: .attributes(AttributeChanges(["plan": "gold"]))
                        )
                    }
                )
            ],
            now: clock.now
        )
        let campaign = try await activate(demo, clock)
        for day in 1...3 {
            let current = try #require(try await store.campaign(campaign.id))
            clock.set(try #require(current.nextDueAt))
            try await eventually("the sends of day \(day) are over") {
                let sends = try await store.sends(of: campaign.id, limit: 10, offset: 0)
                return sends.count == day && sends.allSatisfy { $0.state == .finished }
            }
        }
        try await check(demo, campaign, phones, members)
    }

    /// Three mornings from tomorrow on.
    private func activate(_ demo: Demo, _ clock: HandClock) async throws -> Campaign {
        let today = Int(clock.now.timeIntervalSince1970 / 86_400)
        var content = CampaignContent(
            name: "Morning tea",
            audience: .matching(
                SegmentQuery(filter: #"{"custom": "plan", "test": "equal", "value": "gold"}"#)
            ),
            delivery: .scheduled(
                CampaignSchedule(
                    start: CalendarDay(number: today + 1),
                    time: try #require(TimeOfDay("09:00")),
                    clock: .zone("UTC"),
                    recurrence: Recurrence(.daily(every: 1), end: .afterCount(3))
                )
            ),
            variants: ["Green", "Black"].map { tea in
                var message = PushMessage(
                    title: "{{campaign.${name}}}",
                    body: "\(tea) tea for a {{custom_attribute.${plan}}} guest"
                )
                // The notification service extension reports the receipt.
                message.isMutable = true
                return CampaignVariant(
                    apiID: UUID(),
                    name: tea,
                    message: CampaignMessage(PlatformMessage(message))
                )
            }
        )
        content.reeligibility = .after(0)
        let campaign = try await demo.server.campaigns.create(
            content,
            by: .commandLine(account: "mio", demo.workspace)
        )
        try await demo.server.campaigns.take(
            .activate,
            with: campaign,
            by: .commandLine(account: "mio", demo.workspace)
        )
        return campaign
    }

    private func check(
        _ demo: Demo,
        _ campaign: Campaign,
        _ phones: [String: VirtualPhone],
        _ members: [String]
    ) async throws {
        let store = demo.server.store
        var shown: [Int: Int] = [:]
        for (name, phone) in phones {
            let expected = members.contains(name) ? 3 : 0
            try await eventually("\(name)'s phone shows its messages") {
                await phone.state.banners.count == expected
            }
            let banners = await phone.state.banners
            #expect(banners.allSatisfy { $0.title == "Morning tea" })
            // Everybody keeps the first day's variant.
            let texts = Set(banners.map(\.body))
            #expect(texts.count <= 1)
            guard let text = texts.first else { continue }
            #expect(text.hasSuffix(" tea for a gold guest"))
            shown[text.hasPrefix("Green") ? 0 : 1, default: 0] += banners.count
        }
        let ada = try #require(phones["ada"])
        let banner = try #require(await ada.state.banners.first)
        try await ada.perform(.tap(banner: banner.id))
        let reports = CampaignReports(store: store)
        try await eventually("receipts and the open come back") {
            let phones = try await reports.figures(of: campaign).variants
                .filter { $0.platform == .ios }
            return phones.map(\.received).reduce(0, +) == 12
                && phones.map(\.directOpens).reduce(0, +) == 1
        }
        let figures = try await reports.figures(of: campaign)
        #expect(figures.uniqueRecipients == members.count)
        let iPhones = figures.variants.filter { $0.platform == .ios }
        let sent = Dictionary(uniqueKeysWithValues: iPhones.map { ($0.variant, $0.sent) })
        #expect(sent == shown)
        #expect(figures.variants.allSatisfy { $0.bounces == 0 })
        // Ben has an Android phone beside his iPhone, with the variant that is his.
        let others = figures.variants.filter { $0.platform != .ios }
        #expect(others.map(\.platform) == [.android])
        #expect(others.map(\.sent) == [3])
        try await eventually("the campaign is over") {
            try await store.campaign(campaign.id)?.state == .stopped
        }
        #expect(try await store.occurrences(of: campaign.id, limit: 10).count == 3)
    }
}
