import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Testing

@Suite("/messages/schedule")
struct ScheduleTests {
    private let push: JSONValue = ["apple_push": ["alert": "Later"]]

    private func text(_ seconds: TimeInterval) -> JSONValue {
        .string(Timestamp.format(APIClient.now.addingTimeInterval(seconds)))
    }

    private func create(_ client: APIClient, after seconds: TimeInterval) async throws -> String {
        let answer = try await client.post(
            "/messages/schedule/create",
            ["broadcast": true, "messages": push, "schedule": ["time": text(seconds)]]
        )
        #expect(answer.status == .created)
        return try #require(answer.body["schedule_id"]?.stringValue)
    }

    private func send(_ id: String, _ client: APIClient) async throws -> Send {
        try #require(try await client.store.send(named: id, in: client.workspace))
    }

    @Test("a message waits for its time, can be changed, and is listed")
    func change() async throws {
        try await APIClient.run { client in
            let id = try await create(client, after: 3600)
            #expect(try await send(id, client).state == .scheduled)
            let updated = try await client.post(
                "/messages/schedule/update",
                ["schedule_id": .string(id), "schedule": ["time": text(7200)]]
            )
            #expect(updated.status == .created)
            let reworded = try await client.post(
                "/messages/schedule/update",
                ["schedule_id": .string(id), "messages": ["apple_push": ["alert": "New"]]]
            )
            #expect(reworded.status == .created)
            let changed = try await send(id, client)
            #expect(changed.scheduledAt == APIClient.now.addingTimeInterval(7200))
            #expect(changed.content.message.body == "New")
            let end = try #require(text(7200).stringValue)
            let list = try await client.get("/messages/scheduled_broadcasts?end_time=\(end)")
            #expect(list.status == .ok)
            let rows = try #require(list.body["scheduled_broadcasts"]?.arrayValue)
            #expect(rows.map { $0["id"]?.stringValue } == [id])
            #expect(rows.first?["next_send_time"] == text(7200))
            let log = try await client.store.audit(
                in: client.workspace,
                matching: AuditQuery(origin: .api)
            ).records
            #expect(log.map(\.action) == ["push_changed", "push_changed", "push_scheduled"])
            let number = try await send(id, client).id
            #expect(log.allSatisfy { $0.subject == "#\(number)" && $0.author == "all" })
            let early = try #require(text(7100).stringValue)
            let none = try await client.get("/messages/scheduled_broadcasts?end_time=\(early)")
            #expect(none.body["scheduled_broadcasts"] == [])
            let vague = try await client.get("/messages/scheduled_broadcasts")
            #expect(vague.status == .badRequest)
        }
    }

    @Test("a message that waits can be stopped once, and only in its own workspace")
    func stop() async throws {
        try await APIClient.run { client in
            let id = try await create(client, after: 3600)
            let other = try await client.store.createWorkspace(
                name: "Other",
                timeZone: "UTC",
                now: APIClient.now
            )
            let foreign = try await client.key(["*"], in: other)
            let body: JSONValue = ["schedule_id": .string(id)]
            let path = "/messages/schedule/delete"
            #expect(try await client.post(path, body, key: foreign).status == .badRequest)
            #expect(try await client.post(path, body).status == .created)
            let stopped = try await send(id, client)
            #expect(stopped.state == .cancelled)
            let again = try await client.post(path, body)
            #expect(again.status == .badRequest)
            #expect(again.errors.first?["message"]?.stringValue?.contains("cancelled") == true)
            let log = try await client.store.audit(in: client.workspace, matching: AuditQuery())
            let records = log.records.filter { $0.action == "push_cancelled" }
            #expect(records.map(\.subject) == ["#\(stopped.id)"])
            #expect(records.map(\.origin) == [.api])
        }
    }

    @Test("a message that has begun is neither changed nor stopped here")
    func begun() async throws {
        try await APIClient.run { client in
            let id = try await create(client, after: 60)
            _ = try await client.store.startPlanningDueSends(
                now: APIClient.now.addingTimeInterval(60)
            )
            for path in ["/messages/schedule/update", "/messages/schedule/delete"] {
                let answer = try await client.post(
                    path,
                    ["schedule_id": .string(id), "schedule": ["time": text(7200)]]
                )
                #expect(answer.status == .badRequest)
                #expect(answer.errors.first?["field"] == "schedule_id")
            }
            #expect(try await send(id, client).state == .planning)
        }
    }

    @Test("a schedule without a time to come is refused")
    func refused() async throws {
        try await APIClient.run { client in
            let schedules: [JSONValue] = [
                .null, [:], ["time": "soon"], ["time": text(-1)],
                ["time": text(60), "at_optimal_time": true],
            ]
            for schedule in schedules {
                let answer = try await client.post(
                    "/messages/schedule/create",
                    ["broadcast": true, "messages": push, "schedule": schedule]
                )
                #expect(answer.status == .badRequest)
                let field = answer.errors.first?["field"]?.stringValue ?? ""
                #expect(field.hasPrefix("schedule"))
            }
        }
    }
}
