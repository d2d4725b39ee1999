import Campaigns
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import StoreConformance
import Testing

@Suite("/campaigns and /sends")
struct CampaignTests {
    private func campaign(
        _ client: APIClient,
        name: String = "Order shipped",
        _ delivery: CampaignDelivery = .apiTriggered,
        isActive: Bool = true
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
        let campaign = try await client.campaigns.create(content, in: client.workspace)
        if isActive { try await client.campaigns.activate(campaign) }
        return try #require(try await client.store.campaign(campaign.id))
    }

    private func id(_ campaign: Campaign) -> JSONValue { .string(campaign.apiID.uuidString) }

    private func register(_ names: [String], _ client: APIClient) async throws {
        let conformance = StoreConformance(client.store)
        let fixture = StoreConformance.Fixture(workspace: client.workspace, app: client.app)
        for name in names {
            try await conformance.register(name, token: "token-\(name)", in: fixture)
        }
    }

    private func send(_ answer: APIClient.Answer, _ client: APIClient) async throws -> Send {
        let text = try #require(answer.body["dispatch_id"]?.stringValue)
        let number = try #require(Int64(text))
        return try #require(try await client.store.send(SendID(number)))
    }

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
    ) async throws -> [String: DispatchProperties] {
        _ = try await client.store.beginPlanning(now: APIClient.now)
        while try await !client.planner.planNextChunk(of: send, limit: 2).isComplete {}
        let claimed = try await client.store.claimDispatches(
            DispatchRequest(
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

    @Test(
        "campaigns are listed by page, order and time of the last change; archived ones on demand"
    )
    func list() async throws {
        try await APIClient.run { client in
            let first = try await campaign(client, name: "First")
            let second = try await campaign(client, name: "Second", isActive: false)
            try await client.campaigns.archive(second)
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
                _ = try await client.store.beginPlanning(now: APIClient.now)
                while try await !client.planner.planNextChunk(of: send, limit: 9).isComplete {}
            }
            let claimed = try await client.store.claimDispatches(
                DispatchRequest(
                    limit: 100,
                    owner: "test",
                    leaseEnd: APIClient.now.addingTimeInterval(60),
                    now: APIClient.now
                )
            ).rows
            try await client.store.record(
                claimed.map {
                    DispatchResult(
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
