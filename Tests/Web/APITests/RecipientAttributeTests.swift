import Campaigns
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import StoreConformance
import Testing

@Suite("Attributes that recipients bring along")
struct RecipientAttributeTests: CampaignSteps {
    private func trigger(
        _ campaign: Campaign,
        _ recipients: [JSONValue],
        _ more: [String: JSONValue] = [:],
        path: String = "/campaigns/trigger/send",
        headers: HTTPFields = [:],
        _ client: APIClient
    ) async throws -> APIClient.Answer {
        let body: [String: JSONValue] = [
            "campaign_id": id(campaign), "recipients": .array(recipients),
        ]
        return try await client.post(
            path,
            .object(body.merging(more) { $1 }),
            headers: headers
        )
    }

    private func trigger(
        _ campaign: Campaign,
        _ recipients: [JSONValue],
        _ client: APIClient
    ) async throws -> APIClient.Answer {
        try await trigger(campaign, recipients, [:], client)
    }

    private func aliases(of user: String, _ client: APIClient) async throws -> [String: String] {
        let profile = try #require(try await client.profile(user))
        let record = try await client.store.record(of: profile.id, since: .distantPast)
        return Dictionary(uniqueKeysWithValues: record.aliases.map { ($0.label, $0.name) })
    }

    @Test("what steers the request is no attribute: the alias is added, the flags are not kept")
    func split() async throws {
        try await APIClient.run { client in
            let campaign = try await campaign(client)
            // As edX sends them, with a number for a name.
            let answer = try await trigger(
                campaign,
                [
                    [
                        "external_user_id": 4711, "send_to_existing_only": false,
                        "trigger_properties": ["order": "7"],
                        "attributes": [
                            "user_alias": ["alias_label": "course", "alias_name": "a@example.com"],
                            "email": "a@example.com", "is_enterprise_learner": true,
                            "_update_existing_only": false,
                        ],
                    ]
                ],
                ["broadcast": false, "trigger_properties": [:]],
                client
            )
            #expect(answer.status == .created, "\(answer.message)")
            #expect(answer.errors.isEmpty)
            let user = try #require(try await client.profile("4711"))
            #expect(user.custom == ["is_enterprise_learner": true])
            #expect(user.standard == [.email: "a@example.com"])
            #expect(try await aliases(of: "4711", client) == ["course": "a@example.com"])
            #expect(try await send(answer, client).content.audience == .profiles([user.id]))
        }
    }

    @Test("objects are merged where the recipient asks for it, and replaced otherwise")
    func merging() async throws {
        try await APIClient.run { client in
            try await register(["ada"], client)
            let campaign = try await campaign(client)
            for attributes in [
                ["shop": ["city": "Kyoto"]],
                ["shop": ["floor": 2], "_merge_objects": true],
            ] as [JSONValue] {
                _ = try await trigger(
                    campaign,
                    [["external_user_id": "ada", "attributes": attributes]],
                    client
                )
            }
            let merged = try await client.profile("ada")?.custom["shop"]
            #expect(merged == ["city": "Kyoto", "floor": 2])
            _ = try await trigger(
                campaign,
                [["external_user_id": "ada", "attributes": ["shop": ["floor": 3]]]],
                client
            )
            #expect(try await client.profile("ada")?.custom["shop"] == ["floor": 3])
        }
    }

