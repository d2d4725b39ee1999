import Foundation
import Model
import Ports
import Relational

extension SQLStore: ProfileStore {
    package func profile(_ id: ProfileID) async throws -> Profile? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM profiles WHERE id = ?",
                arguments: [id.rawValue]
            ).map(Profile.init(row:))
        }
    }

    package func profile(
        _ reference: UserReference,
        in workspace: WorkspaceID
    ) async throws -> Profile? {
        try await read { database in
            guard let id = try ProfileLookup.find(reference, in: workspace, database) else {
                return nil
            }
            return try Row.fetchOne(
                database,
                sql: "SELECT * FROM profiles WHERE id = ?",
                arguments: [id.rawValue]
            ).map(Profile.init(row:))
        }
    }

    package func profiles(
        matching prefix: String,
        in workspace: WorkspaceID,
        limit: Int,
        offset: Int
    ) async throws -> [Profile] {
        try await read { database in
            if prefix.isEmpty {
                return try Row.fetchAll(
                    database,
                    sql: """
                        SELECT * FROM profiles WHERE workspace_id = ?
                        ORDER BY updated_at DESC, id DESC LIMIT ? OFFSET ?
                        """,
                    arguments: [workspace.rawValue, limit, offset]
                ).map(Profile.init(row:))
            }
            // One range over each index; `\u{10FFFF}` sorts behind every continuation.
            let end = prefix + "\u{10FFFF}"
            let searches = [
                "external_id >= :from AND external_id < :end",
                "phone >= :from AND phone < :end",
                "email COLLATE NOCASE >= :from AND email COLLATE NOCASE < :end",
                "first_name COLLATE NOCASE >= :from AND first_name COLLATE NOCASE < :end",
                "last_name COLLATE NOCASE >= :from AND last_name COLLATE NOCASE < :end",
            ].map {
                "SELECT id FROM profiles WHERE workspace_id = :workspace AND \($0)"
            }
            return try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM profiles WHERE id IN (\(searches.joined(separator: " UNION ")))
                    ORDER BY updated_at DESC, id DESC LIMIT :limit OFFSET :offset
                    """,
                arguments: [
                    "from": prefix, "end": end, "workspace": workspace.rawValue, "limit": limit,
                    "offset": offset,
                ]
            ).map(Profile.init(row:))
        }
    }

    package func profiles(
        identifiedBy text: String,
        in workspace: WorkspaceID,
        limit: Int
    ) async throws -> [Profile] {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { return [] }
        let uuid = UUID(uuidString: text)
        return try await read { database in
            var searches = [
                "SELECT id FROM profiles WHERE workspace_id = :workspace AND external_id = :text",
                """
                SELECT profile_id FROM former_external_ids
                WHERE workspace_id = :workspace AND external_id = :text
                """,
                """
                SELECT id FROM profiles
                WHERE workspace_id = :workspace AND email = :text COLLATE NOCASE
                """,
                "SELECT id FROM profiles WHERE workspace_id = :workspace AND phone = :text",
                "SELECT profile_id FROM aliases WHERE workspace_id = :workspace AND name = :text",
                """
                SELECT profile_id FROM devices
                WHERE workspace_id = :workspace AND push_token = :text
                """,
            ]
            var arguments: StatementArguments = [
                "workspace": workspace.rawValue, "text": text, "limit": limit,
            ]
            if let uuid {
                searches += [
                    "SELECT id FROM profiles WHERE workspace_id = :workspace AND public_id = :uuid",
                    """
                    SELECT id FROM profiles
                    WHERE workspace_id = :workspace AND anonymous_id = :uuid
                    """,
                    """
                    SELECT profile_id FROM apps
                    JOIN devices ON app_id = apps.id AND installation_id = :uuid
                    WHERE apps.workspace_id = :workspace
                    """,
                ]
                arguments += ["uuid": uuid]
            }
            return try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM profiles WHERE id IN (\(searches.joined(separator: " UNION ")))
                    ORDER BY updated_at DESC, id DESC LIMIT :limit
                    """,
                arguments: arguments
            ).map(Profile.init(row:))
        }
    }

    package func devices(of profile: ProfileID) async throws -> [Device] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM devices WHERE profile_id = ? ORDER BY id",
                arguments: [profile.rawValue]
            ).map { try Device(row: $0) }
        }
    }

    package func userCounts(in workspace: WorkspaceID) async throws -> UserCounts {
        try await read { database in
            let users =
                try Int.fetchOnly(
                    database,
                    sql: "SELECT count(*) FROM profiles WHERE workspace_id = ?",
                    arguments: [workspace.rawValue]
                )
            let reachable = try Row.fetchOnly(
                database,
                sql: """
                    SELECT count(*) AS devices, count(DISTINCT profile_id) AS users
                    FROM devices JOIN profiles ON profiles.id = profile_id
                    WHERE devices.workspace_id = ? AND \(ReachableDevices.condition)
                    """,
                arguments: [workspace.rawValue]
            )
            return UserCounts(
                users: users,
                reachableUsers: reachable["users"],
                reachableDevices: reachable["devices"]
            )
        }
    }

    package func events(of profile: ProfileID, limit: Int) async throws -> [StoredEvent] {
        try await read { [unreadable] database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT events.id AS id, name, time, properties FROM events NOT INDEXED
                    CROSS JOIN event_names ON event_names.id = name_id
                    WHERE events.id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                    ORDER BY time DESC, events.id DESC LIMIT ?
                    """,
                arguments: [try UserEventIndex(database).list(of: profile), limit]
            )
            return try unreadable.values(rows, of: "events") {
                StoredEvent(
                    name: $0["name"],
                    time: try StoredTime.date($0["time"]),
                    properties: try StoredJSON.object($0["properties"])
                )
            }
        }
    }
}

/// The devices that a visible push can reach.
enum ReachableDevices {
    static let condition = condition(.subscribed)

    /// Condition for a row of `devices` that can show a push and whose user has such a
    /// subscription.
    static func condition(_ state: SubscriptionFilter) -> String {
        let subscription =
            switch state {
            case .optedIn: " AND profiles.push_subscription = 'opted_in'"
            case .subscribed: " AND profiles.push_subscription <> 'unsubscribed'"
            case .all: ""
            }
        return """
            push_token IS NOT NULL
            AND push_authorization IN ('authorized', 'provisional', 'ephemeral')\(subscription)
            """
    }

    /// The same rule for an authorization that has been read.
    static func allows(_ authorization: PushAuthorization) -> Bool {
        switch authorization {
        case .authorized, .provisional, .ephemeral: true
        case .denied, .notDetermined: false
        }
    }
}

/// Finds the profile that a reference means.
enum ProfileLookup {
    private static let externalID =
        "SELECT id FROM profiles WHERE workspace_id = ? AND external_id = ?"
    private static let formerExternalID = """
        SELECT profile_id FROM former_external_ids
        WHERE workspace_id = ? AND external_id = ?
        """

    /// Of a workspace and an external id.
    static func byExternalID(_ database: Database) throws -> Statement {
        try database.cachedStatement(sql: externalID)
    }

    /// The same of an external id that was renamed.
    static func byFormerExternalID(_ database: Database) throws -> Statement {
        try database.cachedStatement(sql: formerExternalID)
    }

    static func find(
        _ reference: UserReference,
        in workspace: WorkspaceID,
        _ database: Database
    ) throws -> ProfileID? {
        let sql: String
        let arguments: StatementArguments
        switch reference {
        case .external(let id):
            sql = externalID
            arguments = [workspace.rawValue, id]
        case .anonymous(let id):
            sql = "SELECT id FROM profiles WHERE workspace_id = ? AND anonymous_id = ?"
            arguments = [workspace.rawValue, id]
        case .alias(let name, let label):
            sql = """
                SELECT profile_id FROM aliases WHERE workspace_id = ? AND label = ? AND name = ?
                """
            arguments = [workspace.rawValue, label, name]
        case .profile(let id):
            sql = "SELECT id FROM profiles WHERE workspace_id = ? AND public_id = ?"
            arguments = [workspace.rawValue, id]
        case .email(let address):
            sql = """
                SELECT id FROM profiles WHERE workspace_id = ? AND email = ? COLLATE NOCASE
                ORDER BY external_id IS NULL, updated_at DESC, id LIMIT 1
                """
            arguments = [workspace.rawValue, address]
        case .phone(let number):
            sql = """
                SELECT id FROM profiles WHERE workspace_id = ? AND phone = ?
                ORDER BY external_id IS NULL, updated_at DESC, id LIMIT 1
                """
            arguments = [workspace.rawValue, number]
        }
        let found = try Int64.fetchOne(
            try database.cachedStatement(sql: sql),
            arguments: arguments
        )
        if let found { return ProfileID(found) }
        switch reference {
        case .external(let id): return try formerOwner(of: id, in: workspace, database)
        case .anonymous(let id): return try formerOwner(ofNameless: id, in: workspace, database)
        case .alias, .profile, .email, .phone: return nil
        }
    }

    /// The user into whom an installation's anonymous user was merged.
    private static func formerOwner(
        ofNameless id: UUID,
        in workspace: WorkspaceID,
        _ database: Database
    ) throws -> ProfileID? {
        try Int64.fetchOne(
            try database.cachedStatement(
                sql: """
                    SELECT profile_id FROM former_anonymous_ids
                    WHERE workspace_id = ? AND anonymous_id = ?
                    """
            ),
            arguments: [workspace.rawValue, id]
        ).map { ProfileID($0) }
    }

    /// The user who had this external id before it was renamed.
    static func formerOwner(
        of externalID: String,
        in workspace: WorkspaceID,
        _ database: Database
    ) throws -> ProfileID? {
        try Int64.fetchOne(
            try byFormerExternalID(database),
            arguments: [workspace.rawValue, externalID]
        ).map { ProfileID($0) }
    }
}
