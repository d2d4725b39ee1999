import Foundation
import Model
import NoroshiWire
import Ports
import Server
import Testing

@Suite("Figures in the console")
struct FigureConsoleTests {
    @Test("a past day that has changed is shown as it is, also where another process changed it")
    func pastDays() async throws {
        try await ConsoleSession.open { console in
            let store = console.server.store
            func begin(_ sessions: Int, daysAgo days: Double) async throws {
                let profile = try await store.insert([
                    Profile(
                        id: ProfileID(0),
                        workspace: console.workspace,
                        publicID: UUID(),
                        externalID: nil,
                        anonymousID: nil,
                        createdAt: Date()
                    )
                ])
                let time = Date().addingTimeInterval(-86_400 * days)
                try await store.insert(
                    (0..<sessions).map {
                        BulkEvent(
                            profile: profile[0],
                            name: "$session_start",
                            time: time.addingTimeInterval(TimeInterval($0 % 60))
                        )
                    },
                    in: console.workspace
                )
            }
            try await begin(73, daysAgo: 3)
            #expect(try await console.get("/console").contains(">73<"))
            // As an import does: nothing announces it.
            try await begin(204, daysAgo: 5)
            #expect(try await console.get("/console").contains(">277<"))
        }
    }

    @Test("a campaign's exception can be any purchase, as a conversion can")
    func exception() async throws {
        try await ConsoleSession.open { console in
            try await console.post(
                "/console/campaigns/save",
                [
                    "name": "Cart reminder", "v0.message": "Still there", "audience": "everyone",
                    "delivery": "action", "triggerKind": "event", "triggerEvent": "cart",
                    "delay": "10", "delayUnit": "minutes", "exception": "purchase",
                    "conversionEvent": "purchase", "conversionDays": "3",
                ],
                tokenFrom: "/console/campaigns/new"
            )
            let campaigns = try await console.server.store.campaigns(
                in: console.workspace,
                matching: CampaignQuery(limit: 10)
            ).campaigns
            let campaign = try #require(campaigns.first)
            guard case .actionBased(let trigger) = campaign.content.delivery else {
                Issue.record("\(campaign.content.delivery)")
                return
            }
            #expect(trigger.exception?.kind == .purchase(product: nil))
            #expect(trigger.exception == campaign.content.conversions.first?.event)
            let page = try await console.get("/console/campaigns/\(campaign.id)/edit")
            #expect(page.contains(#"name="exception" value="purchase""#))
        }
    }
}
