import Foundation
import Model
import Ports
import Relational

/// Recomputes opens from the rows, with the same result as their incremental updates.
///
/// What is wrong is looked for while others write. Only that is made again, in transactions of a few
/// users or one send, so that no figure is missing meanwhile and nobody waits long for the writer.
extension SQLStore {
    /// Number of users per transaction.
    private static let usersAtOnce = 500

    package func recountOpens(in workspace: WorkspaceID) async throws {
        let users = try await read { try Self.usersWithWrongSessions(in: workspace, $0) }
        for start in stride(from: 0, to: users.count, by: Self.usersAtOnce) {
            let users = users[start...].prefix(Self.usersAtOnce)
            try await write { database in
                try Self.rebuildSessions(of: users, in: workspace, database)
                for user in users { try InfluencedOpens(of: ProfileID(user), database).recompute() }
            }
        }
        try await recomputeInfluencedOpens(in: workspace)
        let sends = try await read { database in
            try Int64.fetchAll(
                database,
                sql: """
                    SELECT id FROM sends WHERE workspace_id = ?
                        AND id NOT IN (SELECT send_id FROM closed_ledgers) ORDER BY id
                    """,
                arguments: [workspace.rawValue]
            )
        }
        for send in sends {
            let users = try await read { try Self.usersMarkedWithoutArrival(of: send, $0) }
            if !users.isEmpty {
                try await write { database in
                    if try ClosedLedgers(database).contains(send) { return }
                    for user in users {
                        let opens = InfluencedOpens(of: ProfileID(user), database)
                        try opens.removeMark(of: send)
                        try opens.recompute()
                    }
                }
            }
            if try await read({ try !Self.hasRightReceipts(send, $0) }) {
                try await write { database in
                    if try ClosedLedgers(database).contains(send) { return }
                    try database.execute(
                        sql: """
                            INSERT INTO send_receipts \(Self.receipts)
                            ON CONFLICT (send_id) DO UPDATE SET received = excluded.received,
                                opened = excluded.opened, influenced = excluded.influenced,
                                dismissed = excluded.dismissed
                            """,
                        arguments: [send]
                    )
                }
            }
        }
    }

    private func recomputeInfluencedOpens(in workspace: WorkspaceID) async throws {
        var last: Int64? = 0
        while let cursor = last {
            let (users, wrong) = try await read { database in
                let users = try Int64.fetchAll(
                    database,
                    sql:
                        "SELECT id FROM profiles WHERE id > ? AND workspace_id = ? ORDER BY id LIMIT ?",
                    arguments: [cursor, workspace.rawValue, Self.usersAtOnce]
                )
                let wrong = try users.filter {
                    try !InfluencedOpens(of: ProfileID($0), database).corrections().isEmpty
                }
                return (users, wrong)
            }
            if !wrong.isEmpty {
                try await write { database in
                    for user in wrong {
                        try InfluencedOpens(of: ProfileID(user), database).recompute()
                    }
                }
            }
            last = users.last
        }
    }

    // MARK: Rows

    /// The sessions of a workspace's users as their events tell them.
    private static let sessions = """
        SELECT profile_id,
            row_number() OVER (PARTITION BY profile_id ORDER BY time, events.id)
                + coalesce((SELECT sum(count) FROM removed_sessions
                    WHERE removed_sessions.profile_id = events.profile_id), 0) AS number,
            time
        FROM event_names CROSS JOIN events ON name_id = event_names.id
        WHERE workspace_id = :workspace AND name = '$session_start'
            AND profile_id IN (SELECT id FROM profiles)
        """

    private static let receipts = """
        SELECT send_id, count(received_at), count(opened_at),
            count(CASE WHEN opened_at IS NULL THEN influenced_at END), count(dismissed_at)
        FROM dispatches WHERE send_id = ? GROUP BY send_id
        """

    private static func usersWithWrongSessions(
        in workspace: WorkspaceID,
        _ database: Database
    ) throws -> [Int64] {
        try Int64.fetchAll(
            database,
            sql: """
                WITH told AS (\(sessions)), stored AS (
                    SELECT profile_id, number, time FROM user_sessions
                    WHERE profile_id IN (SELECT id FROM profiles WHERE workspace_id = :workspace)
                )
                SELECT profile_id FROM (SELECT * FROM told EXCEPT SELECT * FROM stored)
                UNION SELECT profile_id FROM (SELECT * FROM stored EXCEPT SELECT * FROM told)
                """,
            arguments: ["workspace": workspace.rawValue]
        )
    }

    private static func rebuildSessions(
        of users: some Collection<Int64>,
        in workspace: WorkspaceID,
        _ database: Database
    ) throws {
        let list = "[\(users.map(String.init).joined(separator: ","))]"
        try database.execute(
            sql: """
                DELETE FROM user_sessions
                WHERE profile_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                """,
            arguments: [list]
        )
        try database.execute(
            sql: """
                INSERT INTO user_sessions
                    \(sessions)
                    AND profile_id IN (SELECT CAST(value AS INTEGER) FROM json_each(:users))
                    ORDER BY 1, 2
                """,
            arguments: ["workspace": workspace.rawValue, "users": list]
        )
    }

    /// The users with an influenced open of a send that reached none of their devices. Those of a
    /// deleted user are kept: no rows are left to recompute them from.
    private static func usersMarkedWithoutArrival(
        of send: Int64,
        _ database: Database
    ) throws -> [Int64] {
        try Int64.fetchAll(
            database,
            sql: """
                SELECT DISTINCT profile_id FROM dispatches AS marked
                WHERE send_id = ? AND influenced_at IS NOT NULL AND profile_id <> 0
                    AND NOT EXISTS (
                        SELECT TRUE FROM push_interactions
                        WHERE push_interactions.profile_id = marked.profile_id
                            AND push_interactions.send_id = marked.send_id AND kind = 'received')
                    AND NOT EXISTS (
                        SELECT TRUE FROM removed_push_arrivals
                        WHERE removed_push_arrivals.profile_id = marked.profile_id
                            AND removed_push_arrivals.send_id = marked.send_id)
                    AND NOT EXISTS (
                        SELECT TRUE FROM \(OpenSends.rowsOfUser)
                        WHERE dispatches.profile_id = marked.profile_id
                            AND dispatches.send_id = marked.send_id
                            AND is_unreported = 1 AND accepted_at IS NOT NULL)
                """,
            arguments: [send]
        )
    }

    private static func hasRightReceipts(_ send: Int64, _ database: Database) throws -> Bool {
        func counts(_ sql: String) throws -> [Int64]? {
            try Row.fetchOne(database, sql: sql, arguments: [send]).map { row in
                (1...4).map { row[$0] }
            }
        }
        guard let told = try counts(receipts) else { return true }
        let stored = try counts("SELECT * FROM send_receipts WHERE send_id = ?")
        // The first receipt makes the row.
        return stored.map { $0 == told } ?? told.allSatisfy { $0 == 0 }
    }
}
