import Foundation
import HTTPTypes
import Ingestion
import Model
import NoroshiWire
import Ports
import Testing

@Suite("Files that are read in on demand")
struct SyncTests {
    private static let path = "/cdi/integrations"

    private func write(
        _ name: String,
        _ text: String,
        _ client: APIClient,
        of workspace: WorkspaceID? = nil
    ) throws {
        let file = client.syncFolder.appending(path: "\(workspace ?? client.workspace)/\(name)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
    }

    private func integrations(_ client: APIClient) async throws -> [String: JSONValue] {
        let rows = try await client.get(Self.path).body["results"]?.arrayValue ?? []
        return Dictionary(
            uniqueKeysWithValues: rows.compactMap { row in
                row["integration_name"]?.stringValue.map { ($0, row) }
            }
        )
    }

    /// Reads a file in and returns the job when it is over.
    private func sync(_ name: String, _ client: APIClient) async throws -> JSONValue {
        let row = try #require(await integrations(client)[name])
        let id = try #require(row["integration_id"]?.stringValue)
        let begun = try await client.send(
            "\(Self.path)/\(id)/sync",
            .post,
            [.authorization: "Bearer \(client.secret)"],
            nil
        )
        #expect(begun.status == .accepted, "\(begun.body)")
        while true {
            let answer = try await client.get("\(Self.path)/\(id)/job_sync_status")
            let job = try #require(answer.body["results"]?.arrayValue?.first)
            if job["job_status"] != "running" { return job }
            await Task.yield()
        }
    }

    @Test("users and events of the operator's files are stored; the answer says how it went")
    func life() async throws {
        try await APIClient.run { client in
            #expect(try await client.get(Self.path).body["results"] == [])
            try write(
                "users/loyalty.csv",
                "external_id,plan,visits\nada,pro,3\nbob,free,\n",
                client
            )
            try write(
                "events/orders.ndjson",
                #"{"external_id":"ada","name":"ordered","time":"2026-09-01T10:00:00Z"}"# + "\n",
                client
            )
            let before = try await integrations(client)
            #expect(Set(before.keys) == ["loyalty", "orders"])
            #expect(before["loyalty"]?["integration_type"] == "users")
            #expect(before["loyalty"]?["last_job_status"] == .null)
            let users = try await sync("loyalty", client)
            #expect(users["job_status"] == "success", "\(users)")
            #expect(users["rows_synced"] == 2)
            #expect(users["rows_failed_with_errors"] == 0)
            #expect(users["sync_finish_time"]?.stringValue?.isEmpty == false)
            let ada = try #require(await client.profile("ada"))
            #expect(ada.custom["plan"] == "pro")
            #expect(ada.custom["visits"] == 3)
            let events = try await sync("orders", client)
            #expect(events["job_status"] == "success", "\(events)")
            #expect(try await integrations(client)["orders"]?["last_job_status"] == "success")
            let counted = try await client.get(
                "/events/data_series?event=ordered&length=1&ending_at=2026-09-01"
            )
            #expect(counted.body["data"]?.arrayValue?.first?["count"] == 1)
        }
    }

    @Test("a file that has grown is read again without counting an event twice")
    func again() async throws {
        try await APIClient.run { client in
            let first = #"{"external_id":"ada","name":"ordered","time":"2026-09-01T10:00:00Z"}"#
            let second = #"{"external_id":"ada","name":"ordered","time":"2026-09-01T11:00:00Z"}"#
            try write("events/orders.ndjson", first + "\n", client)
            _ = try await sync("orders", client)
            try write("events/orders.ndjson", first + "\n" + second + "\n", client)
            #expect(try await sync("orders", client)["rows_synced"] == 2)
            let counted = try await client.get(
                "/events/data_series?event=ordered&length=1&ending_at=2026-09-01"
            )
            #expect(counted.body["data"]?.arrayValue?.first?["count"] == 2)
            // What a file says of a user holds again, whatever was said in between.
            try write("users/plans.csv", "external_id,plan\nada,pro\n", client)
            _ = try await sync("plans", client)
            _ = try await client.post(
                "/users/track",
                ["attributes": [["external_id": "ada", "plan": "free"]]]
            )
            _ = try await sync("plans", client)
            #expect(try await client.profile("ada")?.custom["plan"] == "pro")
        }
    }

    @Test("rows that cannot be stored and files that cannot be read are told")
    func problems() async throws {
        try await APIClient.run { client in
            try write("users/some.csv", "external_id,plan\nada,pro\nbob\n", client)
            try write("users/none.csv", "external_id,plan\nada\n", client)
            try write("users/empty.csv", "", client)
            try write("events/wrong.ndjson", "nonsense\n", client)
            let some = try await sync("some", client)
            #expect(some["job_status"] == "partial")
            #expect(some["rows_synced"] == 1)
            #expect(some["rows_failed_with_errors"] == 1)
            #expect(some["error"]?.stringValue?.contains("line 3") == true, "\(some)")
            #expect(try await sync("none", client)["job_status"] == "error")
            #expect(try await sync("wrong", client)["job_status"] == "error")
            let empty = try await sync("empty", client)
            #expect(empty["job_status"] == "config_error")
            #expect(empty["error"] == "'file' is empty")
        }
    }

    @Test("only regular files of the workspace's own folder are seen")
    func files() async throws {
        try await APIClient.run { client in
            let other = try await client.store.createWorkspace(
                name: "Other",
                timeZone: "UTC",
                now: APIClient.now
            )
            try write("users/theirs.csv", "external_id\nada\n", client, of: other)
            try write("users/.hidden.csv", "external_id\nada\n", client)
            try write("users/notes.txt", "external_id\nada\n", client)
            try write("users/ours.CSV", "external_id\nada\n", client)
            let folder = client.syncFolder.appending(path: "\(client.workspace)/users")
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "link.csv"),
                withDestinationURL: client.syncFolder.appending(path: "\(other)/users/theirs.csv")
            )
            try FileManager.default.createDirectory(
                at: folder.appending(path: "folder.csv"),
                withIntermediateDirectories: false
            )
            #expect(try await Set(integrations(client).keys) == ["ours"])
            let theirs = IntegrationFolder(path: client.syncFolder.path).integrations(of: other)
            let id = try #require(theirs.first?.id.uuidString)
            for path in ["job_sync_status", "sync"] {
                let answer = try await client.send(
                    "\(Self.path)/\(id)/\(path)",
                    path == "sync" ? .post : .get,
                    [.authorization: "Bearer \(client.secret)"],
                    nil
                )
                #expect(answer.status == .notFound)
                #expect(answer.message.hasPrefix("Integration not found"))
            }
            let wrong = try await client.get("\(Self.path)/7/job_sync_status")
            #expect(wrong.status == .badRequest)
            #expect(wrong.message.contains("Invalid integration ID"))
            for cursor in ["x", "-1", "99999999999999999999", "1000001"] {
                let answer = try await client.get("\(Self.path)?cursor=\(cursor)")
                #expect(answer.status == .badRequest)
                #expect(answer.message.contains("Invalid cursor"))
            }
        }
    }

    @Test("a second sync waits for the end of the first one; lists come ten at a time")
    func limits() async throws {
        try await APIClient.run { client in
            for number in 10..<22 { try write("users/f\(number).csv", "external_id\na\n", client) }
            let first = try await client.get(Self.path)
            #expect(first.body["results"]?.arrayValue?.count == 10)
            let link = HTTPField.Name("Link").flatMap { first.headers[$0] }
            #expect(link == "</cdi/integrations?cursor=10>; rel=\"next\"")
            let rest = try await client.get(Self.path + "?cursor=10")
            #expect(rest.body["results"]?.arrayValue?.count == 2)
            let id = try #require(
                rest.body["results"]?.arrayValue?.first?["integration_id"]?.stringValue
            )
            // A job that runs, as the one of another process or before a crash.
            let integration = try #require(UUID(uuidString: id))
            let started = try await client.store.startSyncJob(
                of: integration,
                in: client.workspace,
                fileChangedAt: APIClient.now,
                kept: 9,
                now: APIClient.now
            )
            #expect(started != nil)
            let refused = try await client.send(
                "\(Self.path)/\(id)/sync",
                .post,
                [.authorization: "Bearer \(client.secret)"],
                nil
            )
            #expect(refused.status == .tooManyRequests)
            #expect(refused.message == "Another job is in progress")
            #expect(refused.headers[.retryAfter] != nil)
            let running = try await client.get("\(Self.path)/\(id)/job_sync_status")
            #expect(running.status == .ok)
        }
    }
}
