import Campaigns
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Testing

@Suite("Copies of campaigns, and where their messages lead")
struct CampaignCopyTests: CampaignSteps {
    @Test("a copy is a draft that says the same, with a name and variants of its own")
    func copy() async throws {
        try await APIClient.run { client in
            let campaign = try await campaign(client)
            let answer = try await client.post(
                "/campaigns/duplicate",
                [
                    "campaign_id": id(campaign), "name": "Order delivered",
                    "description": "For the second half", "tag_names": ["delivery"],
                ]
            )
            #expect(answer.status == .accepted, "\(answer.body)")
            let text = try #require(answer.body["campaign_id"]?.stringValue)
            let copyID = try #require(UUID(uuidString: text))
            let copy = try #require(
                try await client.store.campaign(apiID: copyID, in: client.workspace)
            )
            #expect(copy.state == .draft)
            #expect(copy.content.name == "Order delivered")
            #expect(copy.content.note == "For the second half")
            #expect(copy.content.tags == ["delivery"])
            #expect(
                copy.content.variants.map(\.message) == campaign.content.variants.map(\.message)
            )
            #expect(copy.content.delivery == campaign.content.delivery)
            #expect(copy.content.conversions == campaign.content.conversions)
            #expect(
                Set(copy.content.variants.map(\.apiID))
                    .isDisjoint(with: campaign.content.variants.map(\.apiID))
            )
            let plain = try await client.post(
                "/campaigns/duplicate",
                ["campaign_id": id(campaign), "name": "Again"]
            )
            let againID = try #require(
                UUID(uuidString: plain.body["campaign_id"]?.stringValue ?? "")
            )
            let again = try #require(
                try await client.store.campaign(apiID: againID, in: client.workspace)
            )
            #expect(again.content.tags == ["orders"])
            #expect(try await client.store.campaign(campaign.id) == campaign)
        }
    }

    @Test("what cannot be copied is named")
    func problems() async throws {
        try await APIClient.run { client in
            let campaign = try await campaign(client)
            let long = JSONValue.string(String(repeating: "a", count: 251))
            let cases: [(JSONValue, String)] = [
                (["name": "A"], "campaign_id"),
                (["campaign_id": .string(UUID().uuidString), "name": "A"], "campaign_id"),
                (["campaign_id": id(campaign)], "name"),
                (["campaign_id": id(campaign), "name": ""], "name"),
                (["campaign_id": id(campaign), "name": long], "name"),
                (["campaign_id": id(campaign), "name": "a\u{0}"], "name"),
                (["campaign_id": id(campaign), "name": "A", "tag_names": [""]], "tag_names.0"),
                (
                    ["campaign_id": id(campaign), "name": "A", "tag_names": ["\u{0}"]],
                    "tag_names.0"
                ),
                (["campaign_id": id(campaign), "name": "A", "description": 7], "description"),
            ]
            for (body, field) in cases {
                let answer = try await client.post("/campaigns/duplicate", body)
                #expect(answer.status == .badRequest, "\(body)")
                #expect(answer.errors.first?["field"] == .string(field), "\(answer.body)")
            }
            let listed = try await client.get("/campaigns/list")
            #expect(listed.body["campaigns"]?.arrayValue?.count == 1)
        }
    }

    @Test("the links of a variant are those of the message and of its buttons")
    func links() async throws {
        try await APIClient.run { client in
            var message = PushMessage(title: "Shipped", body: "On its way")
            message.uri = "https://tea.example/{{${user_id}}}"
            message.buttons = [
                PushButton(actionID: "track", title: "Track", uri: "tea://track"),
                PushButton(actionID: "later", title: "Later"),
            ]
            var own = PushMessage(title: "Shipped", body: "On its way")
            own.uri = "https://tea.example/web"
            let variant = CampaignVariant(
                apiID: UUID(),
                name: "A",
                message: CampaignMessage(PlatformMessage(message), web: PlatformMessage(own))
            )
            let campaign = try await client.campaigns.create(
                CampaignContent(name: "Shipped", delivery: .apiTriggered, variants: [variant]),
                by: client.actor
            )
            let path =
                "/campaigns/url_info/details?campaign_id=\(campaign.apiID)"
                + "&message_variation_id=\(variant.apiID)"
            let answer = try await client.get(path)
            #expect(answer.status == .ok, "\(answer.body)")
            #expect(answer.body["name"] == "A")
            func row(_ url: JSONValue, _ id: JSONValue, _ alias: JSONValue) -> JSONValue {
                [
                    "link_URL": url, "link_id": id, "link_alias": alias,
                    "content_block_path_info": [],
                ]
            }
            let tracked = row("tea://track", "track", "all.track")
            #expect(
                answer.body["link_data"] == [
                    row("https://tea.example/{{${user_id}}}", "body", "all.body"), tracked,
                    row("https://tea.example/web", "body", "web.body"),
                ]
            )
            let one = try await client.get(path + "&includes_link_id=track")
            #expect(one.body["link_data"] == [tracked])
            let wrong = try await client.get(
                "/campaigns/url_info/details?campaign_id=\(campaign.apiID)"
                    + "&message_variation_id=\(UUID())"
            )
            #expect(wrong.status == .badRequest)
            #expect(wrong.errors.first?["field"] == "message_variation_id")
        }
    }
}
