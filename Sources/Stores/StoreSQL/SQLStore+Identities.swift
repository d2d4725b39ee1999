import Foundation
import Model
import NoroshiWire
import Ports
import Relational

extension SQLStore: IdentityStore {
    package func users(
        _ reference: UserReference,
        in workspace: WorkspaceID
    ) async throws -> [Profile] {
        let condition: String
        let value: String
        switch reference {
        case .email(let address): (condition, value) = ("email = ? COLLATE NOCASE", address)
        case .phone(let number): (condition, value) = ("phone = ?", number)
        case .external, .anonymous, .alias, .profile:
            return try await profile(reference, in: workspace).map { [$0] } ?? []
        }
        return try await read { database in
            // The sign keeps SQLite from looking through all users in this order.
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM profiles WHERE workspace_id = ? AND \(condition)
                    ORDER BY +updated_at DESC, id DESC
                    """,
                arguments: [workspace.rawValue, value]
            ).map(Profile.init(row:))
        }
    }

    package func owner(
        ofInstallation id: UUID,
        in workspace: WorkspaceID
    ) async throws -> InstallationOwner? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT profiles.*, devices.proved_for FROM apps
                    JOIN devices ON devices.app_id = apps.id AND installation_id = ?
                    JOIN profiles ON profiles.id = devices.profile_id
                    WHERE apps.workspace_id = ? ORDER BY devices.updated_at DESC, devices.id
                    """,
                arguments: [id, workspace.rawValue]
            ).map { row in
                let user = try Profile(row: row)
                let proved: Int64? = row["proved_for"]
                let isProved = user.externalID == nil || proved == user.id.rawValue
                return InstallationOwner(user: user, isProved: isProved)
            }
        }
    }

    package func record(of profile: ProfileID, since start: Date) async throws -> UserRecord {
        try await read { database in
            let aliases = try Row.fetchAll(
                database,
                sql: "SELECT name, label FROM aliases WHERE profile_id = ? ORDER BY label",
                arguments: [profile.rawValue]
            ).map { UserAlias(name: $0["name"], label: $0["label"]) }
            let devices = try Row.fetchAll(
                database,
                sql: "SELECT * FROM devices WHERE profile_id = ? ORDER BY id",
                arguments: [profile.rawValue]
            ).map { try Device(row: $0) }
            let range: StatementArguments = [
                "profile": profile.rawValue, "start": start.milliseconds,
            ]
            let mine = """
                event_names CROSS JOIN events ON name_id = event_names.id
                WHERE event_names.workspace_id = (
                    SELECT workspace_id FROM profiles WHERE id = :profile)
                AND profile_id = :profile AND \(EventTimes.since(":start"))
                """
            let columns = "min(time) AS first, max(time) AS last, count(*) AS count"
            let events = try Row.fetchAll(
                database,
                sql: """
                    SELECT name, \(columns) FROM \(mine) AND name NOT LIKE '$%'
                    GROUP BY name ORDER BY name
                    """,
                arguments: range
            ).map(UserRecord.Activity.init(row:))
            let purchases = try Row.fetchAll(
                database,
                sql: """
                    SELECT properties ->> '$.product_id' AS name, \(columns)
                    FROM \(mine) AND name = '$purchase' GROUP BY 1 ORDER BY 1 NULLS FIRST
                    """,
                arguments: range
            ).map(UserRecord.Activity.init(row:))
            return UserRecord(
                aliases: aliases,
                devices: devices,
                events: events,
                purchases: purchases
            )
        }
    }

    package func activity(
        of profiles: [ProfileID],
        in workspace: WorkspaceID,
        since start: Date
    ) async throws -> [ProfileID: UserActivity] {
        try await read { database in
            let events = try UserEventIndex(database).list(of: profiles, in: workspace)
            var found: [ProfileID: UserActivity] = [:]
            for (kind, name) in [
                ("events", "name"), ("purchases", "properties ->> '$.product_id'"),
            ] {
                let condition = kind == "events" ? "name NOT LIKE '$%'" : "name = '$purchase'"
                let rows = try Row.fetchCursor(
                    database,
                    sql: """
                        SELECT profile_id, \(name) AS name, min(time) AS first,
                            max(time) AS last, count(*) AS count
                        FROM events NOT INDEXED CROSS JOIN event_names ON event_names.id = name_id
                        WHERE event_names.workspace_id = :workspace AND \(condition)
                        AND time >= max(:start, coalesce(kept_since, :start))
                        AND events.id IN (SELECT CAST(value AS INTEGER) FROM json_each(:events))
                        GROUP BY 1, 2 ORDER BY 1, 2 NULLS FIRST
                        """,
                    arguments: [
                        "workspace": workspace.rawValue, "start": start.milliseconds,
                        "events": events,
                    ]
                )
                while let row = try rows.next() {
                    let profile = ProfileID(row["profile_id"])
                    let activity = UserRecord.Activity(row: row)
                    if kind == "events" {
                        found[profile, default: UserActivity()].events.append(activity)
                    } else {
                        found[profile, default: UserActivity()].purchases.append(activity)
                    }
                }
            }
            return found
        }
    }

    package func apply(
        _ changes: [IdentityChange],
        in workspace: WorkspaceID,
        now: Date
    ) async throws -> [IdentityOutcome] {
        let activity = try await read { database in
            let moved = try changes.compactMap { change -> ProfileID? in
                switch change {
                case .identify(let user, _), .merge(let user, _):
                    try ProfileLookup.find(user, in: workspace, database)
                case .addAlias, .renameAlias, .renameExternalID, .removeExternalID: nil
                }
            }
            return try ActivityRows(of: moved, in: workspace, database)
        }
        return try await write { [identities] database in
            try identities.forgetAll(database)
            var transaction = IdentityTransaction(
                database,
                in: workspace,
                activity: try activity.current(database),
                now: now
            )
            return try changes.map { try transaction.apply($0) }
        }
    }

    package func deleteUsers(
        _ profiles: [ProfileID],
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Int {
        let activity = try await read { database in
            try ActivityRows(of: profiles, in: workspace, database)
        }
        return try await write { [identities] database in
            try identities.forgetAll(database)
            let transaction = IdentityTransaction(
                database,
                in: workspace,
                activity: try activity.current(database),
                now: now
            )
            let count = try profiles.count { try transaction.delete($0) }
            if count > 0 { try Self.addAudit(audit, in: workspace, database) }
            return count
        }
    }
}

extension UserRecord.Activity {
    fileprivate init(row: Row) {
        self.init(
            name: row["name"] ?? "",
            first: Date(milliseconds: row["first"]),
            last: Date(milliseconds: row["last"]),
            count: row["count"]
        )
    }
}
