import Foundation
import GRDB
import Model
import Ports

extension SQLiteStore: ExportStore {
    package func exportUsers(
        in workspace: WorkspaceID,
        after id: Int64,
        limit: Int
    ) async throws -> [(id: Int64, user: Profile)] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM profiles WHERE id > ? AND workspace_id = ? ORDER BY id LIMIT ?
                    """,
                arguments: [id, workspace.rawValue, limit]
            ).map { row -> (id: Int64, user: Profile) in (row["id"], try Profile(row: row)) }
        }
    }

    package func exportEvents(
        in workspace: WorkspaceID,
        after id: Int64,
        limit: Int
    ) async throws -> [(id: Int64, event: ExportedEvent)] {
        try await read { database in
            // In the order of the table; the names and users are found by their numbers.
            try Row.fetchAll(
                database,
                sql: """
                    SELECT events.id AS id, external_id, public_id, name, time, properties
                    FROM events CROSS JOIN event_names ON event_names.id = name_id
                    CROSS JOIN profiles ON profiles.id = profile_id
                    WHERE events.id > ? AND event_names.workspace_id = ?
                    ORDER BY events.id LIMIT ?
                    """,
                arguments: [id, workspace.rawValue, limit]
            ).map { row -> (id: Int64, event: ExportedEvent) in
                let event = ExportedEvent(
                    externalID: row["external_id"],
                    userID: row["public_id"],
                    name: row["name"],
                    time: Date(milliseconds: row["time"]),
                    properties: EventProperties(try StoredJSON.object(row["properties"]))
                )
                return (id: row["id"], event: event)
            }
        }
    }

    package func exportSends(
        in workspace: WorkspaceID,
        after id: Int64,
        limit: Int
    ) async throws -> [(id: Int64, send: ExportedSend)] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT id, state, scheduled_at, started_at, finished_at,
                        (SELECT count(*) FROM dispatches WHERE send_id = sends.id) AS pushes,
                        (SELECT count(accepted_at) FROM dispatches
                            WHERE send_id = sends.id) AS accepted,
                        (SELECT count(received_at) FROM dispatches
                            WHERE send_id = sends.id) AS received,
                        (SELECT count(opened_at) FROM dispatches
                            WHERE send_id = sends.id) AS opened
                    FROM sends WHERE id > ? AND workspace_id = ? ORDER BY id LIMIT ?
                    """,
                arguments: [id, workspace.rawValue, limit]
            ).map { row -> (id: Int64, send: ExportedSend) in
                let send = ExportedSend(
                    state: row["state"],
                    scheduledAt: Date(milliseconds: row["scheduled_at"]),
                    startedAt: (row["started_at"] as Int64?).map(Date.init(milliseconds:)),
                    finishedAt: (row["finished_at"] as Int64?).map(Date.init(milliseconds:)),
                    pushes: row["pushes"],
                    accepted: row["accepted"],
                    received: row["received"],
                    opened: row["opened"]
                )
                return (id: row["id"], send: send)
            }
        }
    }
}
