import Foundation
import GRDB
import Model
import Ports

/// Recomputes opens from the rows, with the same result as their incremental updates.
extension SQLiteStore {
    /// Number of users per transaction.
    private static let usersAtOnce = 500

    package func recountOpens(in workspace: WorkspaceID) async throws {
        try await write { try Self.rebuildSessions(in: workspace, $0) }
        let sends = try await read { database in
            try Int64.fetchAll(
                database,
                sql: "SELECT id FROM sends WHERE workspace_id = ? ORDER BY id",
                arguments: [workspace.rawValue]
            )
        }
        for send in sends {
            // Keep those of a deleted user: no rows are left to recompute them from.
            try await write { database in
                try database.execute(
                    sql: """
                        UPDATE dispatches SET influenced_at = NULL
                        WHERE send_id = ? AND influenced_at IS NOT NULL AND profile_id <> 0
                        """,
                    arguments: [send]
                )
            }
        }
        var last: Int64? = 0
        while let cursor = last {
            last = try await write { database in
                let users = try Int64.fetchAll(
                    database,
                    sql: """
                        SELECT DISTINCT profile_id FROM user_sessions
                        JOIN profiles ON profiles.id = profile_id
                        WHERE profile_id > ? AND workspace_id = ? ORDER BY 1 LIMIT ?
                        """,
                    arguments: [cursor, workspace.rawValue, Self.usersAtOnce]
                )
                for user in users { try InfluencedOpens(of: ProfileID(user), database).recompute() }
                return users.last
            }
        }
        for send in sends {
            try await write { database in
                try database.execute(
                    sql: """
                        INSERT OR REPLACE INTO send_receipts
                            SELECT send_id, count(received_at), count(opened_at),
                                count(CASE WHEN opened_at IS NULL THEN influenced_at END),
                                count(dismissed_at)
                            FROM dispatches WHERE send_id = ? GROUP BY send_id
                        """,
                    arguments: [send]
                )
            }
        }
    }

    private static func rebuildSessions(
        in workspace: WorkspaceID,
        _ database: Database
    ) throws {
        try database.execute(
            sql: """
                DELETE FROM user_sessions
                WHERE profile_id IN (SELECT id FROM profiles WHERE workspace_id = ?)
                """,
            arguments: [workspace.rawValue]
        )
        try database.execute(
            sql: """
                INSERT INTO user_sessions
                    SELECT profile_id,
                        row_number() OVER (PARTITION BY profile_id ORDER BY time, events.id), time
                    FROM event_names CROSS JOIN events ON name_id = event_names.id
                    WHERE workspace_id = ? AND name = '$session_start'
                        AND profile_id IN (SELECT id FROM profiles)
                    ORDER BY 1, 2
                """,
            arguments: [workspace.rawValue]
        )
    }
}
