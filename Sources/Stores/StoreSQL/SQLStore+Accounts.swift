import Foundation
import Model
import Ports
import Reasons
import Relational

extension SQLStore: AccountStore {
    package func createApp(
        _ draft: AppDraft,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> App {
        try await write { database in
            let number = try Int64.fetchOnly(
                database,
                sql: """
                    INSERT INTO apps (workspace_id, name, platform, bundle_id, sdk_key, created_at)
                    VALUES (?, ?, ?, ?, ?, ?) RETURNING id
                    """,
                arguments: [
                    workspace.rawValue, draft.name, draft.platform, draft.bundleID, draft.sdkKey,
                    now.milliseconds,
                ]
            )
            let id = AppID(number)
            try Self.addAudit(audit, in: workspace, database)
            return App(
                id: id,
                workspace: workspace,
                name: draft.name,
                platform: draft.platform,
                bundleID: draft.bundleID,
                sdkKey: draft.sdkKey
            )
        }
    }

    package func apps(in workspace: WorkspaceID) async throws -> [App] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM apps WHERE workspace_id = ? ORDER BY id",
                arguments: [workspace.rawValue]
            ).map(App.init(row:))
        }
    }

    package func app(sdkKey: String) async throws -> App? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM apps WHERE sdk_key = ?",
                arguments: [sdkKey]
            ).map(App.init(row:))
        }
    }

    package func namedDevices(of app: AppID) async throws -> (all: Int, unproved: Int) {
        try await read { database in
            let row = try Row.fetchOnly(
                database,
                sql: """
                    SELECT count(*) AS all_devices,
                        coalesce(sum(iif(proved_for IS NOT profile_id, 1, 0)), 0) AS unproved
                    FROM devices JOIN profiles ON profiles.id = profile_id
                    WHERE app_id = ? AND external_id IS NOT NULL
                    """,
                arguments: [app.rawValue]
            )
            return (row["all_devices"], row["unproved"])
        }
    }

    package func changeAuthentication(
        from former: SDKAuthenticationPolicy,
        to authentication: SDKAuthenticationPolicy,
        of app: AppID,
        noting audit: AuditRecord?
    ) async throws -> Bool {
        let text = try StoredJSON.text(authentication)
        return try await write { database in
            let stored = try Row.fetchOne(
                database,
                sql: "SELECT * FROM apps WHERE id = ?",
                arguments: [app.rawValue]
            ).map(App.init(row:))
            guard let stored, stored.authentication == former else { return false }
            try database.execute(
                sql: "UPDATE apps SET sdk_authentication = ? WHERE id = ?",
                arguments: [text, app.rawValue]
            )
            try Self.addAudit(audit, in: stored.workspace, database)
            return true
        }
    }

    package func saveCredentials(
        _ credentials: SealedCredentials,
        noting audit: AuditRecord?,
        now: Date
    ) async throws {
        try await write { database in
            let workspace = try Int64.fetchOne(
                database,
                sql: "SELECT workspace_id FROM apps WHERE id = ?",
                arguments: [credentials.app.rawValue]
            )
            if let workspace {
                try Self.addAudit(audit, in: WorkspaceID(workspace), database)
            }
            try database.execute(
                sql: """
                    INSERT INTO credentials (app_id, provider, box, updated_at)
                    VALUES (?, ?, ?, ?)
                    ON CONFLICT (app_id, provider) DO UPDATE
                    SET box = excluded.box, updated_at = excluded.updated_at
                    """,
                arguments: [
                    credentials.app.rawValue, credentials.provider.rawValue, credentials.box,
                    now.milliseconds,
                ]
            )
        }
    }

    package func credentials(
        app: AppID,
        provider: PushProvider
    ) async throws -> [SealedCredentials] {
        try await read { database in
            try Data.fetchAll(
                database,
                sql: "SELECT box FROM credentials WHERE app_id = ? AND provider = ?",
                arguments: [app.rawValue, provider.rawValue]
            ).map { SealedCredentials(app: app, provider: provider, box: $0) }
        }
    }

    package func saveAPIKey(
        _ key: APIKey,
        secretHash: Data,
        noting audit: AuditRecord?
    ) async throws {
        try await write { database in
            try unlessTaken(key.name, database) {
                try database.execute(
                    sql: """
                        INSERT INTO api_keys (workspace_id, name, secret_hash, permissions,
                            allowed_addresses, created_at, expires_at)
                        VALUES (?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        key.workspace.rawValue, key.name, secretHash,
                        key.permissions.sorted().joined(separator: ","),
                        key.allowedAddresses.map(\.description).joined(separator: ","),
                        key.createdAt.milliseconds, key.expiresAt?.milliseconds,
                    ]
                )
            }
            try Self.addAudit(audit, in: key.workspace, database)
        }
    }

    package func apiKey(secretHash: Data) async throws -> APIKey? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM api_keys WHERE secret_hash = ?",
                arguments: [secretHash]
            ).map(APIKey.init(row:))
        }
    }

    package func recordAPIKeyUse(secretHash: Data, at time: Date) async throws {
        try await write { database in
            try database.execute(
                sql: "UPDATE api_keys SET last_used_at = ? WHERE secret_hash = ?",
                arguments: [time.milliseconds, secretHash]
            )
        }
    }

    package func apiKeys(in workspace: WorkspaceID) async throws -> [APIKey] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM api_keys WHERE workspace_id = ? ORDER BY id",
                arguments: [workspace.rawValue]
            ).map(APIKey.init(row:))
        }
    }

    package func revokeAPIKey(
        named name: String,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE api_keys SET revoked_at = ?
                    WHERE workspace_id = ? AND name = ? AND revoked_at IS NULL
                    """,
                arguments: [now.milliseconds, workspace.rawValue, name]
            )
            guard try database.changesCount > 0 else { return false }
            try Self.addAudit(audit, in: workspace, database)
            return true
        }
    }

    package func memberWithPassword(
        email: String
    ) async throws -> (member: Member, passwordHash: String)? {
        try await read { database in
            guard
                let member = try Self.memberships("email = ? COLLATE NOCASE", [email], database)
                    .first,
                let hash = try String.fetchOne(
                    database,
                    sql: "SELECT password_hash FROM members WHERE id = ?",
                    arguments: [member.id.rawValue]
                )
            else { return nil }
            return (member, hash)
        }
    }
}

