import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import StoreConformance
import Testing

/// What tests of campaigns do first: make one, register users, and find the send of an answer.
protocol CampaignSteps {}

extension CampaignSteps {
    func campaign(
        _ client: APIClient,
        name: String = "Order shipped",
        _ delivery: CampaignDelivery = .apiTriggered,
        isActive: Bool = true,
        change: (inout CampaignContent) -> Void = { _ in }
    ) async throws -> Campaign {
        var content = CampaignContent(
            name: name,
            delivery: delivery,
            variants: [
                CampaignVariant(
                    apiID: UUID(),
                    name: "A",
                    message: CampaignMessage(
                        PlatformMessage(
                            PushMessage(
                                title: "Shipped",
                                body: "{{api_trigger_properties.${order}}}"
                            )
                        )
                    )
                )
            ]
        )
        content.tags = ["orders"]
        content.reeligibility = .after(0)
        content.conversions = [
            ConversionEvent(event: EventMatch(.purchase(product: "tea")), window: 86_400)
        ]
        change(&content)
        let campaign = try await client.campaigns.create(content, by: client.actor)
        if isActive { try await client.campaigns.take(.activate, with: campaign, by: client.actor) }
        return try #require(try await client.store.campaign(campaign.id))
    }

    func id(_ campaign: Campaign) -> JSONValue { .string(campaign.apiID.uuidString) }

    func register(_ names: [String], _ client: APIClient) async throws {
        let conformance = StoreConformance(client.store)
        let fixture = StoreConformance.Fixture(workspace: client.workspace, app: client.app)
        for name in names {
            try await conformance.register(name, token: "token-\(name)", in: fixture)
        }
    }

    func send(_ answer: APIClient.Answer, _ client: APIClient) async throws -> Send {
        let text = try #require(answer.body["dispatch_id"]?.stringValue)
        return try #require(try await client.store.send(named: text, in: client.workspace))
    }
}
