import Foundation
import GRDB
import Model
import Ports

extension SQLiteStore: ConsoleSessionStore {
    package func saveConsoleSession(
        _ session: ConsoleSession,
        tokenHash: Data,
        member: MemberID
    ) async throws {
        try await write { database in
            let time = session.startedAt.milliseconds
            try database.execute(
                sql: "DELETE FROM console_sessions WHERE expires_at <= ?",
                arguments: [time]
            )
            try database.execute(
                sql: """
                    INSERT INTO console_sessions (token_hash, member_id, expires_at, started_at,
                        last_seen_at, address, user_agent, has_second_factor)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    tokenHash, member.rawValue, session.expiresAt.milliseconds, time,
                    session.lastSeenAt.milliseconds, session.address, session.userAgent,
                    session.hasSecondFactor,
                ]
            )
            try database.execute(
                sql: "UPDATE members SET last_signed_in_at = ? WHERE id = ?",
                arguments: [time, member.rawValue]
            )
        }
    }

    package func consoleSession(
        tokenHash: Data,
        now: Date
    ) async throws -> (member: Member, session: ConsoleSession)? {
        try await read { database in
            let session = try Row.fetchOne(
                database,
                sql: "SELECT * FROM console_sessions WHERE token_hash = ? AND expires_at > ?",
                arguments: [tokenHash, now.milliseconds]
            )
            guard let session else { return nil }
            let member = try Row.fetchOne(
                database,
                sql: "SELECT * FROM members WHERE id = ? AND deactivated_at IS NULL",
                arguments: [session["member_id"] as Int64]
            ).map(Member.init(row:))
            return member.map { ($0, ConsoleSession(row: session)) }
        }
    }

    package func recordConsoleSessionUse(
        tokenHash: Data,
        from address: String?,
        at time: Date
    ) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE console_sessions
                    SET last_seen_at = ?, address = coalesce(?, address) WHERE token_hash = ?
                    """,
                arguments: [time.milliseconds, address, tokenHash]
            )
        }
    }

    package func consoleSessions(
        of member: MemberID,
        in workspace: WorkspaceID,
        now: Date
    ) async throws -> [ConsoleSession] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT console_sessions.* FROM console_sessions
                    JOIN members ON members.id = member_id
                    WHERE member_id = ? AND workspace_id = ? AND expires_at > ?
                    ORDER BY last_seen_at DESC, token_hash
                    """,
                arguments: [member.rawValue, workspace.rawValue, now.milliseconds]
            ).map(ConsoleSession.init(row:))
        }
    }

    package func endConsoleSessions(
        _ choice: ConsoleSessionChoice,
        of member: MemberID,
        in workspace: WorkspaceID,
        noting audit: @escaping @Sendable (Member, [ConsoleSession]) -> AuditRecord?
    ) async throws -> [ConsoleSession] {
        try await write { database in
            let owner = try Row.fetchOne(
                database,
                sql: "SELECT * FROM members WHERE id = ? AND workspace_id = ?",
                arguments: [member.rawValue, workspace.rawValue]
            ).map(Member.init(row:))
            guard let owner else { return [] }
            let ended = try Row.fetchAll(
                database,
                sql: "SELECT * FROM console_sessions WHERE member_id = ?",
                arguments: [member.rawValue]
            ).filter { row in
                switch choice {
                case .one(let id): ConsoleSession(row: row).id == id
                case .all(let kept): row["token_hash"] as Data != kept
                }
            }
            guard !ended.isEmpty else { return [] }
            for row in ended {
                try database.execute(
                    sql: "DELETE FROM console_sessions WHERE token_hash = ?",
                    arguments: [row["token_hash"] as Data]
                )
            }
            let sessions = ended.map(ConsoleSession.init(row:))
            try Self.addAudit(audit(owner, sessions), in: workspace, database)
            return sessions
        }
    }

    package func deleteConsoleSession(tokenHash: Data) async throws {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM console_sessions WHERE token_hash = ?",
                arguments: [tokenHash]
            )
        }
    }
}

extension ConsoleSession {
    fileprivate init(row: Row) {
        self.init(
            tokenHash: row["token_hash"],
            startedAt: Date(milliseconds: row["started_at"]),
            lastSeenAt: Date(milliseconds: row["last_seen_at"]),
            expiresAt: Date(milliseconds: row["expires_at"]),
            address: row["address"],
            userAgent: row["user_agent"],
            hasSecondFactor: row["has_second_factor"]
        )
    }
}
