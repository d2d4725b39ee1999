import Foundation
import Model
import Ports
import Relational

extension SQLStore: ConsoleSessionStore {
    package func saveConsoleSession(
        _ session: ConsoleSession,
        tokenHash: Data,
        member: MemberID,
        in workspace: WorkspaceID
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
                        last_seen_at, address, user_agent, has_second_factor, is_by_provider,
                        workspace_id)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    tokenHash, member.rawValue, session.expiresAt.milliseconds, time,
                    session.lastSeenAt.milliseconds, session.address, session.userAgent,
                    session.hasSecondFactor, session.isByProvider, workspace.rawValue,
                ]
            )
            try Self.noteOpening(member, workspace, at: session.startedAt, database)
        }
    }

    package func consoleSession(
        tokenHash: Data,
        now: Date
    ) async throws -> (member: Member, session: ConsoleSession)? {
        try await read { database in
            let row = try Row.fetchOne(
                database,
                sql: "SELECT * FROM console_sessions WHERE token_hash = ? AND expires_at > ?",
                arguments: [tokenHash, now.milliseconds]
            )
            guard let row else { return nil }
            let session = ConsoleSession(row: row)
            let found = try Self.memberships(
                "id = ? AND workspace_id = ?",
                [row["member_id"] as Int64, row["workspace_id"] as Int64],
                database
            ).first
            guard var member = found else { return nil }
            member.isConfined = session.isByProvider
            return (member, session)
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
                    JOIN memberships ON memberships.member_id = console_sessions.member_id
                    WHERE console_sessions.member_id = ? AND memberships.workspace_id = ?
                        AND expires_at > ?
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
            let owner = try Self.member(member, workspace, database)
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
            hasSecondFactor: row["has_second_factor"],
            isByProvider: row["is_by_provider"],
            workspace: WorkspaceID(row["workspace_id"])
        )
    }
}
