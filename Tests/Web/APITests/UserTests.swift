import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import StoreConformance
import Testing

@Suite("/users")
struct UserTests {
    private func track(_ attributes: [JSONValue], _ client: APIClient) async throws {
        let answer = try await client.post("/users/track", ["attributes": .array(attributes)])
        #expect(answer.status == .created)
        #expect(answer.errors.isEmpty)
    }

    @Test("the figures of a user are those of all time, also after a merge")
    func figures() async throws {
        try await APIClient.run { client in
            let conformance = StoreConformance(client.store)
            let fixture = StoreConformance.Fixture(workspace: client.workspace, app: client.app)
            let phone = try await conformance.register("ada", token: "01", in: fixture)
            let message = UUID().uuidString.lowercased()
            func shown(
                _ kind: SDKRecord.InAppMessageInteraction.Kind,
                _ variant: String?
            ) -> IngestItem.Content {
                .inAppMessage(
                    .init(kind: kind, message: message, button: nil, variant: variant)
                )
            }
            try await conformance.batch(
                [
                    (.external("ada"), .sessionStarted),
                    (.external("ada"), shown(.impression, nil)),
                    (.external("ada"), shown(.click, nil)),
                    (.external("ada"), shown(.impression, "control")),
                ],
                from: phone,
                in: fixture
            )
            func buys(_ user: String, _ currency: String, _ price: JSONValue) -> JSONValue {
                [
                    "external_id": .string(user), "product_id": "tea", "price": price,
                    "currency": .string(currency), "quantity": 2, "time": "2026-09-01T00:00:00Z",
                ]
            }
            let tracked = try await client.post(
                "/users/track",
                [
                    "purchases": [
                        buys("ada", "JPY", 640), buys("bob", "JPY", 0.1), buys("bob", "EUR", 3.5),
                    ]
                ]
            )
            #expect(tracked.errors.isEmpty)
            let merged = try await client.post(
                "/users/merge",
                [
                    "merge_updates": [
                        [
                            "identifier_to_merge": ["external_id": "bob"],
                            "identifier_to_keep": ["external_id": "ada"],
                        ]
                    ]
                ]
            )
            #expect(merged.status == .accepted)
            let answer = try await client.get("/users/figures?external_id=ada")
            #expect(answer.status == .ok)
            #expect(answer.body["sessions"] == 1)
            #expect(answer.body["in_app_message"]?["impressions"] == 1)
            #expect(answer.body["in_app_message"]?["clicks"] == 1)
            #expect(answer.body["revenue"]?["JPY"]?.doubleValue == 1280.2)
            #expect(answer.body["revenue"]?["EUR"]?.doubleValue == 7)
            #expect(answer.body["purchase_quantity"]?.doubleValue == 6)
            #expect(answer.body["conversions"] == 0)
            #expect(answer.body["last_session"] == answer.body["first_session"])
            let nobody = try await client.get("/users/figures?external_id=bob")
            #expect(nobody.status == .badRequest)
            #expect(nobody.message.contains("external_id"))
        }
    }

    @Test("an export has everything that is known, and names who is unknown")
    func export() async throws {
        try await APIClient.run { client in
            let conformance = StoreConformance(client.store)
            let fixture = StoreConformance.Fixture(workspace: client.workspace, app: client.app)
            let installation = try await conformance.register("ada", token: "01", in: fixture)
            try await track(
                [["external_id": "ada", "first_name": "Ada", "plan": "pro"]],
                client
            )
            _ = try await client.post(
                "/users/track",
                [
                    "events": [
                        ["external_id": "ada", "name": "viewed", "time": "2026-09-01T00:00:00Z"]
                    ]
                ]
            )
            _ = try await client.post(
                "/users/alias/new",
                [
                    "user_aliases": [
                        ["external_id": "ada", "alias_name": "a", "alias_label": "shop"]
                    ]
                ]
            )
            let answer = try await client.post(
                "/users/export/ids",
                ["external_ids": ["ada", "nobody"]]
            )
            #expect(answer.status == .created)
            #expect(answer.body["invalid_user_ids"] == ["nobody"])
            let users = try #require(answer.body["users"]?.arrayValue)
            #expect(users.count == 1)
            let ada = try #require(users.first)
            #expect(ada["first_name"] == "Ada")
            #expect(ada["custom_attributes"] == ["plan": "pro"])
            #expect(ada["user_aliases"] == [["alias_name": "a", "alias_label": "shop"]])
            #expect(ada["custom_events"]?.arrayValue?.first?["count"] == 1)
            #expect(ada["push_tokens"]?.arrayValue?.first?["token"] == "01")
            let device = try await client.post(
                "/users/export/ids",
                [
                    "device_id": .string(installation.uuidString),
                    "fields_to_export": ["external_id"],
                ]
            )
            #expect(device.body["users"] == [["external_id": "ada"]])
            let nothing = try await client.post("/users/export/ids", ["fields_to_export": []])
            #expect(nothing.status == .badRequest)
        }
    }

