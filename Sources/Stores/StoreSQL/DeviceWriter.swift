import Foundation
import Model
import NoroshiWire
import Ports
import Relational

/// Writes the description that an installation reports, and its push token.
struct DeviceWriter {
    let id: DeviceID
    /// Whether the installation has been used by a named user before.
    let hadName: Bool
    private let app: AppID
    private let now: Date
    private let database: Database

    init(
        _ description: SDKDevice,
        app: AppID,
        workspace: WorkspaceID,
        profile: ProfileID?,
        isProved: Bool,
        now: Date,
        _ database: Database
    ) throws {
        self.app = app
        self.now = now
        self.database = database
        guard
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        INSERT INTO devices (id, workspace_id, app_id, installation_id, profile_id,
                            platform, model, os_version, app_version, sdk_version, locale, time_zone,
                            updated_at, proved_for)
                        VALUES (\(RowIDAllocator.next("devices")), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        ON CONFLICT (app_id, installation_id) DO UPDATE SET
                            proved_for = coalesce(excluded.proved_for,
                                CASE WHEN devices.profile_id = excluded.profile_id
                                THEN devices.proved_for END),
                            profile_id = excluded.profile_id, platform = excluded.platform,
                            model = coalesce(excluded.model, devices.model),
                            os_version = coalesce(excluded.os_version, devices.os_version),
                            app_version = coalesce(excluded.app_version, devices.app_version),
                            sdk_version = coalesce(excluded.sdk_version, devices.sdk_version),
                            locale = coalesce(excluded.locale, devices.locale),
                            time_zone = coalesce(excluded.time_zone, devices.time_zone),
                            updated_at = excluded.updated_at
                        RETURNING id, nameless_became IS NOT NULL
                        """
                ),
                arguments: [
                    workspace.rawValue, app.rawValue, description.id, profile?.rawValue,
                    description.platform, description.model, description.osVersion,
                    description.appVersion, description.sdkVersion, description.locale,
                    description.timeZone, now.milliseconds, isProved ? profile?.rawValue : nil,
                ]
            )
        else { throw StoreError(.unreadable, .deviceWithoutID) }
        id = DeviceID(row[0])
        hadName = row[1]
    }

    /// Records which user the anonymous user of the installation became at the first login, and
    /// when. `nil` if the named user already existed.
    func name(_ profile: ProfileID?, at time: Date) throws {
        try database.cachedStatement(
            sql: "UPDATE devices SET nameless_became = ?, nameless_until = ? WHERE id = ?"
        ).execute(arguments: [profile?.rawValue ?? 0, time.milliseconds, id.rawValue])
    }

    /// Assigns the installation to the last logged-in user.
    func belong(to profile: ProfileID, isProved: Bool) throws {
        try database.cachedStatement(
            sql: """
                UPDATE devices SET profile_id = :profile, proved_for = :proved
                WHERE id = :id AND (profile_id IS NOT :profile
                    OR (:proved IS NOT NULL AND proved_for IS NOT :proved))
                """
        ).execute(arguments: [
            "profile": profile.rawValue, "proved": isProved ? profile.rawValue : nil,
            "id": id.rawValue,
        ])
    }

    /// Binds the token to this device and user, and removes it from any other device. An imported
    /// device, which has no SDK, loses it whatever environment was assumed for it.
    func register(_ registration: PushRegistration, for profile: ProfileID) throws {
        try database.cachedStatement(
            sql: """
                UPDATE devices SET push_token = NULL
                WHERE push_token = ? AND app_id = ? AND push_provider = ?
                    AND (coalesce(push_environment, '') = ? OR sdk_version IS NULL) AND id <> ?
                """
        ).execute(arguments: [
            registration.token, app.rawValue, registration.provider.rawValue,
            registration.environment?.rawValue ?? "", id.rawValue,
        ])
        try database.cachedStatement(
            sql: """
                UPDATE devices SET push_token = ?, push_provider = ?, push_environment = ?,
                    push_authorization = ?, push_public_key = ?, push_secret = ?,
                    push_registered_at = ?
                WHERE id = ?
                """
        ).execute(arguments: [
            registration.token, registration.provider.rawValue,
            registration.environment?.rawValue, registration.authorization.rawValue,
            registration.publicKey, registration.authenticationSecret,
            registration.registeredAt.milliseconds, id.rawValue,
        ])
    }

    func clearToken() throws {
        try database.cachedStatement(
            sql: "UPDATE devices SET push_token = NULL WHERE id = ?"
        ).execute(arguments: [id.rawValue])
    }
}
