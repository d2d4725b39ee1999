import Campaigns
import Devices
import Foundation
import Logging
import Model
import NoroshiWire
import Ports
import Server
import Testing

/// Server, push services and phones in one process, over real sockets.
@Suite("A push story goes to the phones, is paged there, and its opens come back by page")
struct PushStoryTests {
    @Test("an iPhone opens the third page, an Android phone the second, a browser the push itself")
    func story() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-pages-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let demo = try await Demo(
            folder: folder,
            host: "127.0.0.1",
            port: 0,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await demo.run { _, phones in
            let store = demo.server.store
            try await eventually("the phones register") {
                try await store.userCounts(in: demo.workspace).reachableDevices == 3
            }
            try await eventually("the names arrive") {
                let ada = try await store.profile(.external("ada"), in: demo.workspace)
                return ada?.standard[.firstName] != nil
            }
            let campaign = try await campaign(demo)
            _ = try await demo.server.campaigns.trigger(
                campaign,
                CampaignTriggerRequest(audience: .everyone),
                by: .commandLine(account: "demo", demo.workspace)
            )
            try await play(demo, campaign, phones)
        }
    }

    private func campaign(_ demo: Demo) async throws -> Campaign {
        var message = PushMessage(title: "Teas", body: "Three for {{${first_name}}}")
        message.uri = "teahouse://menu"
        message.story = (1...3).map { number in
            StoryPage(
                image: "https://127.0.0.1:9/\(number).png",
                title: "Tea \(number) for {{${first_name}}}",
                uri: "https://teahouse.example/\(number)"
            )
        }
        let actor = Actor.commandLine(account: "demo", demo.workspace)
        let campaign = try await demo.server.campaigns.create(
            CampaignContent(
                name: "Teas",
                delivery: .apiTriggered,
                variants: [
                    CampaignVariant(
                        apiID: UUID(),
                        name: "A",
                        message: CampaignMessage(PlatformMessage(message))
                    )
                ]
            ),
            by: actor
        )
        try await demo.server.campaigns.take(.activate, with: campaign, by: actor)
        return try #require(try await demo.server.store.campaign(campaign.id))
    }

    private func play(_ demo: Demo, _ campaign: Campaign, _ phones: Demo.Phones) async throws {
        let all: [any VirtualDevice] = [phones.apple, phones.android, phones.browser]
        for phone in all {
            try await eventually("the push arrives") { await phone.state.banners.count == 1 }
        }
        let apple = try #require(await phones.apple.state.banners.first)
        #expect(apple.category == "noroshi_story")
        #expect(apple.story?.pages.map(\.title).last?.hasPrefix("Tea 3 for ") == true)
        try await phones.apple.perform(.turnPage(banner: apple.id, .byItself))
        try await phones.apple.perform(.turnPage(banner: apple.id, .forward))
        try await phones.apple.perform(.tapPage(banner: apple.id))
        let android = try #require(await phones.android.state.banners.first)
        try await phones.android.perform(.turnPage(banner: android.id, .forward))
        try await phones.android.perform(.tapPage(banner: android.id))
        let browser = try #require(await phones.browser.state.banners.first)
        #expect(browser.story == nil)
        try await phones.browser.perform(.tap(banner: browser.id))

        try await eventually("the links open") {
            let opened = [
                await phones.apple.state.lastOpenedURL, await phones.android.state.lastOpenedURL,
            ]
            return opened == ["https://teahouse.example/3", "https://teahouse.example/2"]
        }
        let store = demo.server.store
        let send = try #require(
            try await store.sends(of: campaign.id, limit: 1, offset: 0).first
        )
        try await eventually("the opens come back") {
            try await store.counts(of: [send.id])[send.id]?.opened == 3
        }
        #expect(try await store.storyOpens(of: send.id) == [2: 1, 3: 1])
        let figures = try await CampaignReports(store: store).figures(of: campaign).variants
        let pages = Dictionary(uniqueKeysWithValues: figures.map { ($0.platform, $0.storyOpens) })
        #expect(pages == [.ios: [0, 0, 1], .android: [0, 1], .web: []])
    }
}
