import Foundation
import Model
import Ports
import Relational

extension SQLStore: RehearsalStore {
    package func addRehearsal(
        _ rehearsal: RehearsalRecord,
        keeping kept: Int
    ) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: """
                    DELETE FROM rehearsals WHERE workspace_id = ? AND subject = ?
                        AND (player IS NULL OR player = ?
                            OR player NOT IN (SELECT id FROM servers))
                    """,
                arguments: [
                    rehearsal.workspace.rawValue, rehearsal.subject,
                    rehearsal.player?.uuidString,
                ]
            )
            // Two servers that are asked at the same moment: one of them has it.
            try database.execute(
                sql: """
                    INSERT INTO rehearsals
                        (public_id, workspace_id, subject, asked_at, content, player, reached)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (workspace_id, subject) DO NOTHING
                    """,
                arguments: [
                    rehearsal.id, rehearsal.workspace.rawValue, rehearsal.subject,
                    rehearsal.askedAt.milliseconds, rehearsal.content,
                    rehearsal.player?.uuidString, rehearsal.reached?.milliseconds,
                ]
            )
            guard try database.changesCount > 0 else { return false }
            try database.execute(
                sql: """
                    DELETE FROM rehearsals WHERE public_id NOT IN (
                        SELECT public_id FROM rehearsals
                        ORDER BY asked_at DESC, public_id DESC LIMIT ?)
                    """,
                arguments: [kept]
            )
            return true
        }
    }

    package func rehearsal(
        about subject: UUID,
        in workspace: WorkspaceID
    ) async throws -> RehearsalRecord? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT rehearsals.*, EXISTS (SELECT TRUE FROM servers WHERE id = player) AS works
                    FROM rehearsals WHERE workspace_id = ? AND subject = ?
                    """,
                arguments: [workspace.rawValue, subject]
            ).map { row in
                RehearsalRecord(
                    id: row["public_id"],
                    workspace: workspace,
                    subject: subject,
                    askedAt: Date(milliseconds: row["asked_at"]),
                    content: row["content"],
                    player: (row["player"] as String?).flatMap(UUID.init(uuidString:)),
                    isPlayerWorking: row["works"],
                    reached: (row["reached"] as Int64?).map(Date.init(milliseconds:))
                )
            }
        }
    }

    package func noteRehearsal(_ id: UUID, reached: Date?) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: "UPDATE rehearsals SET reached = ? WHERE public_id = ? AND is_stopped = 0",
                arguments: [reached?.milliseconds, id]
            )
            return try database.changesCount > 0
        }
    }

    package func finishRehearsal(_ id: UUID, content: String) async throws {
        try await write { database in
            try database.execute(
                sql: "UPDATE rehearsals SET content = ?, player = NULL WHERE public_id = ?",
                arguments: [content, id]
            )
        }
    }

    package func stopRehearsal(about subject: UUID, in workspace: WorkspaceID) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE rehearsals SET is_stopped = 1
                    WHERE workspace_id = ? AND subject = ? AND player IS NOT NULL
                    """,
                arguments: [workspace.rawValue, subject]
            )
        }
    }

    /// Messages of the user may be in them, as examples.
    static func removeRehearsals(in workspace: WorkspaceID, _ database: Database) throws {
        try database.execute(
            sql: "DELETE FROM rehearsals WHERE workspace_id = ?",
            arguments: [workspace.rawValue]
        )
    }
}