extension App {
    static func authentication(_ text: String?) -> SDKAuthenticationPolicy {
        guard let text else { return SDKAuthenticationPolicy() }
        // An unreadable value rejects every user instead of accepting all of them.
        return (try? StoredJSON.value(text, as: SDKAuthenticationPolicy.self))
            ?? SDKAuthenticationPolicy(mode: .required)
    }

    init(row: Row) {
        self.init(
            id: AppID(row["id"]),
            workspace: WorkspaceID(row["workspace_id"]),
            name: row["name"],
            platform: row["platform"],
            bundleID: row["bundle_id"],
            sdkKey: row["sdk_key"],
            authentication: Self.authentication(row["sdk_authentication"])
        )
    }
}

extension APIKey {
    fileprivate init(row: Row) throws {
        let permissions: String = row["permissions"]
        let addresses: String = row["allowed_addresses"]
        self.init(
            workspace: WorkspaceID(row["workspace_id"]),
            name: row["name"],
            permissions: Set(permissions.split(separator: ",").map(String.init)),
            allowedAddresses: try addresses.split(separator: ",").map { text in
                guard let range = AddressRange(String(text)) else {
                    throw StoreError(.unreadable, .addressRange, ["text": "\(text)"])
                }
                return range
            },
            createdAt: Date(milliseconds: row["created_at"]),
            revokedAt: (row["revoked_at"] as Int64?).map(Date.init(milliseconds:)),
            expiresAt: (row["expires_at"] as Int64?).map(Date.init(milliseconds:)),
            lastUsedAt: (row["last_used_at"] as Int64?).map(Date.init(milliseconds:))
        )
    }
}

extension Member {
    init(row: Row) throws {
        guard let role = Role(rawValue: row["role"]) else {
            throw StoreError.unknownValue("role", in: row)
        }
        self.init(
            id: MemberID(row["id"]),
            workspace: WorkspaceID(row["workspace_id"]),
            name: row["name"],
            email: row["email"],
            role: role,
            language: row["language"],
            lastSignedInAt: (row["last_signed_in_at"] as Int64?).map(Date.init(milliseconds:)),
            secondFactorAt: (row["second_factor_at"] as Int64?).map(Date.init(milliseconds:))
        )
    }
}