    @Test("an attribute that cannot be stored is named, the others and the message count")
    func problems() async throws {
        try await APIClient.run { client in
            try await register(["ada", "ben"], client)
            let campaign = try await campaign(client)
            let answer = try await trigger(
                campaign,
                [
                    ["external_user_id": "nobody"],
                    [
                        "external_user_id": "ada",
                        "attributes": [
                            "email": "no address", "phone": "abc", "plan": "pro",
                            "subscription_groups": [
                                [
                                    "subscription_group_id": .string(UUID().uuidString),
                                    "subscription_state": "subscribed",
                                ]
                            ],
                        ],
                    ],
                ],
                client
            )
            #expect(answer.status == .created)
            #expect(
                Set(answer.errors.compactMap { $0["field"]?.stringValue }) == [
                    "attributes.email", "attributes.phone",
                    "attributes.subscription_groups.0.subscription_group_id",
                ]
            )
            #expect(answer.errors.allSatisfy { $0["index"] == 1 })
            #expect(answer.errors.allSatisfy { $0["input_array"] == "recipients" })
            let ada = try #require(try await client.profile("ada"))
            #expect(ada.custom == ["plan": "pro"])
            #expect(try await send(answer, client).content.audience == .profiles([ada.id]))
        }
    }

    @Test(
        "a refused request leaves nothing behind: no user, no attribute, no send_id",
        arguments: ["/campaigns/trigger/send", "/campaigns/trigger/schedule/create"]
    )
    func refused(path: String) async throws {
        try await APIClient.run { client in
            try await register(["ada"], client)
            let active = try await campaign(client)
            let draft = try await campaign(client, name: "Draft", isActive: false)
            let timed = try await campaign(client, name: "Timed", .immediately)
            let schedule: JSONValue = [
                "time": .string(Timestamp.format(APIClient.now.addingTimeInterval(3600)))
            ]
            func recipients(_ name: String, _ attributes: JSONValue = ["plan": "pro"])
                -> [JSONValue]
            {
                [
                    ["external_user_id": "ada", "attributes": ["plan": "pro"]],
                    [
                        "external_user_id": .string(name), "send_to_existing_only": false,
                        "attributes": attributes,
                    ],
                ]
            }
            let tracked: [String: JSONValue] = ["schedule": schedule, "send_id": "left-1"]
            for (number, campaign) in [draft, timed].enumerated() {
                let answer = try await trigger(
                    campaign,
                    recipients("refused\(number)"),
                    tracked,
                    path: path,
                    client
                )
                #expect(answer.status == .badRequest)
                #expect(try await client.profile("refused\(number)") == nil)
            }
            // A later recipient at fault, and what the store alone can tell.
            let late = try await trigger(
                active,
                recipients("refused2") + [["external_user_id": 1.5]],
                tracked,
                path: path,
                client
            )
            #expect(late.errors.first?["field"] == "recipients.2.external_user_id")
            let flag = try await trigger(
                active,
                recipients("refused3", ["_merge_objects": "yes"]),
                tracked,
                path: path,
                client
            )
            #expect(flag.errors.first?["field"] == "recipients.1.attributes._merge_objects")
            let made = try await client.post(
                "/sends/id/create",
                ["campaign_id": id(timed), "send_id": "taken"]
            )
            #expect(made.status == .created)
            let taken = try await trigger(
                active,
                recipients("refused4"),
                ["schedule": schedule, "send_id": "taken"],
                path: path,
                client
            )
            #expect(taken.errors.first?["field"] == "send_id")
            for number in 0..<5 {
                #expect(try await client.profile("refused\(number)") == nil)
            }
            #expect(try await client.profile("ada")?.custom == [:])
            #expect(try await client.store.sends(of: active.id, limit: 1, offset: 0).isEmpty)
            // The send_id of the refused requests is still free for the other campaign.
            let free = try await client.post(
                "/sends/id/create",
                ["campaign_id": id(timed), "send_id": "left-1"]
            )
            #expect(free.status == .created)
        }
    }

    @Test("under one key attributes are stored once, and another audience is refused")
    func key() async throws {
        try await APIClient.run { client in
            let campaign = try await campaign(client)
            let name = try #require(HTTPField.Name("Idempotency-Key"))
            func post(_ user: String) async throws -> APIClient.Answer {
                try await trigger(
                    campaign,
                    [
                        [
                            "external_user_id": .string(user), "send_to_existing_only": false,
                            "attributes": ["visits": ["inc": 1]],
                        ]
                    ],
                    headers: [name: "one"],
                    client
                )
            }
            let first = try await post("ada")
            let again = try await post("ada")
            #expect(first.status == .created)
            #expect(again.body["dispatch_id"] == first.body["dispatch_id"])
            #expect(try await client.profile("ada")?.custom == ["visits": 1])
            #expect(try await post("ben").status == .badRequest)
            #expect(try await client.profile("ben") == nil)
        }
    }

    @Test(
        "an e-mail address means the one user that its prioritization leaves, also for attributes"
    )
    func email() async throws {
        try await APIClient.run { client in
            let campaign = try await campaign(client)
            _ = try await client.post(
                "/users/track",
                [
                    "attributes": [
                        ["external_id": "ada", "email": "shared@example.com"],
                        [
                            "user_alias": ["alias_name": "s", "alias_label": "crm"],
                            "_update_existing_only": false, "email": "shared@example.com",
                        ],
                    ]
                ]
            )
            let recipient: [String: JSONValue] = [
                "email": "shared@example.com", "attributes": ["plan": "pro"],
            ]
            let vague = try await trigger(campaign, [.object(recipient)], client)
            #expect(try await send(vague, client).content.audience == .profiles([]))
            #expect(try await client.profile("ada")?.custom == [:])
            let clear = try await trigger(
                campaign,
                [.object(recipient.merging(["prioritization": ["identified"]]) { $1 })],
                client
            )
            let ada = try #require(try await client.profile("ada"))
            #expect(try await send(clear, client).content.audience == .profiles([ada.id]))
            #expect(ada.custom == ["plan": "pro"])
        }
    }

    @Test("with an audience the message goes to those of the named who match, as stored just now")
    func audience() async throws {
        try await APIClient.run { client in
            try await register(["ada", "ben", "eve"], client)
            let campaign = try await campaign(client)
            let filter: JSONValue = [
                "custom_attribute": [
                    "custom_attribute_name": "plan", "comparison": "equals", "value": "pro",
                ]
            ]
            let answer = try await trigger(
                campaign,
                [
                    ["external_user_id": "ada", "attributes": ["plan": "pro"]],
                    ["external_user_id": "ben", "attributes": ["plan": "free"]],
                ],
                ["audience": filter],
                client
            )
            #expect(answer.status == .created, "\(answer.message)")
            let send = try await send(answer, client)
            _ = try await client.store.startPlanningDueSends(now: APIClient.now)
            while try await !client.planner.planNextBatch(of: send, limit: 10).isComplete {}
            let claimed = try await client.store.claimDispatches(
                ClaimRequest(
                    limit: 10,
                    owner: "test",
                    leaseEnd: APIClient.now.addingTimeInterval(60),
                    now: APIClient.now
                )
            ).rows
            #expect(claimed.compactMap(\.profile.externalID) == ["ada"])
            // What they brought is stored for all of them.
            #expect(try await client.profile("ben")?.custom == ["plan": "free"])
        }
    }
}
