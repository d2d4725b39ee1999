import Foundation
import Model
import Ports
import Relational

/// Which person at a provider a member is.
extension SQLStore {
    package func openIDMember(
        _ subject: OpenIDSubject,
        verifiedEmail email: String?,
        in workspace: WorkspaceID,
        noting audit: @escaping @Sendable (Member) -> AuditRecord,
        now: Date
    ) async throws -> OpenIDMatch {
        try await write { database in
            let known = try Row.fetchOne(
                database,
                sql: """
                    UPDATE openid_identities SET last_used_at = :now
                    WHERE workspace_id = :workspace AND issuer = :issuer AND subject = :subject
                    RETURNING member_id
                    """,
                arguments: [
                    "now": now.milliseconds, "workspace": workspace.rawValue,
                    "issuer": subject.issuer, "subject": subject.subject,
                ]
            )
            if let id = known?["member_id"] as Int64? {
                return try Self.match("id = ?", [id], workspace, database) ?? .unknown
            }
            guard let email else { return known == nil ? .unknown : .removed }
            let found = try Self.match("email = ? COLLATE NOCASE", [email], workspace, database)
            guard case .member(let member)? = found else {
                if let found { return found }
                let isRemoved = try known != nil || Self.isRemoved(email, workspace, database)
                return isRemoved ? .removed : .unknown
            }
            guard try Self.bind(subject, to: member.id, in: workspace, now: now, database) else {
                return .otherPerson(member)
            }
            try Self.addAudit(audit(member), in: workspace, database)
            return .member(member)
        }
    }

    package func addOpenIDMember(
        _ draft: MemberDraft,
        _ subject: OpenIDSubject,
        in workspace: WorkspaceID,
        noting audit: AuditRecord,
        now: Date
    ) async throws -> Member? {
        try await write { database in
            guard try !Self.isRemoved(draft.email, workspace, database) else { return nil }
            let member = try Self.insert(
                draft,
                MemberDetails(),
                in: workspace,
                now: now,
                database
            ).member
            guard try Self.bind(subject, to: member.id, in: workspace, now: now, database) else {
                throw StoreError(.exists, .personTaken)
            }
            try Self.addAudit(audit, in: workspace, database)
            return member
        }
    }

    package func openIDIdentities(
        of member: MemberID,
        in workspace: WorkspaceID
    ) async throws -> [OpenIDIdentity] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM openid_identities WHERE member_id = ? AND workspace_id = ?
                    ORDER BY bound_at, issuer
                    """,
                arguments: [member.rawValue, workspace.rawValue]
            ).map { row in
                OpenIDIdentity(
                    subject: OpenIDSubject(issuer: row["issuer"], subject: row["subject"]),
                    boundAt: Date(milliseconds: row["bound_at"]),
                    lastUsedAt: (row["last_used_at"] as Int64?).map(Date.init(milliseconds:))
                )
            }
        }
    }

    package func bindOpenIDSubject(
        _ subject: OpenIDSubject,
        to member: MemberID,
        in workspace: WorkspaceID,
        noting audit: @escaping @Sendable (Member) -> AuditRecord,
        now: Date
    ) async throws -> Member? {
        try await write { database in
            guard let owner = try Self.member(member, workspace, database) else { return nil }
            guard try Self.bind(subject, to: member, in: workspace, now: now, database) else {
                throw StoreError(.exists, .personTaken)
            }
            try Self.addAudit(audit(owner), in: workspace, database)
            return owner
        }
    }

    package func releaseOpenIDMember(
        _ member: MemberID,
        in workspace: WorkspaceID,
        noting audit: @escaping @Sendable (Member) -> AuditRecord
    ) async throws -> Member? {
        try await write { database in
            guard let owner = try Self.member(member, workspace, database) else { return nil }
            try database.execute(
                sql: "DELETE FROM openid_identities WHERE member_id = ? AND workspace_id = ?",
                arguments: [member.rawValue, workspace.rawValue]
            )
            guard try database.changesCount > 0 else { return nil }
            for table in ["console_sessions", "sign_in_steps"] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE member_id = ? AND workspace_id = ?",
                    arguments: [member.rawValue, workspace.rawValue]
                )
            }
            try Self.addAudit(audit(owner), in: workspace, database)
            return owner
        }
    }

    /// - Returns: `false` if the person is another member, or the member another person of the
    ///   issuer.
    private static func bind(
        _ subject: OpenIDSubject,
        to member: MemberID,
        in workspace: WorkspaceID,
        now: Date,
        _ database: Database
    ) throws -> Bool {
        let isOther = try Bool.fetchOnly(
            database,
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM openid_identities
                    WHERE member_id = ? AND workspace_id = ? AND issuer = ?
                )
                """,
            arguments: [member.rawValue, workspace.rawValue, subject.issuer]
        )
        guard !isOther else { return false }
        try database.execute(
            sql: """
                INSERT INTO openid_identities (workspace_id, issuer, subject, member_id, bound_at)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (workspace_id, issuer, subject) DO UPDATE
                    SET member_id = excluded.member_id, bound_at = excluded.bound_at
                    WHERE openid_identities.member_id IS NULL
                """,
            arguments: [
                workspace.rawValue, subject.issuer, subject.subject, member.rawValue,
                now.milliseconds,
            ]
        )
        return try database.changesCount == 1
    }

    private static func isRemoved(
        _ email: String,
        _ workspace: WorkspaceID,
        _ database: Database
    ) throws -> Bool {
        try Bool.fetchOnly(
            database,
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM removed_members
                    WHERE workspace_id = ? AND email = ? COLLATE NOCASE
                )
                """,
            arguments: [workspace.rawValue, email]
        )
    }

    private static func match(
        _ condition: String,
        _ arguments: StatementArguments,
        _ workspace: WorkspaceID,
        _ database: Database
    ) throws -> OpenIDMatch? {
        let row = try Row.fetchOne(
            database,
            sql: "SELECT * FROM workspace_members WHERE \(condition) AND workspace_id = ?",
            arguments: arguments + [workspace.rawValue]
        )
        guard let row else { return nil }
        let member = try Member(row: row)
        return row["deactivated_at"] as Int64? == nil ? .member(member) : .inactive(member)
    }
}
