import Foundation
import Model
import Ports
import Relational
import Segments

/// Profiles with their devices, as the segment language sees them.
struct AudienceProfileRows {
    struct Owned: Sendable {
        var workspace: WorkspaceID
        var profile: AudienceProfile
    }

    private static let columns = """
        id, workspace_id, external_id, push_subscription, standard, custom, session_count,
        first_session_at, last_session_at, created_at
        """

    private static let deviceColumns = """
        profile_id, platform, app_id, app_version, model, os_version, push_environment, locale,
        push_token, push_authorization
        """

    /// The profiles of a workspace within a range of ids, in ascending order.
    static let pageOfProfiles = """
        SELECT \(columns) FROM profiles WHERE id > ? AND id <= ? AND +workspace_id = ? ORDER BY id
        """

    /// The devices of profiles within a range of ids, ordered by profile, then by device.
    static let pageOfDevices = """
        SELECT \(deviceColumns) FROM devices WHERE profile_id > ? AND profile_id <= ?
        ORDER BY profile_id, id
        """

    /// The columns of a device row that define its kind; the token is read separately.
    static let kindColumns: [Int32] = [1, 2, 3, 4, 5, 6, 7, 9]
    static let tokenColumn: Int32 = 8

    private let apps: [Int64: String]
    private let database: Database
    private let unreadable: UnreadableRows

    init(_ database: Database, _ unreadable: UnreadableRows) throws {
        self.database = database
        self.unreadable = unreadable
        apps = try Self.apps(database)
    }

    /// Names of apps by number.
    static func apps(_ database: Database) throws -> [Int64: String] {
        var apps: [Int64: String] = [:]
        try RawRows.forEach(database, sql: "SELECT id, bundle_id FROM apps", arguments: []) {
            apps[$0.integer(0)] = $0.text(1)
            return true
        }
        return apps
    }

    /// The profiles of a workspace within a range of ids, in ascending order.
    func page(
        of workspace: WorkspaceID,
        after id: Int64,
        through last: Int64
    ) throws -> [AudienceProfile] {
        var profiles: [AudienceProfile] = []
        var latest = try LatestDevices(
            database,
            where: "profile_id > ? AND profile_id <= ?",
            arguments: [id, last]
        )
        try RawRows.forEach(
            database,
            sql: Self.pageOfProfiles,
            arguments: [id, last, workspace.rawValue]
        ) {
            if let profile = try readable($0, &latest) { profiles.append(profile) }
            return true
        }
        guard !profiles.isEmpty else { return [] }
        try addDevices(
            to: &profiles,
            sql: Self.pageOfDevices,
            arguments: [id, last]
        )
        return profiles
    }

    /// The existing profiles among these, in ascending order of their ids.
    func profiles(_ ids: [Int64]) throws -> [Owned] {
        guard !ids.isEmpty else { return [] }
        let list = try StoredJSON.text(ids.sorted())
        var workspaces: [WorkspaceID] = []
        var profiles: [AudienceProfile] = []
        var latest = try LatestDevices(
            database,
            where: "profile_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))",
            arguments: [list]
        )
        try RawRows.forEach(
            database,
            sql: """
                SELECT \(Self.columns) FROM profiles
                WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) ORDER BY id
                """,
            arguments: [list]
        ) {
            guard let profile = try readable($0, &latest) else { return true }
            workspaces.append(WorkspaceID($0.integer(1)))
            profiles.append(profile)
            return true
        }
        try addDevices(
            to: &profiles,
            sql: """
                SELECT \(Self.deviceColumns) FROM devices
                WHERE profile_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                ORDER BY profile_id, id
                """,
            arguments: [list]
        )
        return zip(workspaces, profiles).map { Owned(workspace: $0, profile: $1) }
    }

    /// Both sides are in ascending order of the profiles' ids.
    private func addDevices(
        to profiles: inout [AudienceProfile],
        sql: String,
        arguments: StatementArguments
    ) throws {
        var place = 0
        try RawRows.forEach(database, sql: sql, arguments: arguments) { row in
            let owner = row.integer(0)
            while place < profiles.count, profiles[place].rowID < owner { place += 1 }
            guard place < profiles.count else { return false }
            if profiles[place].rowID == owner {
                profiles[place].devices.append(Self.device(row, apps))
            }
            return true
        }
    }

