import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import StoreConformance
import Testing

@Suite("Whole numbers for users' names")
struct NumberedUserTests: CampaignSteps {
    private func track(_ names: [JSONValue], _ client: APIClient) async throws {
        let answer = try await client.post(
            "/users/track",
            ["attributes": .array(names.map { ["external_id": $0, "plan": "pro"] })]
        )
        #expect(answer.status == .created)
        #expect(answer.errors.isEmpty)
    }

    @Test("an integer is taken as its digits wherever a request names a user")
    func integers() async throws {
        try await APIClient.run { client in
            try await track([12, 13, 14, -15, 9_223_372_036_854_775_807], client)
            let first = try #require(try await client.profile("12"))
            #expect(try await client.profile("9223372036854775807") != nil)

            let sent = try await client.post(
                "/messages/send",
                ["external_user_ids": [12, "13"], "messages": ["apple_push": ["alert": "Hi"]]]
            )
            let second = try #require(try await client.profile("13"))
            #expect(
                try await send(sent, client).content.audience == .profiles([first.id, second.id])
            )
            let exported = try await client.post(
                "/users/export/ids",
                ["external_ids": [12, -15, 99], "fields_to_export": ["external_id"]]
            )
            #expect(exported.body["users"] == [["external_id": "12"], ["external_id": "-15"]])
            #expect(exported.body["invalid_user_ids"] == ["99"])

            let campaign = try await campaign(client)
            let triggered = try await client.post(
                "/campaigns/trigger/send",
                ["campaign_id": id(campaign), "recipients": [["external_user_id": 12]]]
            )
            #expect(try await send(triggered, client).content.audience == .profiles([first.id]))

            let named = try await client.post(
                "/users/alias/new",
                ["user_aliases": [["external_id": 12, "alias_name": "a", "alias_label": "l"]]]
            )
            #expect(named.body["aliases_processed"] == 1)
            let renamed = try await client.post(
                "/users/external_ids/rename",
                ["external_id_renames": [["current_external_id": 13, "new_external_id": 130]]]
            )
            #expect(renamed.body["external_ids"] == ["130"])
            let removed = try await client.post(
                "/users/external_ids/remove",
                ["external_ids": [13]]
            )
            #expect(removed.body["external_ids"] == ["13"])
            let merged = try await client.post(
                "/users/merge",
                [
                    "merge_updates": [
                        [
                            "identifier_to_merge": ["external_id": 130],
                            "identifier_to_keep": ["external_id": 14],
                        ]
                    ]
                ]
            )
            #expect(merged.status == .accepted)
            #expect(try await client.profile("130") == nil)

            let group = SubscriptionGroup(
                id: UUID(),
                workspace: client.workspace,
                name: "News",
                channel: .email
            )
            try await client.store.createSubscriptionGroup(group, noting: nil, now: APIClient.now)
            for id in [14, [14, 12]] as [JSONValue] {
                let joined = try await client.post(
                    "/subscription/status/set",
                    [
                        "subscription_group_id": .string(group.id.uuidString),
                        "subscription_state": "subscribed", "external_id": id,
                    ]
                )
                #expect(joined.status == .created)
            }
            let states = try await client.profile("12")?.subscriptionGroups
            #expect(states == [group.id: .subscribed])

            let deleted = try await client.post("/users/delete", ["external_ids": [12, 14]])
            #expect(deleted.body["deleted"] == 2)
            #expect(try await client.profile("12") == nil)
        }
    }

    @Test(
        "fractions, truth values and other things are refused by the name of the field",
        arguments: [1.5, true, ["a"], [:], ""] as [JSONValue]
    )
    func others(value: JSONValue) async throws {
        try await APIClient.run { client in
            let push: JSONValue = ["apple_push": ["alert": "Hi"]]
            let campaign = try await campaign(client)
            let cases: [(String, JSONValue, String)] = [
                (
                    "/messages/send", ["external_user_ids": ["a", value], "messages": push],
                    "external_user_ids.1"
                ),
                ("/users/export/ids", ["external_ids": [value]], "external_ids.0"),
                ("/users/delete", ["external_ids": [value]], "external_ids.0"),
                ("/users/external_ids/remove", ["external_ids": [value]], "external_ids.0"),
                (
                    "/campaigns/trigger/send",
                    ["campaign_id": id(campaign), "recipients": [["external_user_id": value]]],
                    "recipients.0.external_user_id"
                ),
                (
                    "/users/identify",
                    [
                        "aliases_to_identify": [
                            [
                                "external_id": value,
                                "user_alias": ["alias_name": "a", "alias_label": "b"],
                            ]
                        ]
                    ], "aliases_to_identify.0.external_id"
                ),
            ]
            for (path, body, field) in cases {
                let answer = try await client.post(path, body)
                #expect(answer.status == .badRequest, "\(path)")
                #expect(answer.errors.first?["field"] == .string(field), "\(path)")
            }
            let tracked = try await client.post(
                "/users/track",
                ["attributes": [["external_id": value, "plan": "pro"]]]
            )
            #expect(tracked.errors.first?["field"] == "external_id")
        }
    }
}
