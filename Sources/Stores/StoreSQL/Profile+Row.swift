import Foundation
import Model
import NoroshiWire
import Relational

extension Profile {
    init(row: Row) throws {
        self.init(
            id: ProfileID(row["id"]),
            workspace: WorkspaceID(row["workspace_id"]),
            publicID: try StoredUUID.value(row, "public_id"),
            externalID: row["external_id"],
            anonymousID: try StoredUUID.optional(row, "anonymous_id"),
            createdAt: Date(milliseconds: row["created_at"])
        )
        for (name, value) in try StoredJSON.object(row["standard"]) {
            if let attribute = StandardAttribute(rawValue: name) { standard[attribute] = value }
        }
        custom = try StoredJSON.object(row["custom"])
        sessionCount = row["session_count"]
        firstSessionAt = (row["first_session_at"] as Int64?).map(Date.init(milliseconds:))
        lastSessionAt = (row["last_session_at"] as Int64?).map(Date.init(milliseconds:))
        updatedAt = Date(milliseconds: row["updated_at"])
    }

    func insert(into database: Database) throws -> ProfileID {
        let number = try Int64.fetchOnly(
            database.cachedStatement(
                sql: """
                    INSERT INTO profiles (id, workspace_id, public_id, external_id, anonymous_id,
                        email, phone, first_name, last_name, push_subscription, standard, custom,
                        session_count, first_session_at, last_session_at, created_at, updated_at)
                    VALUES (\(RowIDAllocator.next("profiles")), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                        ?, ?, ?, ?)
                    RETURNING id
                    """
            ),
            arguments: [workspace.rawValue, publicID] + (try columns())
                + [createdAt.milliseconds, updatedAt.milliseconds]
        )
        return ProfileID(number)
    }

    func update(in database: Database) throws {
        try database.cachedStatement(
            sql: """
                UPDATE profiles SET external_id = ?, anonymous_id = ?, email = ?, phone = ?,
                    first_name = ?, last_name = ?, push_subscription = ?, standard = ?, custom = ?,
                    session_count = ?, first_session_at = ?, last_session_at = ?, created_at = ?,
                    updated_at = ?
                WHERE id = ?
                """
        ).execute(
            arguments: try columns()
                + [createdAt.milliseconds, updatedAt.milliseconds, id.rawValue]
        )
    }

    /// Writes what it says of sessions: most reports change nothing else of a profile.
    func updateSessions(in database: Database) throws {
        try database.cachedStatement(
            sql: """
                UPDATE profiles SET session_count = ?, first_session_at = ?, last_session_at = ?,
                    updated_at = ?
                WHERE id = ?
                """
        ).execute(arguments: [
            sessionCount, firstSessionAt?.milliseconds, lastSessionAt?.milliseconds,
            updatedAt.milliseconds, id.rawValue,
        ])
    }

    /// The values from `external_id` to `last_session_at` in the order of the statements above.
    private func columns() throws -> StatementArguments {
        let named = Dictionary(
            uniqueKeysWithValues: standard.map { ($0.key.rawValue, $0.value) }
        )
        return [
            externalID, anonymousID, standard[.email]?.stringValue, standard[.phone]?.stringValue,
            standard[.firstName]?.stringValue, standard[.lastName]?.stringValue,
            pushSubscription.rawValue, try StoredJSON.text(named), try StoredJSON.text(custom),
            sessionCount, firstSessionAt?.milliseconds, lastSessionAt?.milliseconds,
        ]
    }
}

extension Device {
    /// Inserts a device with all of its columns. Does nothing if the installation is already
    /// stored.
    func insert(into database: Database, _ workspace: WorkspaceID) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO devices (id, workspace_id, app_id, installation_id,
                    profile_id, platform, model, os_version, app_version, sdk_version, locale,
                    time_zone, push_provider, push_token, push_environment, push_authorization,
                    push_public_key, push_secret, push_registered_at, updated_at)
                VALUES (\(RowIDAllocator.next("devices")), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                    ?, ?, ?, ?, ?)
                """
        )
        try statement.execute(arguments: [
            workspace.rawValue, app.rawValue, installation, profile.rawValue, platform, model,
            osVersion, appVersion, sdkVersion, locale, timeZone, push?.provider.rawValue,
            push?.token, push?.environment?.rawValue, push?.authorization.rawValue,
            push?.publicKey, push?.authenticationSecret, push?.registeredAt.milliseconds,
            updatedAt.milliseconds,
        ])
    }

    /// `prefix` precedes each column name if the row comes from a join.
    ///
    /// - Throws: `StoreError` with code `unreadable` for an installation that is no UUID.
    init(row: Row, prefix: String = "") throws {
        self.init(
            id: DeviceID(row[prefix + "id"]),
            installation: try StoredUUID.value(row, prefix + "installation_id"),
            app: AppID(row[prefix + "app_id"]),
            profile: ProfileID(row[prefix + "profile_id"]),
            platform: row[prefix + "platform"],
            updatedAt: Date(milliseconds: row[prefix + "updated_at"])
        )
        model = row[prefix + "model"]
        osVersion = row[prefix + "os_version"]
        appVersion = row[prefix + "app_version"]
        sdkVersion = row[prefix + "sdk_version"]
        locale = row[prefix + "locale"]
        timeZone = row[prefix + "time_zone"]
        push = PushRegistration(row: row, prefix: prefix)
        provedFor = (row[prefix + "proved_for"] as Int64?).map { ProfileID($0) }
    }
}

extension PushRegistration {
    init?(row: Row, prefix: String) {
        guard let token: String = row[prefix + "push_token"],
            let provider = (row[prefix + "push_provider"] as String?).flatMap(PushProvider.init)
        else { return nil }
        self.init(
            provider: provider,
            token: token,
            environment: (row[prefix + "push_environment"] as String?)
                .flatMap(APNsEnvironment.init),
            authorization: (row[prefix + "push_authorization"] as String?)
                .flatMap(PushAuthorization.init) ?? .notDetermined,
            publicKey: row[prefix + "push_public_key"],
            authenticationSecret: row[prefix + "push_secret"],
            registeredAt: Date(milliseconds: row[prefix + "push_registered_at"] ?? 0)
        )
    }
}
