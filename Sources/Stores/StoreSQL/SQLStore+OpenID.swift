import Foundation
import Model
import Ports
import Relational

extension SQLStore: OpenIDStore {
    // MARK: Providers

    package func openIDProviders() async throws -> [OpenIDProvider] {
        try await read { [unreadable] database in
            try unreadable.values(
                Row.fetchAll(
                    database,
                    sql: "SELECT *, workspace_id AS id FROM openid_providers ORDER BY workspace_id"
                ),
                of: "openid_providers",
                OpenIDProvider.init(row:)
            )
        }
    }

    package func openIDProvider(of workspace: WorkspaceID) async throws -> OpenIDProvider? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM openid_providers WHERE workspace_id = ?",
                arguments: [workspace.rawValue]
            ).map(OpenIDProvider.init(row:))
        }
    }

    package func openIDSecret(of workspace: WorkspaceID) async throws -> Data? {
        try await read { database in
            try Data.fetchOne(
                database,
                sql: "SELECT secret FROM openid_providers WHERE workspace_id = ?",
                arguments: [workspace.rawValue]
            )
        }
    }

    package func saveOpenIDProvider(
        _ provider: OpenIDProvider,
        secret: Data?,
        noting audit: AuditRecord,
        now: Date
    ) async throws {
        let domains = try StoredJSON.text(provider.domains)
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO openid_providers (workspace_id, name, issuer, client_id,
                        secret, is_only_way, is_second_factor, domains, newcomer_role, updated_at)
                    VALUES (:workspace, :name, :issuer, :client,
                        coalesce(:secret, (SELECT secret FROM openid_providers
                                           WHERE workspace_id = :workspace)),
                        :only, :factor, :domains, :role, :now)
                    ON CONFLICT (workspace_id) DO UPDATE SET name = excluded.name,
                        issuer = excluded.issuer, client_id = excluded.client_id,
                        secret = excluded.secret, is_only_way = excluded.is_only_way,
                        is_second_factor = excluded.is_second_factor,
                        domains = excluded.domains, newcomer_role = excluded.newcomer_role,
                        updated_at = excluded.updated_at
                    """,
                arguments: [
                    "workspace": provider.workspace.rawValue, "name": provider.name,
                    "issuer": provider.issuer, "client": provider.clientID, "secret": secret,
                    "only": provider.isOnlyWay, "factor": provider.isSecondFactor,
                    "domains": domains, "role": provider.newcomerRole.rawValue,
                    "now": now.milliseconds,
                ]
            )
            try Self.addAudit(audit, in: provider.workspace, database)
        }
    }

    package func deleteOpenIDProvider(
        of workspace: WorkspaceID,
        noting audit: AuditRecord
    ) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM openid_providers WHERE workspace_id = ?",
                arguments: [workspace.rawValue]
            )
            guard try database.changesCount == 1 else { return false }
            try Self.addAudit(audit, in: workspace, database)
            return true
        }
    }

    // MARK: Attempts

    package func saveOpenIDAttempt(
        _ attempt: OpenIDAttempt,
        stateHash: Data,
        now: Date
    ) async throws {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM openid_attempts WHERE expires_at <= ?",
                arguments: [now.milliseconds]
            )
            try database.execute(
                sql: "INSERT INTO openid_attempts VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    stateHash, attempt.workspace.rawValue, attempt.browserHash, attempt.back,
                    attempt.expiresAt.milliseconds,
                ]
            )
        }
    }

    package func takeOpenIDAttempt(
        stateHash: Data,
        browserHash: Data,
        in workspace: WorkspaceID,
        now: Date
    ) async throws -> OpenIDAttempt? {
        try await write { database in
            try Row.fetchOne(
                database,
                sql: """
                    DELETE FROM openid_attempts
                    WHERE state_hash = ? AND browser_hash = ? AND workspace_id = ?
                        AND expires_at > ?
                    RETURNING *
                    """,
                arguments: [stateHash, browserHash, workspace.rawValue, now.milliseconds]
            ).map { row in
                OpenIDAttempt(
                    workspace: WorkspaceID(row["workspace_id"]),
                    browserHash: row["browser_hash"],
                    back: row["back"],
                    expiresAt: Date(milliseconds: row["expires_at"])
                )
            }
        }
    }
}

extension OpenIDProvider {
    fileprivate init(row: Row) throws {
        guard let role = Member.Role(rawValue: row["newcomer_role"]) else {
            throw StoreError.unknownValue("newcomer_role", in: row)
        }
        self.init(
            workspace: WorkspaceID(row["workspace_id"]),
            name: row["name"],
            issuer: row["issuer"],
            clientID: row["client_id"],
            isOnlyWay: row["is_only_way"],
            isSecondFactor: row["is_second_factor"],
            domains: try StoredJSON.value(row["domains"], as: [String].self),
            newcomerRole: role
        )
    }
}
