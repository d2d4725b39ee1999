import Foundation
import Model
import Ports
import Relational

extension SQLStore: PasswordStore {
    package func passwordHash(of member: MemberID) async throws -> String? {
        try await read { database in
            try String.fetchOne(
                database,
                sql: """
                    SELECT password_hash FROM workspace_members
                    WHERE id = ? AND deactivated_at IS NULL
                    """,
                arguments: [member.rawValue]
            )
        }
    }

    package func changePassword(
        of member: MemberID,
        from former: String,
        to hash: String,
        keeping session: Data,
        audit: AuditRecord
    ) async throws -> Bool {
        try await write { database in
            guard try !Self.memberships("id = ?", [member.rawValue], database).isEmpty else {
                return false
            }
            try database.execute(
                sql: "UPDATE members SET password_hash = ? WHERE id = ? AND password_hash = ?",
                arguments: [hash, member.rawValue, former]
            )
            guard try database.changesCount == 1 else { return false }
            try database.execute(
                sql: "DELETE FROM console_sessions WHERE member_id = ? AND token_hash <> ?",
                arguments: [member.rawValue, session]
            )
            for table in ["password_links", "sign_in_steps"] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE member_id = ?",
                    arguments: [member.rawValue]
                )
            }
            try Self.addAudit(audit, ofAccount: member, database)
            return true
        }
    }

    package func savePasswordLink(
        _ tokenHash: Data,
        member: MemberID,
        in workspace: WorkspaceID,
        expiresAt: Date,
        audit: @escaping @Sendable (Member) -> AuditRecord
    ) async throws -> Member? {
        try await write { database in
            let found = try Self.memberships(
                "id = ? AND workspace_id = ?",
                [member.rawValue, workspace.rawValue],
                database
            ).first
            guard let found else { return nil }
            try database.execute(
                sql: """
                    INSERT INTO password_links (token_hash, member_id, expires_at)
                    VALUES (:hash, :member, :end)
                    ON CONFLICT (member_id) DO UPDATE
                    SET token_hash = :hash, expires_at = :end
                    """,
                arguments: [
                    "hash": tokenHash, "member": member.rawValue, "end": expiresAt.milliseconds,
                ]
            )
            try Self.addAudit(audit(found), in: workspace, database)
            return found
        }
    }

    package func member(passwordLink tokenHash: Data, now: Date) async throws -> Member? {
        try await read { try Self.member(passwordLink: tokenHash, now: now, $0) }
    }

    package func usePasswordLink(
        _ tokenHash: Data,
        passwordHash: String,
        now: Date,
        audit: @escaping @Sendable (Member) -> AuditRecord
    ) async throws -> Member? {
        try await write { database in
            guard let member = try Self.member(passwordLink: tokenHash, now: now, database) else {
                return nil
            }
            try database.execute(
                sql: "UPDATE members SET password_hash = ? WHERE id = ?",
                arguments: [passwordHash, member.id.rawValue]
            )
            try Self.endSignIns(of: member.id, database)
            try Self.addAudit(audit(member), ofAccount: member.id, database)
            return member
        }
    }

    private static func member(
        passwordLink tokenHash: Data,
        now: Date,
        _ database: Database
    ) throws -> Member? {
        try memberships(
            """
            id = (SELECT member_id FROM password_links WHERE token_hash = ? AND expires_at > ?)
            """,
            [tokenHash, now.milliseconds],
            database
        ).first
    }
}
