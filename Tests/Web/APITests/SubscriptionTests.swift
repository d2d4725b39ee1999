import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Testing

@Suite("Subscriptions")
struct SubscriptionTests {
    private func group(_ name: String, in client: APIClient) async throws -> String {
        let group = SubscriptionGroup(
            id: UUID(),
            workspace: client.workspace,
            name: name,
            channel: .email
        )
        try await client.store.createSubscriptionGroup(group, noting: nil, now: APIClient.now)
        return group.id.uuidString.lowercased()
    }

    private func fill(_ client: APIClient) async throws {
        _ = try await client.post(
            "/users/track",
            [
                "attributes": [
                    ["external_id": "ada", "email": "ada@example.com"],
                    ["external_id": "bob", "email": "bob@example.com", "phone": "+81300"],
                ]
            ]
        )
    }

    @Test("users join and leave groups; the other groups stay as they are")
    func groups() async throws {
        try await APIClient.run { client in
            try await fill(client)
            let news = try await group("News", in: client)
            let tea = try await group("Tea", in: client)
            for (id, state) in [(news, "subscribed"), (tea, "subscribed"), (tea, "unsubscribed")] {
                let answer = try await client.post(
                    "/subscription/status/set",
                    [
                        "subscription_group_id": .string(id),
                        "subscription_state": .string(state), "external_id": ["ada", "nobody"],
                    ]
                )
                #expect(answer.status == .created)
            }
            let status = try await client.get(
                "/subscription/status/get?subscription_group_id=\(news)"
                    + "&external_id=ada&external_id=bob&external_id=nobody"
            )
            #expect(
                status.body["status"]
                    == ["ada": "Subscribed", "bob": "Unknown", "nobody": "Unknown"]
            )
            let user = try await client.get("/subscription/user/status?external_id=ada")
            #expect(user.body["total_count"] == 1)
            let groups = user.body["users"]?.arrayValue?.first?["subscription_groups"]
            #expect(
                groups == [
                    [
                        "id": .string(news), "channel": "email", "name": "News",
                        "status": "Subscribed",
                    ],
                    [
                        "id": .string(tea), "channel": "email", "name": "Tea",
                        "status": "Unsubscribed",
                    ],
                ]
            )
        }
    }

    @Test("several groups are set in one request, users also by e-mail address and phone")
    func several() async throws {
        try await APIClient.run { client in
            try await fill(client)
            let news = try await group("News", in: client)
            let answer = try await client.post(
                "/v2/subscription/status/set",
                [
                    "subscription_groups": [
                        [
                            "subscription_group_id": .string(news),
                            "subscription_state": "subscribed", "emails": ["ADA@example.com"],
                        ],
                        [
                            "subscription_group_id": .string(news),
                            "subscription_state": "unsubscribed", "phones": ["+81300"],
                        ],
                    ]
                ]
            )
            #expect(answer.status == .created)
            let id = try #require(UUID(uuidString: news))
            #expect(try await client.profile("ada")?.subscriptionGroups == [id: .subscribed])
            #expect(try await client.profile("bob")?.subscriptionGroups == [id: .unsubscribed])
        }
    }

    @Test("an unknown group, an unknown state and no user are refused by name")
    func faults() async throws {
        try await APIClient.run { client in
            let news = try await group("News", in: client)
            let cases: [(JSONValue, String)] = [
                (
                    [
                        "subscription_group_id": .string(UUID().uuidString),
                        "subscription_state": "subscribed", "external_id": "ada",
                    ],
                    "subscription_group_id"
                ),
                (
                    [
                        "subscription_group_id": .string(news), "subscription_state": "maybe",
                        "external_id": "ada",
                    ],
                    "subscription_state"
                ),
                (
                    [
                        "subscription_group_id": .string(news),
                        "subscription_state": "subscribed",
                    ],
                    "external_id"
                ),
            ]
            for (body, field) in cases {
                let answer = try await client.post("/subscription/status/set", body)
                #expect(answer.status == .badRequest)
                #expect(answer.errors.first?["field"] == .string(field))
            }
        }
    }

    @Test("a group that does not exist is named, the others of the element are joined")
    func unknownGroup() async throws {
        try await APIClient.run { client in
            let news = try await group("News", in: client)
            let groups: [JSONValue] = [UUID().uuidString, "no-uuid", news.uppercased()].map {
                ["subscription_group_id": .string($0), "subscription_state": "subscribed"]
            }
            let answer = try await client.post(
                "/users/track",
                [
                    "attributes": [
                        [
                            "external_id": "ada", "plan": "pro",
                            "subscription_groups": .array(groups),
                        ]
                    ]
                ]
            )
            #expect(answer.body["attributes_processed"] == 1)
            #expect(
                answer.errors.compactMap { $0["field"]?.stringValue } == [
                    "subscription_groups.0.subscription_group_id",
                    "subscription_groups.1.subscription_group_id",
                ]
            )
            let ada = try #require(try await client.profile("ada"))
            #expect(ada.custom == ["plan": "pro"])
            #expect(
                ada.standard[.subscriptionGroups] == [
                    ["subscription_group_id": .string(news), "subscription_state": "subscribed"]
                ]
            )
        }
    }

    @Test("an address that two users share is listed once")
    func shared() async throws {
        try await APIClient.run { client in
            _ = try await client.post(
                "/users/track",
                [
                    "attributes": [
                        ["external_id": "ada", "email": "both@example.com"],
                        ["external_id": "bob", "email": "Both@example.com"],
                        ["external_id": "eve", "email": "eve@example.com"],
                    ]
                ]
            )
            _ = try await client.post(
                "/email/status",
                [
                    "email": ["both@example.com", "eve@example.com"],
                    "subscription_state": "unsubscribed",
                ]
            )
            let list = try await client.get("/email/unsubscribes?start_date=2026-09-01")
            let emails = try #require(list.body["emails"]?.arrayValue)
            #expect(
                emails.compactMap { $0["email"]?.stringValue?.lowercased() }.sorted() == [
                    "both@example.com", "eve@example.com",
                ]
            )
        }
    }

    @Test("who unsubscribes from e-mail is listed with the time")
    func email() async throws {
        try await APIClient.run { client in
            try await fill(client)
            let answer = try await client.post(
                "/email/status",
                ["email": "ada@example.com", "subscription_state": "unsubscribed"]
            )
            #expect(answer.status == .created)
            let list = try await client.get(
                "/email/unsubscribes?start_date=2026-09-21&end_date=2026-09-21"
            )
            #expect(
                list.body["emails"] == [
                    [
                        "email": "ada@example.com",
                        "unsubscribed_at": .string(Timestamp.format(APIClient.now)),
                    ]
                ]
            )
            let before = try await client.get(
                "/email/unsubscribes?start_date=2026-09-01&end_date=2026-09-20"
            )
            #expect(before.body["emails"] == [])
            #expect(try await client.get("/email/unsubscribes").status == .badRequest)
            _ = try await client.post(
                "/email/status",
                ["email": "ada@example.com", "subscription_state": "opted_in"]
            )
            let after = try await client.get("/email/unsubscribes?email=ada@example.com")
            #expect(after.body["emails"] == [])
        }
    }
}
