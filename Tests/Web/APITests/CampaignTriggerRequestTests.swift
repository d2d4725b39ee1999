import Campaigns
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import StoreConformance
import Testing

@Suite("Campaigns that requests trigger")
struct CampaignTriggerRequestTests: CampaignSteps {
    @Test("named recipients get their own properties and attributes, unknown ones are passed over")
    func recipients() async throws {
        try await APIClient.run { client in
            try await register(["ada", "ben"], client)
            let campaign = try await campaign(client)
            let answer = try await client.post(
                "/campaigns/trigger/send",
                [
                    "campaign_id": id(campaign), "trigger_properties": ["order": "all"],
                    "recipients": [
                        [
                            "external_user_id": "ada", "trigger_properties": ["order": "7"],
                            "attributes": ["first_name": "Ada"],
                        ], ["external_user_id": "ben"], ["external_user_id": "nobody"],
                        [
                            "external_user_id": "new", "send_to_existing_only": false,
                            "attributes": ["first_name": "New"],
                        ],
                    ],
                ]
            )
            #expect(answer.status == .created)
            let send = try await send(answer, client)
            let ada = try #require(try await client.profile("ada"))
            #expect(ada.standard[.firstName] == "Ada")
            #expect(try await client.profile("nobody") == nil)
            let named = [
                ada.id, try #require(try await client.profile("ben")).id,
                try #require(try await client.profile("new")).id,
            ]
            #expect(send.content.audience == .profiles(named.sorted()))
            #expect(send.content.triggerProperties == ["order": "all"])
            // What the worker renders is the user's own first, then what is for all.
            let planned = try await plan(send, client)
            #expect(planned["ada"]?.trigger["order"] == "7")
            #expect(planned["ben"]?.trigger["order"] == nil)
        }
    }

    /// The users of a send's ledger, with their properties.
    private func plan(
        _ send: Send,
        _ client: APIClient
    ) async throws -> [String: MessageProperties] {
        _ = try await client.store.startPlanningDueSends(now: APIClient.now)
        while try await !client.planner.planNextBatch(of: send, limit: 2).isComplete {}
        let claimed = try await client.store.claimDispatches(
            ClaimRequest(
                limit: 100,
                owner: "test",
                leaseEnd: APIClient.now.addingTimeInterval(60),
                now: APIClient.now
            )
        ).rows
        return Dictionary(
            uniqueKeysWithValues: claimed.map { ($0.profile.externalID ?? "", $0.properties) }
        )
    }

    @Test("the same key sends once, whatever happens; another request under it is refused")
    func idempotency() async throws {
        try await APIClient.run { client in
            try await register(["ada", "ben"], client)
            let campaign = try await campaign(client)
            let name = try #require(HTTPField.Name("Idempotency-Key"))
            func post(_ user: String, _ key: String) async throws -> APIClient.Answer {
                try await client.post(
                    "/campaigns/trigger/send",
                    [
                        "campaign_id": id(campaign),
                        "recipients": [["external_user_id": .string(user)]],
                    ],
                    headers: [name: key]
                )
            }
            let first = try await post("ada", "order-7")
            let again = try await post("ada", "order-7")
            #expect(first.status == .created)
            #expect(again.status == .created)
            #expect(first.body["dispatch_id"] == again.body["dispatch_id"])
            #expect(try await post("ben", "order-7").status == .badRequest)
            #expect(try await post("ada", "order-8").body != first.body)
            let sends = try await client.store.sends(of: campaign.id, limit: 10, offset: 0)
            #expect(sends.count == 2)
        }
    }

    @Test("a broadcast goes to the campaign's audience, narrowed by filters")
    func broadcast() async throws {
        try await APIClient.run { client in
            let campaign = try await campaign(client)
            let all = try await client.post(
                "/campaigns/trigger/send",
                ["campaign_id": id(campaign), "broadcast": true]
            )
            #expect(try await send(all, client).content.audience == .everyone)
            let some = try await client.post(
                "/campaigns/trigger/send",
                [
                    "campaign_id": id(campaign), "broadcast": true,
                    "audience": [
                        "custom_attribute": [
                            "custom_attribute_name": "plan", "comparison": "equals",
                            "value": "pro",
                        ]
                    ],
                ]
            )
            guard case .matching(let query) = try await send(some, client).content.audience else {
                Issue.record("the filter is lost")
                return
            }
            #expect(query.filter?.contains("plan") == true)
        }
    }

