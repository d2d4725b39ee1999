import Campaigns
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import StoreConformance
import Testing

@Suite("What /campaigns and /sends tell")
struct CampaignTests: CampaignSteps {
    @Test(
        "campaigns are listed by page, order and time of the last change; archived ones on demand"
    )
    func list() async throws {
        try await APIClient.run { client in
            let first = try await campaign(client, name: "First")
            let second = try await campaign(client, name: "Second", isActive: false)
            try await client.campaigns.take(.archive, with: second, by: client.actor)
            func names(_ query: String) async throws -> [String] {
                let answer = try await client.get("/campaigns/list" + query)
                #expect(answer.status == .ok)
                return (answer.body["campaigns"]?.arrayValue ?? []).compactMap {
                    $0["name"]?.stringValue
                }
            }
            #expect(try await names("") == ["First"])
            #expect(try await names("?include_archived=true") == ["First", "Second"])
            #expect(
                try await names("?include_archived=true&sort_direction=desc")
                    == ["Second", "First"]
            )
            #expect(try await names("?page=1") == [])
            #expect(try await names("?last_edit.time%5Bgt%5D=2036-01-01") == [])
            let answer = try await client.get("/campaigns/list")
            let listed = answer.body["campaigns"]?.arrayValue?.first
            #expect(listed?["id"]?.stringValue == first.apiID.uuidString.lowercased())
            #expect(listed?["is_api_campaign"] == true)
            #expect(listed?["tags"] == ["orders"])
            #expect(try await client.get("/campaigns/list?page=x").status == .badRequest)
        }
    }

    @Test("details name the messages and what counts as a conversion")
    func details() async throws {
        try await APIClient.run { client in
            let campaign = try await campaign(client)
            let answer = try await client.get(
                "/campaigns/details?campaign_id=\(campaign.apiID.uuidString)"
            )
            #expect(answer.status == .ok)
            #expect(answer.body["enabled"] == true)
            #expect(answer.body["schedule_type"] == "api_triggered")
            #expect(
                answer.body["conversion_behaviors"] == [
                    [
                        "type": "Makes Specific Purchase", "product": "tea",
                        "window": 86_400,
                    ]
                ]
            )
            let variant = try #require(campaign.content.variants.first)
            let message = answer.body["messages"]?[variant.apiID.uuidString.lowercased()]
            #expect(message?["title"] == "Shipped")
        }
    }

    @Test("series count day by day what was sent, opened and brought about, by send_id too")
    func series() async throws {
        try await APIClient.run { client in
            try await register(["ada", "ben", "cas"], client)
            let campaign = try await campaign(client)
            let made = try await client.post(
                "/sends/id/create",
                ["campaign_id": id(campaign), "send_id": "launch-1"]
            )
            #expect(made.body["send_id"] == "launch-1")
            let first = try await client.post(
                "/campaigns/trigger/send",
                [
                    "campaign_id": id(campaign), "send_id": "launch-1",
                    "recipients": [["external_user_id": "ada"], ["external_user_id": "ben"]],
                ]
            )
            #expect(first.body["send_id"] == "launch-1")
            let second = try await client.post(
                "/campaigns/trigger/send",
                ["campaign_id": id(campaign), "recipients": [["external_user_id": "cas"]]]
            )
            for answer in [first, second] {
                let send = try await send(answer, client)
                _ = try await client.store.startPlanningDueSends(now: APIClient.now)
                while try await !client.planner.planNextBatch(of: send, limit: 9).isComplete {}
            }
            let claimed = try await client.store.claimDispatches(
                ClaimRequest(
                    limit: 100,
                    owner: "test",
                    leaseEnd: APIClient.now.addingTimeInterval(60),
                    now: APIClient.now
                )
            ).rows
            try await client.store.record(
                claimed.map {
                    DispatchUpdate(
                        send: $0.send,
                        device: $0.device.id,
                        change: .accepted(providerID: nil)
                    )
                },
                now: APIClient.now
            )
            let purchase = try await client.post(
                "/users/track",
                [
                    "purchases": [
                        [
                            "external_id": "ada", "product_id": "tea", "currency": "JPY",
                            "price": 500, "quantity": 2,
                            "time": .string(Timestamp.format(APIClient.now)),
                        ]
                    ]
                ]
            )
            #expect(purchase.status == .created)
            let query = "?campaign_id=\(campaign.apiID.uuidString)&length=3"
            let answer = try await client.get("/campaigns/data_series" + query)
            #expect(answer.status == .ok)
            let rows = try #require(answer.body["data"]?.arrayValue)
            #expect(rows.count == 3)
            #expect(rows[0]["unique_recipients"] == 0)
            let last = rows[2]
            #expect(last["unique_recipients"] == 3)
            #expect(last["conversions"] == 1)
            #expect(last["conversions_by_send_time"] == 1)
            #expect(last["revenue"]?.doubleValue == 1000)
            let push = last["messages"]?["ios_push"]?.arrayValue?.first
            #expect(push?["sent"] == 3)
            let sends = try await client.get("/sends/data_series" + query + "&send_id=launch-1")
            #expect(sends.body["data"]?.arrayValue?.last?["unique_recipients"] == 2)
            #expect(
                try await client.get("/campaigns/data_series" + query + "0000").status
                    == .badRequest
            )
            let other = try await self.campaign(client)
            let taken = try await client.post(
                "/sends/id/create",
                ["campaign_id": id(other), "send_id": "launch-1"]
            )
            #expect(taken.status == .badRequest)
        }
    }
}
