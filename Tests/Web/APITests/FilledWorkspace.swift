import Audience
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import StoreConformance
import Testing

/// A workspace that has something of everything.
struct FilledWorkspace: CampaignSteps {
    /// Stores something of everything and says what it is called.
    static func fill(_ client: APIClient) async throws -> [String: [JSONValue]] {
        let fixture = StoreConformance.Fixture(workspace: client.workspace, app: client.app)
        let conformance = StoreConformance(client.store)
        let device = try await conformance.register("ada", token: "01", in: fixture)
        _ = try await conformance.register("bob", token: "02", in: fixture)
        let stored = try await client.post(
            "/users/track",
            [
                "attributes": [
                    ["external_id": "ada", "email": "ada@example.org", "phone": "+815012345678"],
                    ["external_id": "bob", "plan": "pro", "tags": ["a"]],
                ],
                "events": [["external_id": "ada", "name": "viewed", "time": "2026-09-01"]],
                "purchases": [
                    [
                        "external_id": "ada", "product_id": "tea", "currency": "JPY", "price": 3,
                        "time": "2026-09-01",
                    ]
                ],
            ]
        )
        #expect(stored.errors.isEmpty)
        let block = try await client.post(
            "/content_blocks/create",
            ["name": "greeting", "content": "Hi"]
        )
        let catalog = try await client.post(
            "/catalogs",
            ["catalogs": [["name": "teas", "fields": [["name": "id", "type": "string"]]]]]
        )
        #expect(catalog.status == .created)
        let tea = try await client.post("/catalogs/teas/items/T-1", ["items": [[:]]])
        #expect(tea.status == .created)
        let shown = try await client.post(
            "/in_app_messages/create",
            [
                "name": "Welcome",
                "message": [
                    "type": "modal", "message": "Hello",
                    "rules": ["triggers": [["type": "session_start"]]],
                ],
            ]
        )
        let ada = try #require(try await client.profile("ada"))
        let center = try await client.post(
            "/preference_center/v1",
            [
                "name": "letters", "preference_center_page_html": "Choose",
                "confirmation_page_html": "Thank you",
            ]
        )
        let item = try await client.store.createNews(
            NewsContent(title: "New"),
            author: "Ada",
            in: client.workspace,
            now: APIClient.now
        )
        var form = JourneySchemaExample.value
        form["entry"] = ["type": "api"]
        let journey = try await client.post("/journeys/create", .object(form))
        let journeyID = journey.body["journey_id"] ?? .null
        let published = try await client.post("/journeys/publish", ["journey_id": journeyID])
        #expect(published.status == .created, "\(published.body)")
        let details = try await client.get(
            "/journeys/details?journey_id=\(journeyID.stringValue ?? "")"
        )
        let step = details.body["journey"]?["steps"]?.arrayValue?.first?["id"] ?? .null
        let member = try await client.post("/scim/v2/Users", ["userName": "ada@example.com"])
        return [
            "external_id": ["ada", "bob", "nobody"], "external_ids": ["ada", ["bob", "nobody"]],
            "external_user_id": ["ada", "bob"], "email": ["ada@example.org", "x@example.org"],
            "phone": ["+815012345678"], "braze_id": [.string(ada.publicID.uuidString)],
            "device_id": [.string(device.uuidString)], "name": ["viewed", "greeting"],
            "event": ["viewed", "unknown"], "product": ["tea"], "catalog_name": ["teas", "none"],
            "item_id": ["T-1", "T-2"], "user_id": ["ada"], "card_id": [.string("\(item.id)")],
            "content_block_id": [block.body["content_block_id"] ?? .null],
            "in_app_message_id": [shown.body["in_app_message_id"] ?? .null],
            "app_id": [.string(client.app.sdkKey)],
            "preference_center_id": [center.body["preference_center_api_id"] ?? .null],
            "member_id": [member.body["id"] ?? .null], "userName": ["ada@example.com"],
            "journey_id": [journeyID], "canvas_id": [journeyID], "step_id": [step],
        ].merging(try await campaign(client)) { $1 }
            .merging(try await audiences(client)) { $1 }
    }

    /// A campaign that was sent.
    private static func campaign(_ client: APIClient) async throws -> [String: [JSONValue]] {
        let steps = FilledWorkspace()
        let campaign = try await steps.campaign(client)
        let sent = try await client.post(
            "/campaigns/trigger/send",
            [
                "campaign_id": steps.id(campaign), "recipients": [["external_user_id": "ada"]],
            ]
        )
        let name = try await client.post(
            "/sends/id/create",
            ["campaign_id": steps.id(campaign), "send_id": "launch-1"]
        )
        #expect(name.status == .created, "\(name.body)")
        return [
            "campaign_id": [steps.id(campaign)], "send_id": ["launch-1"],
            "dispatch_id": [try #require(sent.body["dispatch_id"])],
            "message_variation_id": campaign.content.variants.map {
                .string($0.apiID.uuidString)
            },
        ]
    }

    /// A segment, a subscription group, a report and a file that can be read in.
    private static func audiences(_ client: APIClient) async throws -> [String: [JSONValue]] {
        let segment = try await SegmentService(store: client.store, now: { APIClient.now }).create(
            SegmentService.Draft(name: "Pro", description: "", definition: .text(#"plan = "pro""#)),
            by: client.actor
        )
        let group = try await client.post(
            "/subscription/groups/create",
            ["name": "Weekly", "channel": "email"]
        )
        let report = try await client.post(
            "/reports/create",
            [
                "name": "Sessions", "kind": "series",
                "question": ["length": 7, "series": ["session": true]],
            ]
        )
        #expect(report.status == .created, "\(report.body)")
        let folder = client.syncFolder.appending(path: "\(client.workspace)/users")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("external_id\neve\n".utf8).write(to: folder.appending(path: "loyalty.csv"))
        let files = try await client.get("/cdi/integrations").body["results"]?.arrayValue
        let file = try #require(files?.first?["integration_id"])
        let id = JSONValue.string(segment.apiID.uuidString)
        return [
            "segment_id": [id], "other_segment_id": [id],
            "report_id": [report.body["id"] ?? .null],
            "subscription_group_id": [group.body["subscription_group_id"] ?? .null],
            "integration_id": [file],
        ]
    }
}
