import Foundation
import HTTPTypes
import Model
import NIOCore
import NoroshiWire
import Ports
import Testing

/// Asks every endpoint that is described for everything of another workspace.
@Suite("Workspaces are separate")
struct SeparationTests {
    /// A word that everything of the first workspace has in its name.
    private static let mark = "hidden"

    @Test("no endpoint shows or changes anything of another workspace")
    func everyEndpoint() async throws {
        try await APIClient.run { client in
            let names = try await fill(client)
            let other = try await client.store.createWorkspace(
                name: "Other",
                timeZone: "UTC",
                now: APIClient.now
            )
            let stranger = try await client.key(["*"], in: other)
            let before = try await everything(client)
            #expect(before.contains(Self.mark))
            let description = try await client.send("/openapi.json", .get, [:], nil).body
            let samples = SchemaSamples(description, names: names)
            var asked = 0
            let paths = try #require(description["paths"]?.objectValue)
            // First what reads: what writes gives the stranger things of these names.
            for (path, operations) in paths.sorted(by: { Self.order($0) < Self.order($1) }) {
                for (method, operation) in try #require(operations.objectValue) {
                    let body =
                        operation["requestBody"] == nil
                        ? nil : ByteBuffer(bytes: try JSONEncoder().encode(samples.body(operation)))
                    let answer = try await client.send(
                        samples.path(path, operation),
                        try #require(HTTPRequest.Method(method.uppercased())),
                        [.authorization: "Bearer \(stranger)"],
                        body
                    )
                    let text = String(
                        decoding: try JSONEncoder().encode(
                            answer.body["message"] == nil
                                ? answer.body : Self.withoutQuestion(answer.body)
                        ),
                        as: UTF8.self
                    )
                    #expect(!text.contains(Self.mark), "\(method) \(path): \(text)")
                    #expect(answer.status.code < 500, "\(method) \(path)")
                    asked += 1
                }
            }
            #expect(asked >= 33)
            #expect(try await everything(client) == before)
        }
    }

    private static func order(_ path: (key: String, value: JSONValue)) -> String {
        let reads = path.value["get"] != nil || path.key.contains("/export/")
        return (reads ? "0" : "1") + path.key
    }

    /// An answer without the places that repeat the question: errors, unknown users and the keys
    /// of a status.
    private static func withoutQuestion(_ answer: JSONValue) -> JSONValue {
        var members = answer.objectValue ?? [:]
        for field in ["message", "errors", "invalid_user_ids", "rename_errors", "removal_errors"] {
            members[field] = nil
        }
        if let status = members["status"]?.objectValue {
            members["status"] = .array(status.values.sorted { "\($0)" < "\($1)" })
        }
        return .object(members)
    }

    /// Puts something of every kind into the first workspace; what names it, by field.
    private func fill(_ client: APIClient) async throws -> [String: JSONValue] {
        let mark = JSONValue.string(Self.mark)
        let time: JSONValue = "2026-09-20T12:00:00Z"
        _ = try await client.post(
            "/users/track",
            [
                "attributes": [
                    [
                        "external_id": mark, "first_name": mark, "email": "hidden@example.com",
                        "phone": "+81300", "email_subscribe": "unsubscribed",
                        "hidden_attribute": mark,
                    ]
                ],
                "events": [["external_id": mark, "name": "hidden_event", "time": time]],
                "purchases": [
                    [
                        "external_id": mark, "product_id": "hidden_product", "currency": "JPY",
                        "price": 1, "time": time,
                    ]
                ],
            ]
        )
        _ = try await client.post(
            "/users/alias/new",
            ["user_aliases": [["external_id": mark, "alias_name": mark, "alias_label": "crm"]]]
        )
        let group = SubscriptionGroup(
            id: UUID(),
            workspace: client.workspace,
            name: "hidden_group",
            channel: .email
        )
        try await client.store.createSubscriptionGroup(group, noting: nil, now: APIClient.now)
        let scheduled = try await client.post(
            "/messages/schedule/create",
            [
                "broadcast": true, "schedule": ["time": "2030-01-01T00:00:00Z"],
                "messages": ["apple_push": ["alert": mark]],
            ]
        )
        let profile = try #require(try await client.profile(Self.mark))
        let id = JSONValue.string(profile.publicID.uuidString)
        return [
            "external_id": mark, "external_ids": [mark], "external_user_ids": [mark],
            "external_user_id": mark, "braze_id": id, "braze_ids": [id],
            "email": "hidden@example.com", "emails": ["hidden@example.com"],
            "email_address": "hidden@example.com", "phone": "+81300", "phones": ["+81300"],
            "alias_name": mark, "alias_label": "crm", "old_alias_name": mark,
            "new_alias_name": "taken", "current_external_id": mark, "new_external_id": "taken",
            "event": "hidden_event", "product": "hidden_product",
            "subscription_group_id": .string(group.id.uuidString),
            "schedule_id": scheduled.body["schedule_id"] ?? .null, "length": 3,
            "start_date": "2026-09-01", "end_time": "2031-01-01T00:00:00Z",
            "time": "2030-01-01T00:00:00Z", "name": "made_by_a_stranger", "price": 1,
            "currency": "JPY", "quantity": 1, "page": 0, "offset": 0, "limit": 50,
        ]
    }

    /// What the first workspace sees of itself.
    private func everything(_ client: APIClient) async throws -> String {
        let user = try await client.post(
            "/users/export/ids",
            ["external_ids": [.string(Self.mark)]]
        )
        var parts = [user.body]
        for path in [
            "/events/list", "/custom_attributes", "/purchases/product_list",
            "/email/unsubscribes?start_date=2026-09-01",
            "/messages/scheduled_broadcasts?end_time=2031-01-01",
            "/events/data_series?event=hidden_event&length=3",
            "/kpi/new_users/data_series?length=3",
            "/subscription/user/status?external_id=hidden",
        ] {
            parts.append(try await client.get(path).body)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(parts), as: UTF8.self)
    }
}