    @Test("an export has every field that Braze's has, empty where nothing is known")
    func fields() async throws {
        try await APIClient.run { client in
            let time: JSONValue = "2026-09-01T00:00:00Z"
            func bought(_ price: JSONValue, _ currency: JSONValue) -> JSONValue {
                [
                    "external_id": "ada", "product_id": "tea", "price": price, "quantity": 2,
                    "currency": currency, "time": time,
                ]
            }
            _ = try await client.post(
                "/users/track",
                ["purchases": [bought(1.5, "JPY"), bought(100, "JPY")]]
            )
            let export: JSONValue = ["external_ids": ["ada"]]
            let answer = try await client.post("/users/export/ids", export)
            let ada = try #require(answer.body["users"]?.arrayValue?.first?.objectValue)
            let names = """
                created_at external_id user_aliases braze_id random_bucket first_name last_name \
                email dob home_city country phone language time_zone last_coordinates gender \
                total_revenue attributed_campaign attributed_source attributed_adgroup \
                attributed_ad push_subscribe push_opted_in_at email_subscribe custom_attributes \
                custom_events purchases devices push_tokens apps campaigns_received \
                canvases_received cards_clicked uninstalled_at
                """.split(separator: " ").map(String.init)
            #expect(Set(names).subtracting(ada.keys).isEmpty)
            #expect(ada["total_revenue"] == 203)
            #expect((0...9999).contains(try #require(ada["random_bucket"]?.integerValue)))
            #expect(ada["email_subscribe"] == "subscribed")
            for name in ["first_name", "dob", "uninstalled_at", "last_coordinates"] {
                #expect(ada[name] == .null, "\(name)")
            }
            for name in ["devices", "apps", "campaigns_received", "cards_clicked"] {
                #expect(ada[name] == [], "\(name)")
            }
            // Amounts in two currencies are no sum.
            _ = try await client.post("/users/track", ["purchases": [bought(1, "EUR")]])
            let mixed = try await client.post(
                "/users/export/ids",
                ["external_ids": ["ada"], "fields_to_export": ["total_revenue"]]
            )
            #expect(mixed.body["users"] == [["total_revenue": nil]])
        }
    }

    @Test("a deleted user is gone, and the number of the deleted is answered")
    func delete() async throws {
        try await APIClient.run { client in
            try await track(
                [
                    ["external_id": "ada", "email": "a@example.org"],
                    ["external_id": "ben", "email": "b@example.org"],
                    ["external_id": "bob", "email": "b@example.org"],
                ],
                client
            )
            let first = try await client.post(
                "/users/delete",
                ["external_ids": ["ada", "nobody"]]
            )
            #expect(first.status == .created)
            #expect(first.body["deleted"] == 1)
            #expect(try await client.profile("ada") == nil)
            // Two users have the address: without a rule nobody is meant.
            let vague = try await client.post(
                "/users/delete",
                ["email_addresses": [["email": "b@example.org"]]]
            )
            #expect(vague.body["deleted"] == 0)
            let both = try await client.post(
                "/users/delete",
                ["external_ids": ["ben"], "braze_ids": []]
            )
            #expect(both.status == .badRequest)
            #expect(try await client.profile("ben") != nil)
            let many = try await client.post(
                "/users/delete",
                ["external_ids": .array(Array(repeating: "ben", count: 51))]
            )
            #expect(many.status == .badRequest)
            #expect(many.message.contains("at most 50"))
        }
    }

    @Test("a nameless user is identified, and merged where the name is known")
    func identify() async throws {
        try await APIClient.run { client in
            for name in ["1", "2"] {
                let answer = try await client.post(
                    "/users/alias/new",
                    [
                        "user_aliases": [
                            ["alias_name": .string(name), "alias_label": .string("l\(name)")]
                        ]
                    ]
                )
                #expect(answer.body["aliases_processed"] == 1)
            }
            let identified = try await client.post(
                "/users/identify",
                [
                    "aliases_to_identify": [
                        [
                            "external_id": "ada",
                            "user_alias": ["alias_name": "1", "alias_label": "l1"],
                        ],
                        [
                            "external_id": "ada",
                            "user_alias": ["alias_name": "2", "alias_label": "l2"],
                        ],
                        [
                            "external_id": "ada",
                            "user_alias": ["alias_name": "3", "alias_label": "l3"],
                        ],
                    ]
                ]
            )
            #expect(identified.status == .created)
            #expect(identified.body["aliases_processed"] == 2)
            #expect(identified.errors.map { $0["index"]?.integerValue } == [2])
            #expect(try await client.store.userCounts(in: client.workspace).users == 1)
            let ada = try #require(try await client.profile("ada"))
            let record = try await client.store.record(of: ada.id, since: .distantPast)
            #expect(record.aliases.map(\.name) == ["1", "2"])
        }
    }

    @Test("an e-mail address is identified by the rule of the request")
    func identifyEmail() async throws {
        try await APIClient.run { client in
            try await track([["email": "a@example.org", "plan": "free"]], client)
            try await track([["external_id": "ada"]], client)
            let answer = try await client.post(
                "/users/identify",
                [
                    "emails_to_identify": [
                        [
                            "external_id": "ada", "email": "a@example.org",
                            "prioritization": ["unidentified", "most_recently_updated"],
                        ]
                    ]
                ]
            )
            #expect(answer.body["emails_processed"] == 1)
            #expect(try await client.profile("ada")?.custom == ["plan": "free"])
        }
    }

