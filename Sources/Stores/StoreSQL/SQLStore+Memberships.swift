import Foundation
import Model
import Ports
import Reasons
import Relational

extension SQLStore: MembershipStore {
    package func memberships(of member: MemberID) async throws -> [Member] {
        try await read { database in
            try Self.memberships("id = ?", [member.rawValue], database)
        }
    }

    package func memberships(email: String) async throws -> [Member] {
        try await read { database in
            try Self.memberships("email = ? COLLATE NOCASE", [email], database)
        }
    }

    package func belongs(
        _ member: MemberID,
        beyond workspace: WorkspaceID,
        andThoseOf administrator: MemberID?
    ) async throws -> Bool {
        try await read { database in
            try !Self.members(
                of: workspace,
                belongingBeyondThoseOf: administrator,
                "AND here.member_id = :member",
                ["member": member.rawValue],
                database
            ).isEmpty
        }
    }

    package func members(
        of workspace: WorkspaceID,
        belongingBeyondThoseOf administrator: MemberID?
    ) async throws -> Set<MemberID> {
        try await read { database in
            try Self.members(
                of: workspace,
                belongingBeyondThoseOf: administrator,
                "",
                [:],
                database
            )
        }
    }

    /// - Parameter condition: On the membership `here` in the workspace.
    private static func members(
        of workspace: WorkspaceID,
        belongingBeyondThoseOf administrator: MemberID?,
        _ condition: String,
        _ arguments: StatementArguments,
        _ database: Database
    ) throws -> Set<MemberID> {
        let found = try Int64.fetchAll(
            database,
            sql: """
                SELECT DISTINCT here.member_id FROM memberships AS here
                JOIN memberships AS theirs ON theirs.member_id = here.member_id
                WHERE here.workspace_id = :workspace AND theirs.workspace_id <> :workspace
                    AND NOT EXISTS (
                        SELECT 1 FROM memberships AS own
                        WHERE own.member_id = :administrator
                            AND own.workspace_id = theirs.workspace_id
                            AND own.role = :role AND own.deactivated_at IS NULL
                    )
                    \(condition)
                """,
            arguments: arguments + [
                "workspace": workspace.rawValue, "administrator": administrator?.rawValue,
                "role": Member.Role.administrator.rawValue,
            ]
        )
        return Set(found.map { MemberID($0) })
    }

    package func switchConsoleSession(
        tokenHash: Data,
        to workspace: WorkspaceID,
        now: Date
    ) async throws -> Bool {
        try await write { database in
            let member = try Int64.fetchOne(
                database,
                sql: """
                    UPDATE console_sessions SET workspace_id = :workspace
                    WHERE token_hash = :hash AND expires_at > :now AND EXISTS (
                        SELECT 1 FROM memberships
                        WHERE memberships.member_id = console_sessions.member_id
                            AND memberships.workspace_id = :workspace AND deactivated_at IS NULL
                    )
                    RETURNING member_id
                    """,
                arguments: [
                    "workspace": workspace.rawValue, "hash": tokenHash, "now": now.milliseconds,
                ]
            )
            guard let member else { return false }
            try Self.noteOpening(MemberID(member), workspace, at: now, database)
            return true
        }
    }

    package func createWorkspace(
        _ settings: WorkspaceSettings,
        administrator: Member?,
        noting audit: AuditRecord,
        now: Date
    ) async throws -> WorkspaceID {
        try await write { database in
            let isTaken = try Bool.fetchOnly(
                database,
                sql: "SELECT EXISTS (SELECT 1 FROM workspaces WHERE name = ?)",
                arguments: [settings.name]
            )
            guard !isTaken else {
                throw StoreError(.exists, .nameTaken, ["name": .text(settings.name)])
            }
            let workspace = try Self.insertWorkspace(
                settings.name,
                settings.timeZone,
                now,
                database
            )
            if let administrator {
                try Self.join(
                    administrator.id,
                    workspace,
                    as: .administrator,
                    named: administrator.name,
                    MemberDetails(),
                    now: now,
                    database
                )
            }
            try Self.addAudit(audit, in: workspace, database)
            return workspace
        }
    }

    /// Makes somebody with an account a member of a workspace.
    static func join(
        _ member: MemberID,
        _ workspace: WorkspaceID,
        as role: Member.Role,
        named name: String,
        _ details: MemberDetails,
        now: Date,
        _ database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO memberships (member_id, workspace_id, role, name, given_name,
                    family_name, directory_id, deactivated_at, created_at, updated_at)
                VALUES (:member, :workspace, :role, :name, :given, :family, :directory,
                    :deactivated, :now, :now)
                """,
            arguments: [
                "member": member.rawValue, "workspace": workspace.rawValue,
                "role": role.rawValue, "name": name, "given": details.givenName,
                "family": details.familyName, "directory": details.externalID,
                "deactivated": details.isActive ? nil : now.milliseconds,
                "now": now.milliseconds,
            ]
        )
    }

    /// What somebody is in a workspace, whether they may sign in or not.
    static func member(
        _ id: MemberID,
        _ workspace: WorkspaceID,
        _ database: Database
    ) throws -> Member? {
        try Row.fetchOne(
            database,
            sql: "SELECT * FROM workspace_members WHERE id = ? AND workspace_id = ?",
            arguments: [id.rawValue, workspace.rawValue]
        ).map(Member.init(row:))
    }

    /// - Parameter condition: On the columns of `workspace_members`.
    static func memberships(
        _ condition: String,
        _ arguments: StatementArguments,
        _ database: Database
    ) throws -> [Member] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT * FROM workspace_members WHERE \(condition) AND deactivated_at IS NULL
                ORDER BY workspace_id <> last_workspace_id, workspace_id
                """,
            arguments: arguments
        ).map(Member.init(row:))
    }

    /// Records in which workspace a member is now.
    static func noteOpening(
        _ member: MemberID,
        _ workspace: WorkspaceID,
        at time: Date,
        _ database: Database
    ) throws {
        try database.execute(
            sql: """
                UPDATE memberships SET last_signed_in_at = ?
                WHERE member_id = ? AND workspace_id = ?
                """,
            arguments: [time.milliseconds, member.rawValue, workspace.rawValue]
        )
        try database.execute(
            sql: "UPDATE members SET workspace_id = ? WHERE id = ?",
            arguments: [workspace.rawValue, member.rawValue]
        )
    }

    /// Ends what a member has begun in a workspace; everything of the account if they may open no
    /// other one.
    static func endSignIns(
        of member: MemberID,
        in workspace: WorkspaceID,
        _ database: Database
    ) throws {
        for table in ["console_sessions", "sign_in_steps"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE member_id = ? AND workspace_id = ?",
                arguments: [member.rawValue, workspace.rawValue]
            )
        }
        guard try memberships("id = ?", [member.rawValue], database).isEmpty else { return }
        try endSignIns(of: member, database)
    }

    /// Ends all that begins or goes on with the account's password.
    static func endSignIns(of member: MemberID, _ database: Database) throws {
        for table in ["console_sessions", "password_links", "sign_in_steps"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE member_id = ?",
                arguments: [member.rawValue]
            )
        }
    }

    /// What concerns the whole account is in the log of each of its workspaces.
    static func addAudit(
        _ record: AuditRecord,
        ofAccount member: MemberID,
        _ database: Database
    ) throws {
        let workspaces = try Int64.fetchAll(
            database,
            sql: "SELECT workspace_id FROM memberships WHERE member_id = ?",
            arguments: [member.rawValue]
        )
        for workspace in workspaces {
            try addAudit(record, in: WorkspaceID(workspace), database)
        }
    }
}
