import Foundation
import Model
import Testing

@testable import Campaigns

@Suite("Where taps on a campaign's message lead")
struct CampaignLinkTests {
    @Test("own links come after the common ones, buttons and pages after the message")
    func links() {
        func message(_ uri: String?, _ buttons: [String?] = []) -> PlatformMessage {
            var message = PushMessage(body: "Tea?")
            message.uri = uri
            message.buttons = buttons.enumerated().map { index, uri in
                var button = PushButton(actionID: "b\(index)", title: "Tea")
                button.uri = uri
                return button
            }
            return PlatformMessage(message)
        }
        var variant = CampaignFixture.variant("A")
        #expect(variant.links.isEmpty)
        variant.message.common = message("c", [nil, "c1"])
        variant.message.android = message(nil, ["a0"])
        variant.message.web = message("w")
        variant.message.web?.message.story = [
            StoryPage(image: "i", uri: "p1"), StoryPage(image: "i"),
            StoryPage(image: "i", uri: "p3"),
        ]
        #expect(
            variant.links == [
                CampaignLink(platform: nil, action: nil, url: "c"),
                CampaignLink(platform: nil, action: "b1", url: "c1"),
                CampaignLink(platform: .android, action: "b0", url: "a0"),
                CampaignLink(platform: .web, action: nil, url: "w"),
                CampaignLink(platform: .web, action: "page_1", url: "p1"),
                CampaignLink(platform: .web, action: "page_3", url: "p3"),
            ]
        )
    }
}
