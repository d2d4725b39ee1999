import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Testing

@Suite("Making subscription groups")
struct SubscriptionGroupTests {
    private func create(
        _ client: APIClient,
        _ name: JSONValue,
        _ channel: JSONValue = "email"
    ) async throws -> APIClient.Answer {
        try await client.post(
            "/subscription/groups/create",
            ["name": name, "channel": channel]
        )
    }

    @Test("a group is made, listed and joined, and the audit log has it")
    func life() async throws {
        try await APIClient.run { client in
            let made = try await create(client, "Letter")
            #expect(made.status == .created, "\(made.body)")
            let id = try #require(made.body["subscription_group_id"])
            let list = try await client.get("/subscription/groups/list")
            #expect(
                list.body["subscription_groups"]
                    == [["subscription_group_id": id, "name": "Letter", "channel": "email"]]
            )
            _ = try await client.post("/users/track", ["attributes": [["external_id": "ada"]]])
            let joined = try await client.post(
                "/subscription/status/set",
                [
                    "subscription_group_id": id, "subscription_state": "subscribed",
                    "external_id": "ada",
                ]
            )
            #expect(joined.status == .created, "\(joined.body)")
            let audit = try await client.store.audit(
                in: client.workspace,
                matching: AuditQuery(text: "subscription_group_added")
            )
            #expect(audit.records.count == 1)
        }
    }

    @Test("what is wrong with a group is named")
    func problems() async throws {
        try await APIClient.run { client in
            #expect(try await create(client, "Letter").status == .created)
            let long = JSONValue.string(String(repeating: "a", count: 256))
            for (name, channel, field) in [
                ("Letter", "email", "name"), ("", "email", "name"), (long, "email", "name"),
                ("a\u{0}", "email", "name"), (7, "email", "name"), ("New", "fax", "channel"),
                ("New", .null, "channel"),
            ] as [(JSONValue, JSONValue, String)] {
                let answer = try await create(client, name, channel)
                #expect(answer.status == .badRequest, "\(name)")
                #expect(answer.errors.first?["field"] == .string(field), "\(answer.body)")
            }
        }
    }
}