    @Test("an alias is renamed; one that nobody has is named in the errors")
    func renameAlias() async throws {
        try await APIClient.run { client in
            try await track([["external_id": "ada"]], client)
            _ = try await client.post(
                "/users/alias/new",
                [
                    "user_aliases": [
                        ["external_id": "ada", "alias_name": "a", "alias_label": "shop"]
                    ]
                ]
            )
            let answer = try await client.post(
                "/users/alias/update",
                [
                    "alias_updates": [
                        ["alias_label": "shop", "old_alias_name": "a", "new_alias_name": "b"],
                        ["alias_label": "shop", "old_alias_name": "x", "new_alias_name": "y"],
                    ]
                ]
            )
            #expect(answer.body["aliases_processed"] == 1)
            #expect(answer.errors.map { $0["index"]?.integerValue } == [1])
            let found = try await client.store.profile(
                .alias(name: "b", label: "shop"),
                in: client.workspace
            )
            #expect(found?.externalID == "ada")
        }
    }

    @Test("users are merged, and a request of another form is refused in Braze's words")
    func merge() async throws {
        try await APIClient.run { client in
            try await track(
                [["external_id": "old", "plan": "free"], ["external_id": "new"]],
                client
            )
            let update: JSONValue = [
                "identifier_to_merge": ["external_id": "old"],
                "identifier_to_keep": ["external_id": "new"],
            ]
            let answer = try await client.post("/users/merge", ["merge_updates": [update]])
            #expect(answer.status == .accepted)
            #expect(answer.message == "success")
            #expect(try await client.profile("old") == nil)
            #expect(try await client.profile("new")?.custom == ["plan": "free"])
            let wrong = try await client.post(
                "/users/merge",
                ["merge_updates": [["identifier_to_merge": ["external_id": "old"]]]]
            )
            #expect(wrong.status == .badRequest)
            #expect(
                wrong.message
                    == "'merge_updates' must only have 'identifier_to_merge' and "
                    + "'identifier_to_keep'"
            )
            for (body, message) in [
                (["merge_updates": "x"], "'merge_updates' must be an array of objects"),
                (["merge_updates": ["x"]], "'merge_updates' must be an array of objects"),
                (
                    ["merge_updates": .array(Array(repeating: update, count: 51))],
                    "a single request may not contain more than 50 merge updates"
                ),
                (
                    [
                        "merge_updates": [
                            ["identifier_to_merge": [:], "identifier_to_keep": [:]]
                        ]
                    ],
                    "identifiers must be objects with an 'external_id' property that is a string, "
                        + "'user_alias' property that is an object, 'email' property that is a "
                        + "string, or 'phone' property that is a string"
                ),
            ] as [(JSONValue, String)] {
                let refused = try await client.post("/users/merge", body)
                #expect(refused.status == .badRequest)
                #expect(refused.message == message)
            }
        }
    }

    @Test("external ids are renamed and the old ones removed")
    func externalIDs() async throws {
        try await APIClient.run { client in
            try await track([["external_id": "ada"]], client)
            let renamed = try await client.post(
                "/users/external_ids/rename",
                [
                    "external_id_renames": [
                        ["current_external_id": "ada", "new_external_id": "lovelace"],
                        ["current_external_id": "nobody", "new_external_id": "somebody"],
                    ]
                ]
            )
            #expect(renamed.status == .created)
            #expect(renamed.body["external_ids"] == ["lovelace"])
            #expect(renamed.body["rename_errors"]?.arrayValue?.count == 1)
            #expect(try await client.profile("ada")?.externalID == "lovelace")
            let removed = try await client.post(
                "/users/external_ids/remove",
                ["external_ids": ["ada", "lovelace"]]
            )
            #expect(removed.body["external_ids"] == ["ada"])
            #expect(removed.body["removal_errors"]?.arrayValue?.count == 1)
            #expect(try await client.profile("ada") == nil)
        }
    }

    @Test(
        "each endpoint needs its own permission and a body it can use",
        arguments: [
            ("/users/alias/new", "users.alias.new"), ("/users/alias/update", "users.alias.update"),
            ("/users/identify", "users.identify"), ("/users/merge", "users.merge"),
            ("/users/delete", "users.delete"), ("/users/export/ids", "users.export.ids"),
            ("/users/external_ids/rename", "users.external_ids.rename"),
            ("/users/external_ids/remove", "users.external_ids.remove"),
        ]
    )
    func permissions(_ path: String, _ permission: String) async throws {
        try await APIClient.run { client in
            let other = try await client.key(["users.track"])
            #expect(try await client.post(path, [:], key: other).status == .forbidden)
            let own = try await client.key([permission])
            #expect(try await client.post(path, [:], key: own).status == .badRequest)
            #expect(try await client.post(path, [], key: own).status == .badRequest)
        }
    }
}
