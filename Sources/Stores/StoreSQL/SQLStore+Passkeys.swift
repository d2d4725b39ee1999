import Foundation
import Model
import Ports
import Relational

extension SQLStore: PasskeyStore {
    package func addPasskey(_ passkey: Passkey, noting audit: AuditRecord) async throws {
        try await write { database in
            try unlessTaken("passkey", database) {
                try database.execute(
                    sql: """
                        INSERT INTO passkeys (member_id, credential_id, public_key, name,
                            sign_count, created_at)
                        VALUES (?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        passkey.member.rawValue, passkey.credentialID, passkey.publicKey,
                        passkey.name, passkey.signCount, passkey.createdAt.milliseconds,
                    ]
                )
            }
            try Self.addAudit(audit, ofAccount: passkey.member, database)
        }
    }

    package func passkeys(
        of member: MemberID,
        in workspace: WorkspaceID
    ) async throws -> [Passkey] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT passkeys.* FROM passkeys
                    JOIN memberships ON memberships.member_id = passkeys.member_id
                    WHERE passkeys.member_id = ? AND workspace_id = ? ORDER BY passkeys.id
                    """,
                arguments: [member.rawValue, workspace.rawValue]
            ).map(Passkey.init(row:))
        }
    }

    package func passkey(
        credentialID: Data
    ) async throws -> (member: Member, passkey: Passkey)? {
        try await read { database in
            let row = try Row.fetchOne(
                database,
                sql: "SELECT * FROM passkeys WHERE credential_id = ?",
                arguments: [credentialID]
            )
            guard let passkey = row.map(Passkey.init(row:)) else { return nil }
            let member = try Self.memberships("id = ?", [passkey.member.rawValue], database).first
            return member.map { ($0, passkey) }
        }
    }

    package func usePasskey(
        _ id: PasskeyID,
        signCount: UInt32,
        at time: Date
    ) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE passkeys SET sign_count = :count, last_used_at = :now
                    WHERE id = :id AND (sign_count < :count OR (sign_count = 0 AND :count = 0))
                    """,
                arguments: [
                    "count": signCount, "now": time.milliseconds, "id": id.rawValue,
                ]
            )
            return try database.changesCount == 1
        }
    }

    package func removePasskey(
        _ id: PasskeyID,
        of member: MemberID,
        in workspace: WorkspaceID,
        noting audit: @escaping @Sendable (Member, Passkey) -> AuditRecord
    ) async throws -> Passkey? {
        try await write { database in
            let owner = try Self.member(member, workspace, database)
            let removed = try Row.fetchOne(
                database,
                sql: "DELETE FROM passkeys WHERE id = ? AND member_id = ? RETURNING *",
                arguments: [id.rawValue, owner?.id.rawValue]
            ).map(Passkey.init(row:))
            guard let owner, let removed else { return nil }
            try Self.addAudit(audit(owner, removed), in: workspace, database)
            return removed
        }
    }
}

extension Passkey {
    fileprivate init(row: Row) {
        self.init(
            id: PasskeyID(row["id"]),
            member: MemberID(row["member_id"]),
            credentialID: row["credential_id"],
            publicKey: row["public_key"],
            name: row["name"],
            signCount: row["sign_count"],
            createdAt: Date(milliseconds: row["created_at"]),
            lastUsedAt: (row["last_used_at"] as Int64?).map(Date.init(milliseconds:))
        )
    }
}
