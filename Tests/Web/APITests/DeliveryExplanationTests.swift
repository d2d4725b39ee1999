import Campaigns
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Testing

@Suite("Why a user got a message, over the API")
struct DeliveryExplanationTests: CampaignSteps {
    private func why(
        _ send: Send,
        _ user: String,
        _ client: APIClient
    ) async throws -> APIClient.Answer {
        try await client.get("/messages/why?dispatch_id=\(send.dispatchName)&external_id=\(user)")
    }

    @Test("is told from the request to what the provider said, and for whom there is no message")
    func course() async throws {
        try await APIClient.run { client in
            let campaign = try await campaign(client)
            try await register(["ada", "bob"], client)
            let send = try await send(
                try await client.post(
                    "/campaigns/trigger/send",
                    ["campaign_id": id(campaign), "recipients": [["external_user_id": "ada"]]]
                ),
                client
            )
            let early = try await why(send, "ada", client)
            #expect(early.status == .ok, "\(early.body)")
            #expect(early.body["answer"] == "not_planned")
            #expect(early.body["in_audience"] == true)

            _ = try await client.store.startPlanningDueSends(now: APIClient.now)
            while try await !client.planner.planNextBatch(of: send, limit: 2).isComplete {}
            let planned = try await why(send, "ada", client)
            #expect(planned.body["answer"] == "waiting")
            #expect(planned.body["variant"] == "A")
            let device = try #require(planned.body["devices"]?.arrayValue?.first)
            #expect(device["reach"] == "reachable")
            #expect(device["state"] == "queued")

            let claimed = try await client.store.claimDispatches(
                ClaimRequest(
                    limit: 9,
                    owner: "worker",
                    leaseEnd: APIClient.now.addingTimeInterval(60),
                    now: APIClient.now
                )
            )
            try await client.store.record(
                claimed.rows.map {
                    DispatchUpdate(
                        send: $0.send,
                        device: $0.device.id,
                        change: .rejected(reason: "BadTopic", retiresToken: false)
                    )
                },
                now: APIClient.now
            )
            let rejected = try await why(send, "ada", client)
            #expect(rejected.body["answer"] == "rejected")
            #expect(rejected.body["reason"] == "BadTopic")
            #expect(rejected.body["devices"]?.arrayValue?.first?["reason"] == "BadTopic")
            let other = try await why(send, "bob", client)
            #expect(other.body["answer"] == "not_in_audience")
            #expect(other.body["devices"]?.arrayValue?.first?["state"] == .null)

            let address = "/campaigns/why?campaign_id=\(campaign.apiID.uuidString)"
            let whole = try await client.get("\(address)&external_id=ada")
            #expect(whole.body["answer"] == "rejected", "\(whole.body)")
            #expect(
                whole.body["launches"]?.arrayValue?.map { $0["dispatch_id"] }
                    == [.string(send.dispatchName)]
            )
            let never = try await client.get("\(address)&external_id=bob")
            #expect(never.body["answer"] == "not_triggered", "\(never.body)")
            #expect(never.body["launches"] == [])
        }
    }

    @Test("what does not exist is named")
    func unknown() async throws {
        try await APIClient.run { client in
            try await register(["ada"], client)
            let campaign = try await campaign(client)
            let known = "/campaigns/why?campaign_id=\(campaign.apiID.uuidString)"
            for (address, field) in [
                ("/messages/why?external_id=ada", "dispatch_id"),
                ("/messages/why?dispatch_id=none&external_id=ada", "dispatch_id"),
                ("/campaigns/why?external_id=ada", "campaign_id"),
                ("/campaigns/why?campaign_id=\(UUID().uuidString)&external_id=ada", "campaign_id"),
                (known, "external_id"), ("\(known)&external_id=nobody", "external_id"),
            ] {
                let answer = try await client.get(address)
                #expect(answer.status == .badRequest, "\(address)")
                #expect(answer.message.contains(field), "\(address): \(answer.body)")
            }
        }
    }
}
