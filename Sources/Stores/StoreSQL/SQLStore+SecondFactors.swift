import Foundation
import Model
import Ports
import Relational

extension SQLStore: SecondFactorStore {
    package func saveSecondFactor(_ box: Data, of member: MemberID) async throws -> Bool {
        try await write { database in
            guard try !Self.isConfirmed(member, database) else { return false }
            try database.execute(
                sql: """
                    INSERT INTO second_factors (member_id, box) VALUES (:member, :box)
                    ON CONFLICT (member_id) DO UPDATE SET box = :box, last_step = 0
                    """,
                arguments: ["member": member.rawValue, "box": box]
            )
            return true
        }
    }

    package func secondFactor(of member: MemberID) async throws -> SecondFactor? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT box, last_step, second_factor_at,
                        (SELECT count(*) FROM recovery_codes
                         WHERE member_id = members.id) AS codes
                    FROM second_factors JOIN members ON members.id = member_id
                    WHERE member_id = ?
                    """,
                arguments: [member.rawValue]
            ).map { row in
                SecondFactor(
                    box: row["box"],
                    confirmedAt: (row["second_factor_at"] as Int64?).map(Date.init(milliseconds:)),
                    lastStep: row["last_step"],
                    recoveryCodes: row["codes"]
                )
            }
        }
    }

    package func confirmSecondFactor(
        _ box: Data,
        of member: MemberID,
        step: Int64,
        recoveryCodes: [Data],
        noting audit: AuditRecord
    ) async throws -> Bool {
        try await write { database in
            guard try !Self.isConfirmed(member, database) else { return false }
            try database.execute(
                sql: "UPDATE second_factors SET last_step = ? WHERE member_id = ? AND box = ?",
                arguments: [step, member.rawValue, box]
            )
            guard try database.changesCount == 1 else { return false }
            try database.execute(
                sql: "UPDATE members SET second_factor_at = ? WHERE id = ?",
                arguments: [audit.at.milliseconds, member.rawValue]
            )
            guard try database.changesCount == 1 else { return false }
            try Self.setCodes(recoveryCodes, of: member, database)
            try Self.addAudit(audit, ofAccount: member, database)
            return true
        }
    }

    package func useSecondFactorStep(_ step: Int64, of member: MemberID) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE second_factors SET last_step = :step
                    WHERE member_id = :member AND last_step < :step
                    """,
                arguments: ["step": step, "member": member.rawValue]
            )
            return try database.changesCount == 1
        }
    }

    package func useRecoveryCode(
        _ hash: Data,
        of member: MemberID,
        noting audit: @escaping @Sendable (Int) -> AuditRecord
    ) async throws -> Bool {
        try await write { database in
            guard try Self.isConfirmed(member, database) else { return false }
            try database.execute(
                sql: "DELETE FROM recovery_codes WHERE member_id = ? AND code_hash = ?",
                arguments: [member.rawValue, hash]
            )
            guard try database.changesCount == 1 else { return false }
            let left = try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM recovery_codes WHERE member_id = ?",
                arguments: [member.rawValue]
            )
            try Self.addAudit(audit(left ?? 0), ofAccount: member, database)
            return true
        }
    }

    package func replaceRecoveryCodes(
        _ hashes: [Data],
        of member: MemberID,
        noting audit: AuditRecord
    ) async throws -> Bool {
        try await write { database in
            guard try Self.isConfirmed(member, database) else { return false }
            try Self.setCodes(hashes, of: member, database)
            try Self.addAudit(audit, ofAccount: member, database)
            return true
        }
    }

    package func removeSecondFactor(
        of member: MemberID,
        in workspace: WorkspaceID,
        noting audit: @escaping @Sendable (Member) -> AuditRecord
    ) async throws -> Member? {
        try await write { database in
            guard let found = try Self.member(member, workspace, database),
                found.secondFactorAt != nil
            else { return nil }
            try database.execute(
                sql: "UPDATE members SET second_factor_at = NULL WHERE id = ?",
                arguments: [member.rawValue]
            )
            for table in ["second_factors", "recovery_codes", "sign_in_steps"] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE member_id = ?",
                    arguments: [member.rawValue]
                )
            }
            try Self.addAudit(audit(found), in: workspace, database)
            return found
        }
    }

    package func saveSignInStep(
        _ tokenHash: Data,
        of member: MemberID,
        in workspace: WorkspaceID,
        isByProvider: Bool,
        now: Date,
        expiresAt: Date
    ) async throws {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM sign_in_steps WHERE expires_at <= ?",
                arguments: [now.milliseconds]
            )
            try database.execute(
                sql: "INSERT INTO sign_in_steps VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    tokenHash, member.rawValue, expiresAt.milliseconds, isByProvider,
                    workspace.rawValue,
                ]
            )
        }
    }

    package func member(
        signInStep tokenHash: Data,
        now: Date
    ) async throws -> (member: Member, isByProvider: Bool)? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT workspace_members.*, is_by_provider FROM sign_in_steps
                    JOIN workspace_members ON workspace_members.id = member_id
                        AND workspace_members.workspace_id = sign_in_steps.workspace_id
                    WHERE token_hash = ? AND expires_at > ? AND deactivated_at IS NULL
                    """,
                arguments: [tokenHash, now.milliseconds]
            ).map { (try Member(row: $0), $0["is_by_provider"]) }
        }
    }

    package func deleteSignInStep(_ tokenHash: Data) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM sign_in_steps WHERE token_hash = ?",
                arguments: [tokenHash]
            )
            return try database.changesCount == 1
        }
    }

    /// Whether a member has a confirmed second factor.
    private static func isConfirmed(_ member: MemberID, _ database: Database) throws -> Bool {
        try Bool.fetchOnly(
            database,
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM members WHERE id = ? AND second_factor_at IS NOT NULL
                )
                """,
            arguments: [member.rawValue]
        )
    }

    private static func setCodes(
        _ hashes: [Data],
        of member: MemberID,
        _ database: Database
    ) throws {
        try database.execute(
            sql: "DELETE FROM recovery_codes WHERE member_id = ?",
            arguments: [member.rawValue]
        )
        for hash in hashes {
            try database.execute(
                sql: "INSERT INTO recovery_codes VALUES (?, ?)",
                arguments: [member.rawValue, hash]
            )
        }
    }
}
