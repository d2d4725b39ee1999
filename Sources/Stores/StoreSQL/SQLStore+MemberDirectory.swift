import Foundation
import Model
import Ports
import Relational

extension SQLStore: MemberDirectoryStore {
    package func addMember(
        _ draft: MemberDraft,
        _ details: MemberDetails,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> MemberEntry {
        try await write { database in
            let entry = try Self.insert(draft, details, in: workspace, now: now, database)
            // Whoever adds a member again means it.
            try database.execute(
                sql: """
                    DELETE FROM removed_members
                    WHERE workspace_id = ? AND email = ? COLLATE NOCASE
                    """,
                arguments: [workspace.rawValue, draft.email]
            )
            try Self.addAudit(audit, in: workspace, database)
            return entry
        }
    }

    static func insert(
        _ draft: MemberDraft,
        _ details: MemberDetails,
        in workspace: WorkspaceID,
        now: Date,
        _ database: Database
    ) throws -> MemberEntry {
        let known = try Int64.fetchOne(
            database,
            sql: "SELECT id FROM members WHERE email = ? COLLATE NOCASE",
            arguments: [draft.email]
        )
        let id: MemberID
        if let known {
            id = MemberID(known)
            // Made by an administrator of another workspace, who may still have it.
            try database.execute(
                sql: "DELETE FROM password_links WHERE member_id = ?",
                arguments: [known]
            )
        } else {
            let number = try Int64.fetchOnly(
                database,
                sql: """
                    INSERT INTO members (workspace_id, email, password_hash, created_at)
                    VALUES (?, ?, ?, ?) RETURNING id
                    """,
                arguments: [
                    workspace.rawValue, draft.email, draft.passwordHash, now.milliseconds,
                ]
            )
            id = MemberID(number)
        }
        try unlessTaken(draft.email, database) {
            try join(
                id,
                workspace,
                as: draft.role,
                named: draft.name,
                details,
                now: now,
                database
            )
        }
        guard let entry = try entry(id, workspace, database) else {
            throw StoreError(.unreadable, .memberMoved, ["id": "\(id)"])
        }
        return entry
    }

    package func memberEntry(
        _ id: MemberID,
        in workspace: WorkspaceID
    ) async throws -> MemberEntry? {
        try await read { try Self.entry(id, workspace, $0) }
    }

    package func memberEntries(
        in workspace: WorkspaceID,
        matching filter: MemberFilter?,
        limit: Int,
        offset: Int
    ) async throws -> (entries: [MemberEntry], total: Int) {
        var condition = "workspace_id = ?"
        var arguments: StatementArguments = [workspace.rawValue]
        switch filter {
        case .email(let email)?:
            // The column's collation ignores case.
            condition += " AND email = ? COLLATE NOCASE"
            arguments += [email]
        case .externalID(let id)?:
            condition += " AND directory_id = ?"
            arguments += [id]
        case nil: break
        }
        return try await read { [condition, arguments, unreadable] database in
            let total = try Int.fetchOnly(
                database,
                sql: "SELECT count(*) FROM workspace_members WHERE \(condition)",
                arguments: arguments
            )
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM workspace_members WHERE \(condition)
                    ORDER BY id LIMIT ? OFFSET ?
                    """,
                arguments: arguments + [limit, offset]
            )
            return (
                try unreadable.values(rows, of: "members", MemberEntry.init(row:)), total
            )
        }
    }

    package func changeMember(
        _ id: MemberID,
        in workspace: WorkspaceID,
        to change: @escaping @Sendable (MemberEntry) throws -> MemberChange,
        noting audit: @escaping @Sendable (MemberEntry) -> AuditRecord?,
        now: Date
    ) async throws -> MemberChangeOutcome {
        try await write { database in
            guard let stored = try Self.entry(id, workspace, database) else { return .unknown }
            let change = try change(stored)
            let name = change.name ?? stored.member.name
            let details =
                change.details
                ?? MemberDetails(
                    givenName: stored.givenName,
                    familyName: stored.familyName,
                    externalID: stored.externalID,
                    isActive: stored.isActive
                )
            let stays = change.role == .administrator && details.isActive
            guard try stays || !Self.isLastAdministrator(stored, workspace, database) else {
                return .lastAdministrator
            }
            guard change.passwordHash == nil || !stored.belongsElsewhere else {
                return .belongsElsewhere
            }
            try database.execute(
                sql: """
                    UPDATE memberships SET name = :name, role = :role, given_name = :given,
                        family_name = :family, directory_id = :directory,
                        deactivated_at = CASE WHEN :active THEN NULL
                            ELSE coalesce(deactivated_at, :now) END, updated_at = :now
                    WHERE member_id = :id AND workspace_id = :workspace
                    """,
                arguments: [
                    "name": name, "role": change.role.rawValue,
                    "given": details.givenName, "family": details.familyName,
                    "directory": details.externalID, "active": details.isActive,
                    "now": now.milliseconds, "id": id.rawValue,
                    "workspace": workspace.rawValue,
                ]
            )
            if let hash = change.passwordHash {
                try database.execute(
                    sql: "UPDATE members SET password_hash = ? WHERE id = ?",
                    arguments: [hash, id.rawValue]
                )
                try Self.endSignIns(of: id, database)
            }
            if !details.isActive { try Self.endSignIns(of: id, in: workspace, database) }
            guard let changed = try Self.entry(id, workspace, database) else { return .unknown }
            try Self.addAudit(audit(changed), in: workspace, database)
            return .changed(changed)
        }
    }

    package func removeMember(
        _ id: MemberID,
        in workspace: WorkspaceID,
        noting audit: @escaping @Sendable (MemberEntry) -> AuditRecord?,
        now: Date
    ) async throws -> MemberChangeOutcome {
        try await write { database in
            guard let stored = try Self.entry(id, workspace, database) else { return .unknown }
            guard try !Self.isLastAdministrator(stored, workspace, database) else {
                return .lastAdministrator
            }
            try Self.leave(id, workspace, database)
            try database.execute(
                sql: """
                    INSERT INTO removed_members (workspace_id, email, removed_at) VALUES (?, ?, ?)
                    ON CONFLICT (workspace_id, email COLLATE NOCASE)
                        DO UPDATE SET email = excluded.email, removed_at = excluded.removed_at
                    """,
                arguments: [workspace.rawValue, stored.member.email, now.milliseconds]
            )
            try Self.addAudit(audit(stored), in: workspace, database)
            return .changed(stored)
        }
    }

    /// Takes somebody out of a workspace, and out of the server with the last one.
    private static func leave(
        _ id: MemberID,
        _ workspace: WorkspaceID,
        _ database: Database
    ) throws {
        try database.execute(
            sql: "DELETE FROM memberships WHERE member_id = ? AND workspace_id = ?",
            arguments: [id.rawValue, workspace.rawValue]
        )
        let next = try Int64.fetchOne(
            database,
            sql: "SELECT min(workspace_id) FROM memberships WHERE member_id = ?",
            arguments: [id.rawValue]
        )
        guard let next else {
            try database.execute(
                sql: "DELETE FROM members WHERE id = ?",
                arguments: [id.rawValue]
            )
            return
        }
        try database.execute(
            sql: "UPDATE members SET workspace_id = ? WHERE id = ? AND workspace_id = ?",
            arguments: [next, id.rawValue, workspace.rawValue]
        )
        // The person stays known as one who was removed.
        try database.execute(
            sql: """
                UPDATE openid_identities SET member_id = NULL
                WHERE member_id = ? AND workspace_id = ?
                """,
            arguments: [id.rawValue, workspace.rawValue]
        )
        try endSignIns(of: id, in: workspace, database)
    }

    private static func entry(
        _ id: MemberID,
        _ workspace: WorkspaceID,
        _ database: Database
    ) throws -> MemberEntry? {
        try Row.fetchOne(
            database,
            sql: "SELECT * FROM workspace_members WHERE id = ? AND workspace_id = ?",
            arguments: [id.rawValue, workspace.rawValue]
        ).map(MemberEntry.init(row:))
    }

    /// Whether no other administrator could sign in without this one.
    private static func isLastAdministrator(
        _ entry: MemberEntry,
        _ workspace: WorkspaceID,
        _ database: Database
    ) throws -> Bool {
        guard entry.member.role == .administrator, entry.isActive else { return false }
        let others = try Int.fetchOne(
            database,
            sql: """
                SELECT count(*) FROM memberships
                WHERE workspace_id = ? AND member_id <> ? AND role = ? AND deactivated_at IS NULL
                """,
            arguments: [
                workspace.rawValue, entry.member.id.rawValue,
                Member.Role.administrator.rawValue,
            ]
        )
        return others == 0
    }
}

extension MemberEntry {
    fileprivate init(row: Row) throws {
        let createdAt = Date(milliseconds: row["created_at"])
        self.init(
            member: try Member(row: row),
            givenName: row["given_name"],
            familyName: row["family_name"],
            externalID: row["directory_id"],
            isActive: row["deactivated_at"] as Int64? == nil,
            belongsElsewhere: row["belongs_elsewhere"],
            createdAt: createdAt,
            updatedAt: (row["updated_at"] as Int64?).map(Date.init(milliseconds:)) ?? createdAt
        )
    }
}
