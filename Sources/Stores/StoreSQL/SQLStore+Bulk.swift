import Foundation
import Model
import Ports
import Reasons
import Relational

extension SQLStore: BulkStore {
    package func insert(_ profiles: [Profile]) async throws -> [ProfileID] {
        try await write { database in
            do {
                return try profiles.map { try $0.insert(into: database) }
            } catch {
                guard let problem = DatabaseError(error), problem.kind == .taken else {
                    throw error
                }
                throw StoreError(.exists, .identifierTaken, ["detail": .text(problem.message)])
            }
        }
    }

    package func insert(_ devices: [Device], in workspace: WorkspaceID) async throws {
        try await write { database in
            for device in devices { try device.insert(into: database, workspace) }
        }
    }

    package func insert(_ events: [BulkEvent], in workspace: WorkspaceID) async throws {
        try await write { database in
            var names: [String: Int64] = [:]
            let insert = try database.cachedStatement(
                sql: """
                    INSERT INTO events (name_id, time, profile_id, properties, app_id)
                    VALUES (?, ?, ?, ?, 0)
                    """
            )
            for event in events {
                let name: Int64
                if let known = names[event.name] {
                    name = known
                } else {
                    name = try Self.eventName(event.name, in: workspace, database)
                    names[event.name] = name
                }
                try insert.execute(arguments: [
                    name, event.time.milliseconds, event.profile.rawValue,
                    event.properties.isEmpty ? nil : try StoredJSON.text(event.properties),
                ])
            }
            // Chronological order is the cheapest.
            let sessions = events.filter { $0.name == "$session_start" }
            for session in sessions.ordered(by: { $0.time }) {
                try InfluencedOpens(of: session.profile, database)
                    .addSession(at: session.time.milliseconds)
            }
        }
    }

    private static func eventName(
        _ name: String,
        in workspace: WorkspaceID,
        _ database: Database
    ) throws -> Int64 {
        try database.execute(
            sql: "INSERT OR IGNORE INTO event_names (workspace_id, name) VALUES (?, ?)",
            arguments: [workspace.rawValue, name]
        )
        return try Int64.fetchOnly(
            database,
            sql: "SELECT id FROM event_names WHERE workspace_id = ? AND name = ?",
            arguments: [workspace.rawValue, name]
        )
    }
}
