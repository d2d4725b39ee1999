import Campaigns
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Testing

@Suite("What /campaigns/experiment tells")
struct ExperimentTests: CampaignSteps {
    @Test("groups are told with their users, what they did and what may be said of it")
    func groups() async throws {
        try await APIClient.run { client in
            var content = try await campaign(client, isActive: false).content
            content.variants.append(
                CampaignVariant(
                    apiID: UUID(),
                    name: "B",
                    weight: 3,
                    message: content.variants[0].message
                )
            )
            content.controlShare = 20
            content.delivery = .immediately
            let campaign = try await client.campaigns.create(content, by: client.actor)
            let query = "/campaigns/experiment?campaign_id=\(campaign.apiID.uuidString)"
            let answer = try await client.get(query + "&baseline_rate=0.05&smallest_lift=0.2")
            #expect(answer.status == .ok)
            let groups = try #require(answer.body["groups"]?.arrayValue)
            #expect(
                groups.map { $0["id"]?.stringValue } == [
                    "control", campaign.content.variants[0].apiID.uuidString.lowercased(),
                    campaign.content.variants[1].apiID.uuidString.lowercased(),
                ]
            )
            let shares = groups.compactMap { $0["share"]?.doubleValue }
            #expect(shares.map { ($0 * 100).rounded() } == [20, 20, 60])
            #expect(answer.body["since"] == .null)
            #expect(answer.body["split"]?["is_alarm"] == false)
            let sequential = try #require(
                answer.body["required_users"]?["sequential"]?.integerValue
            )
            let fixed = try #require(answer.body["required_users"]?["fixed"]?.integerValue)
            #expect(sequential > fixed)
            let measures = try #require(answer.body["measures"]?.arrayValue)
            #expect(
                measures.map { $0["measure"]?.stringValue }
                    == ["conversions", "revenue", "opens", "direct_opens"]
            )
            #expect(measures[0]["verdict"] == "nothing_to_compare")
            #expect(measures[0]["comparisons"]?.arrayValue?.count == 3)
            #expect(measures[2]["comparisons"]?.arrayValue?.count == 1)
        }
    }

    @Test("a lift or a rate that cannot be is refused by its name")
    func refused() async throws {
        try await APIClient.run { client in
            let campaign = try await campaign(client)
            let query = "/campaigns/experiment?campaign_id=\(campaign.apiID.uuidString)"
            for wrong in [
                "smallest_lift=0", "smallest_lift=x", "baseline_rate=1", "baseline_rate=nan",
            ] {
                let answer = try await client.get("\(query)&\(wrong)")
                #expect(answer.status == .badRequest, "\(wrong)")
                let field = wrong.prefix { $0 != "=" }
                #expect(
                    answer.body["message"]?.stringValue?.contains(field) == true,
                    "\(answer.body)"
                )
            }
            #expect(try await client.get("/campaigns/experiment").status == .badRequest)
        }
    }
}