    static func device(_ row: RawRows, _ apps: [Int64: String]) -> AudienceDevice {
        let authorization = row.text(9).flatMap(PushAuthorization.init)
        let app = row.integer(2)
        return AudienceDevice(
            platform: row.text(1) ?? "",
            app: apps[app] ?? String(app),
            appVersion: row.text(3),
            model: row.text(4),
            osVersion: row.text(5),
            environment: row.text(6),
            locale: row.text(7),
            hasToken: !row.isNull(tokenColumn),
            isPushEnabled: authorization.map(ReachableDevices.allows) ?? false,
            isProvisional: authorization == .provisional
        )
    }

    private func readable(
        _ row: RawRows,
        _ latest: inout LatestDevices
    ) throws -> AudienceProfile? {
        let report = latest.report(of: row.integer(0))
        return try unreadable.value("profiles", row.integer(0)) {
            var profile = try Self.profile(row)
            profile.language = profile.language ?? report?.place?.language
            profile.country = profile.country ?? report?.place?.country
            profile.timeZone = profile.timeZone ?? report?.timeZone
            profile.emailSubscription =
                profile.emailSubscription ?? SubscriptionState.subscribed.rawValue
            return profile
        }
    }

    private static func profile(_ row: RawRows) throws -> AudienceProfile {
        for column: Int32 in 7...9 {
            if let time = row.optionalInteger(column) { try StoredTime.check(time) }
        }
        var profile = AudienceProfile(
            rowID: row.integer(0),
            sessionCount: Int(row.integer(6)),
            custom: try row.withText(5) { try StoredValueReader.object($0) }
        )
        profile.externalID = row.text(2)
        profile.createdAt = row.integer(9).secondsFromMilliseconds
        try row.withText(4) { bytes in
            try StoredValueReader.forEachMember(bytes) { profile.set($0, $1) }
        }
        profile.pushSubscription = row.text(3)
        if let time = row.optionalInteger(7) {
            profile.firstSessionAt = time.secondsFromMilliseconds
        }
        if let time = row.optionalInteger(8) {
            profile.lastSessionAt = time.secondsFromMilliseconds
        }
        return profile
    }
}

extension AudienceProfileRows {
    /// Standard attributes by the names under which they are stored.
    static let attributes: [String: Segments.StandardAttribute] = [
        "country": .country, "language": .language, "first_name": .firstName,
        "last_name": .lastName, "email": .email, "phone": .phone, "gender": .gender,
        "home_city": .homeCity, "time_zone": .timeZone, "email_subscribe": .emailSubscription,
        "dob": .dateOfBirth, "date_of_first_session": .firstSessionAt,
        "date_of_last_session": .lastSessionAt, "subscription_groups": .subscriptionGroups,
    ]

    /// Converts a stored value for the segment language; `nil` if the value has another type.
    static func value(_ stored: AttributeValue, of attribute: Segments.StandardAttribute)
        -> AttributeValue?
    {
        switch (attribute.kind, stored) {
        case (.string, .string), (.time, .time), (.number, .number): stored
        case (.strings, .array(let groups)):
            .array(
                groups.compactMap { group in
                    guard case .object(let members) = group,
                        let id = members["subscription_group_id"], case .string = id,
                        members["subscription_state"] != .string("unsubscribed")
                    else { return nil }
                    return id
                }
            )
        default: nil
        }
    }
}

extension AudienceProfile {
    /// Sets a standard attribute by the name under which it is stored.
    fileprivate mutating func set(_ name: String, _ stored: AttributeValue) {
        guard let attribute = AudienceProfileRows.attributes[name],
            let value = AudienceProfileRows.value(stored, of: attribute)
        else { return }
        switch (attribute, value) {
        case (.country, .string(let text)): country = text
        case (.language, .string(let text)): language = text
        case (.firstName, .string(let text)): firstName = text
        case (.lastName, .string(let text)): lastName = text
        case (.email, .string(let text)): email = text
        case (.phone, .string(let text)): phone = text
        case (.gender, .string(let text)): gender = text
        case (.homeCity, .string(let text)): homeCity = text
        case (.timeZone, .string(let text)): timeZone = text
        case (.emailSubscription, .string(let text)): emailSubscription = text
        case (.dateOfBirth, .time(let seconds)): dateOfBirth = seconds
        case (.firstSessionAt, .time(let seconds)): firstSessionAt = seconds
        case (.lastSessionAt, .time(let seconds)): lastSessionAt = seconds
        case (.subscriptionGroups, .array(let groups)):
            subscriptionGroups = groups.compactMap { group in
                guard case .string(let id) = group else { return nil }
                return id
            }
        default: break
        }
    }
}
