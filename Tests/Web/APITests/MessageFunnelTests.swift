import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Testing

@Suite("What the funnels of messages tell")
struct MessageFunnelTests: CampaignSteps {
    @Test("a message and its campaign tell their steps, which nobody has taken yet")
    func steps() async throws {
        try await APIClient.run { client in
            let campaign = try await campaign(client)
            try await register(["ada", "bob"], client)
            let answer = try await client.post(
                "/campaigns/trigger/send",
                ["campaign_id": id(campaign), "recipients": [["external_user_id": "ada"]]]
            )
            let name = try #require(answer.body["dispatch_id"]?.stringValue)
            let message = try await client.get("/messages/funnel?dispatch_id=\(name)")
            #expect(message.status == .ok)
            #expect(
                message.body["steps"]?.arrayValue?.map { $0["step"]?.stringValue }
                    == ["targeted", "delivered", "received", "opened"]
            )
            #expect(message.body["opens"] == .null)
            let whole = try await client.get(
                "/campaigns/funnel?campaign_id=\(campaign.apiID.uuidString)"
            )
            #expect(whole.body["steps"]?.arrayValue?.last?["step"] == "converted")
            #expect(whole.body["control"] == .null)
        }
    }

    @Test("what does not exist is named")
    func unknown() async throws {
        try await APIClient.run { client in
            let other = UUID().uuidString
            for (path, field) in [
                ("/messages/funnel", "dispatch_id"), ("/campaigns/funnel", "campaign_id"),
                ("/in_app_messages/funnel", "in_app_message_id"),
            ] {
                for address in [path, "\(path)?\(field)=\(other)"] {
                    let answer = try await client.get(address)
                    #expect(answer.status == .badRequest, "\(address)")
                    #expect(answer.message.contains(field), "\(answer.body)")
                }
            }
        }
    }
}
