import Campaigns
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import StoreConformance
import Testing

@Suite("/rehearsals")
struct RehearsalTests: CampaignSteps {
    @Test("a campaign is rehearsed, and what that has shown can be read; nothing is sent")
    func campaign() async throws {
        try await APIClient.run { client in
            try await register(["ada"], client)
            let campaign = try await campaign(client, .immediately, isActive: false)
            let id = id(campaign)
            let query = "/rehearsals?campaign_id=\(campaign.apiID.uuidString)"
            #expect(try await client.get(query).body["state"] == "none")
            for (field, value) in [("days", 0), ("seed", -1), ("from", "tomorrow")]
                as [(String, JSONValue)]
            {
                let answer = try await client.post(
                    "/rehearsals",
                    ["campaign_id": id].with(field, value)
                )
                #expect(answer.status == .badRequest && answer.message.contains("'\(field)'"))
            }
            let begun = try await client.post("/rehearsals", ["campaign_id": id, "days": 3])
            #expect(begun.status == .accepted, "\(begun.body)")
            var answer = try await client.get(query).body
            while answer["state"] == "playing" {
                try await Task.sleep(for: .milliseconds(10))
                answer = try await client.get(query).body
            }
            #expect(answer["state"] == "done", "\(answer)")
            let result = try #require(answer["result"])
            #expect(result["days"]?.arrayValue?.isEmpty == false, "\(result)")
            #expect(result["text"]?.stringValue?.hasPrefix("Rehearsal of 3 days") == true)
            let unknown = try await client.post(
                "/rehearsals",
                ["journey_id": .string(UUID().uuidString)]
            )
            #expect(unknown.status == .badRequest && unknown.message.contains("'journey_id'"))
            let sends = try await client.store.exportSends(
                in: client.workspace,
                after: 0,
                limit: 10
            )
            #expect(sends.isEmpty)
        }
    }
}

extension [String: JSONValue] {
    fileprivate func with(_ name: String, _ value: JSONValue) -> JSONValue {
        .object(merging([name: value]) { $1 })
    }
}
