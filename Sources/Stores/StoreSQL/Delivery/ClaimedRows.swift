import Foundation
import Model
import Ports
import Relational

/// Loads the device, user and app of claimed dispatches.
struct ClaimedRows {
    /// A dispatch whose device or user was deleted or cannot be read.
    struct Gone: Sendable {
        var send: SendID
        var device: DeviceID
    }

    private let taken: [DispatchClaimer.Taken]
    private let database: Database
    private let unreadable: UnreadableRows
    private let known: KnownRecipients?

    init(
        _ taken: [DispatchClaimer.Taken],
        _ database: Database,
        _ unreadable: UnreadableRows,
        known: KnownRecipients?
    ) {
        self.taken = taken
        self.database = database
        self.unreadable = unreadable
        self.known = known
    }

    func read() throws -> (rows: [ClaimedDispatch], gone: [Gone]) {
        var found: [(profile: Profile, device: Device)?] = taken.map {
            known?.recipient(with: $0.device)
        }
        let asked = found.indices.filter { found[$0] == nil }
        let select = try database.cachedStatement(sql: Self.sql)
        try select.forEachFirstRow(asked.map { [taken[$0].device] }) { position, row in
            let device = taken[asked[position]].device
            guard let row else { return }
            found[asked[position]] = try unreadable.value("profiles", row[Column.owner]) {
                (profile: try Self.profile(row), device: try Self.device(row, id: device))
            }
        }
        if let known {
            for position in asked {
                if let (profile, device) = found[position] { known.add(profile, device) }
            }
        }
        var apps: [AppID: App] = [:]
        var properties: [Int64: SendProperties] = [:]
        var rows: [ClaimedDispatch] = []
        rows.reserveCapacity(taken.count)
        var gone: [Gone] = []
        for (taken, recipient) in zip(taken, found) {
            guard let (profile, device) = recipient else {
                gone.append(Gone(send: SendID(taken.send), device: DeviceID(taken.device)))
                continue
            }
            let app = try apps[device.app] ?? app(device.app, profile.workspace)
            apps[device.app] = app
            let own = try properties[taken.send] ?? SendProperties(of: taken.send, database)
            properties[taken.send] = own
            var claimed = ClaimedDispatch(
                send: SendID(taken.send),
                workspace: profile.workspace,
                device: device,
                profile: profile,
                app: app,
                recipient: ProfileID(taken.recipient),
                attempts: taken.attempts
            )
            claimed.variant = taken.variant
            claimed.properties = try own.value(for: profile.id)
            rows.append(claimed)
        }
        return (rows, gone)
    }

    // Columns are read by index: comparing forty names for every row would be slow.
    private enum Column {
        static let app = 1
        static let owner = 2
        static let profile = 18
        static let provedFor = 29
    }

    private static let sql = """
        SELECT devices.installation_id, devices.app_id, devices.profile_id, devices.platform,
            devices.model, devices.os_version, devices.app_version, devices.sdk_version,
            devices.locale, devices.time_zone, devices.push_provider, devices.push_token,
            devices.push_environment, devices.push_authorization, devices.push_public_key,
            devices.push_secret, devices.push_registered_at, devices.updated_at,
            profiles.workspace_id, profiles.public_id, profiles.external_id,
            profiles.anonymous_id, profiles.standard, profiles.custom, profiles.session_count,
            profiles.first_session_at, profiles.last_session_at, profiles.created_at,
            profiles.updated_at, devices.proved_for
        FROM devices JOIN profiles ON profiles.id = devices.profile_id WHERE devices.id = ?
        """

    private static func device(_ row: Row, id: Int64) throws -> Device {
        var device = Device(
            id: DeviceID(id),
            installation: try StoredUUID.value(row[0] as DatabaseValue, "installation_id"),
            app: AppID(row[Column.app]),
            profile: ProfileID(row[Column.owner]),
            platform: row[3],
            updatedAt: Date(milliseconds: row[17])
        )
        device.model = row[4]
        device.osVersion = row[5]
        device.appVersion = row[6]
        device.sdkVersion = row[7]
        device.locale = row[8]
        device.timeZone = row[9]
        device.provedFor = (row[Column.provedFor] as Int64?).map { ProfileID($0) }
        if let provider = (row[10] as String?).flatMap(PushProvider.init),
            let token: String = row[11]
        {
            device.push = PushRegistration(
                provider: provider,
                token: token,
                environment: (row[12] as String?).flatMap(APNsEnvironment.init),
                authorization: (row[13] as String?).flatMap(PushAuthorization.init)
                    ?? .notDetermined,
                publicKey: row[14],
                authenticationSecret: row[15],
                registeredAt: Date(milliseconds: row[16] ?? 0)
            )
        }
        return device
    }

    private static func profile(_ row: Row) throws -> Profile {
        let first = Column.profile
        var profile = Profile(
            id: ProfileID(row[Column.owner]),
            workspace: WorkspaceID(row[first]),
            publicID: try StoredUUID.value(row[first + 1] as DatabaseValue, "public_id"),
            externalID: row[first + 2],
            anonymousID: try StoredUUID.optional(row[first + 3] as DatabaseValue, "anonymous_id"),
            createdAt: Date(milliseconds: row[first + 9])
        )
        for (name, value) in try StoredJSON.object(row[first + 4]) {
            if let attribute = StandardAttribute(rawValue: name) {
                profile.standard[attribute] = value
            }
        }
        profile.custom = try StoredJSON.object(row[first + 5])
        profile.sessionCount = row[first + 6]
        profile.firstSessionAt = (row[first + 7] as Int64?).map(Date.init(milliseconds:))
        profile.lastSessionAt = (row[first + 8] as Int64?).map(Date.init(milliseconds:))
        profile.updatedAt = Date(milliseconds: row[first + 10])
        return profile
    }

    private func app(_ id: AppID, _ workspace: WorkspaceID) throws -> App {
        guard
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT name, platform, bundle_id, sdk_key, sdk_authentication FROM apps
                        WHERE id = ?
                        """
                ),
                arguments: [id.rawValue]
            )
        else {
            throw StoreError(.unreadable, .appGone, ["id": "\(id)"])
        }
        return App(
            id: id,
            workspace: workspace,
            name: row[0],
            platform: row[1],
            bundleID: row[2],
            sdkKey: row[3],
            authentication: App.authentication(row[4])
        )
    }
}