    @Test(
        "what cannot be sent is refused with the field",
        arguments: [
            ([:], "recipients"),
            (["broadcast": true, "recipients": [["external_user_id": "ada"]]], "broadcast"),
            (["recipients": [[:]]], "recipients.0.external_user_id"),
            (
                [
                    "recipients": [
                        ["external_user_id": "ada", "send_to_existing_only": false]
                    ]
                ], "recipients.0.attributes"
            ),
            (["broadcast": true, "trigger_properties": 7], "trigger_properties"),
            (["broadcast": true, "send_id": "a b"], "send_id"),
            (["broadcast": true, "segment_id": "nothing"], "segment_id"),
            (["broadcast": true, "audience": ["AND": []]], "audience.AND"),
            (
                ["recipients": .array(Array(repeating: ["external_user_id": "ada"], count: 51))],
                "recipients"
            ),
        ] as [(JSONValue, String)]
    )
    func refused(_ body: JSONValue, _ field: String) async throws {
        try await APIClient.run { client in
            let campaign = try await campaign(client)
            var body = body.objectValue ?? [:]
            body["campaign_id"] = id(campaign)
            let answer = try await client.post("/campaigns/trigger/send", .object(body))
            #expect(answer.status == .badRequest)
            #expect(answer.errors.first?["field"]?.stringValue == field)
            #expect(try await client.store.sends(of: campaign.id, limit: 1, offset: 0).isEmpty)
        }
    }

    @Test("an unknown campaign, one that is not active, and one with another trigger are refused")
    func notTriggered() async throws {
        try await APIClient.run { client in
            let draft = try await campaign(client, isActive: false)
            let timed = try await campaign(client, .immediately)
            for id in [id(draft), id(timed), .string(UUID().uuidString), "seven"] {
                let answer = try await client.post(
                    "/campaigns/trigger/send",
                    ["campaign_id": id, "broadcast": true]
                )
                #expect(answer.status == .badRequest)
                #expect(!answer.message.isEmpty)
            }
        }
    }

    @Test("a scheduled one waits, is moved and is stopped")
    func schedule() async throws {
        try await APIClient.run { client in
            let campaign = try await campaign(client)
            let time = APIClient.now.addingTimeInterval(86_400)
            let made = try await client.post(
                "/campaigns/trigger/schedule/create",
                [
                    "campaign_id": id(campaign), "broadcast": true,
                    "schedule": ["time": .string(Timestamp.format(time))],
                ]
            )
            #expect(made.status == .created)
            let schedule = try #require(made.body["schedule_id"])
            #expect(try await send(made, client).scheduledAt == time)
            let moved = try await client.post(
                "/campaigns/trigger/schedule/update",
                [
                    "campaign_id": id(campaign), "schedule_id": schedule,
                    "schedule": ["time": "2026-12-24T18:00:00Z", "in_local_time": true],
                ]
            )
            #expect(moved.status == .created)
            let changed = try await send(made, client)
            // Six in the evening comes first to the east of the date line.
            #expect(Timestamp.format(changed.scheduledAt) == "2026-12-24T04:00:00.000Z")
            #expect(changed.content.launch?.localTime == TimeOfDay("18:00"))
            // Each clock shows what was written, whatever offset stands behind it.
            for offset in ["+09:00", "-0330", "+14", " +05:45", ""] {
                let text = "2026-12-24T18:00:00\(offset)"
                let again = try await client.post(
                    "/campaigns/trigger/schedule/update",
                    [
                        "campaign_id": id(campaign), "schedule_id": schedule,
                        "schedule": ["time": .string(text), "in_local_time": true],
                    ]
                )
                #expect(again.status == .created, "\(text)")
                let launch = try await send(made, client).content.launch
                #expect(launch?.localDay == CalendarDay("2026-12-24"), "\(text)")
                #expect(launch?.localTime == TimeOfDay("18:00"), "\(text)")
            }
            let other = try await self.campaign(client)
            let wrong = try await client.post(
                "/campaigns/trigger/schedule/delete",
                ["campaign_id": id(other), "schedule_id": schedule]
            )
            #expect(wrong.status == .badRequest)
            let stopped = try await client.post(
                "/campaigns/trigger/schedule/delete",
                ["campaign_id": id(campaign), "schedule_id": schedule]
            )
            #expect(stopped.status == .created)
            #expect(try await send(made, client).state == .cancelled)
        }
    }
}
