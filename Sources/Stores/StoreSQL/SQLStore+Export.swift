import Foundation
import Model
import Ports
import Relational

extension SQLStore: ExportStore {
    package func exportUsers(
        in workspace: WorkspaceID,
        after id: Int64,
        limit: Int
    ) async throws -> [(id: Int64, user: ExportedUser)] {
        try await read { [unreadable] database in
            let profiles = try ExportPage(of: workspace, after: id, limit: limit)
                .users(database, unreadable)
            let ids = try StoredJSON.text(profiles.map(\.id))
            let aliases = try Self.aliases(ids, database)
            let devices = try Self.devices(ids, database)
            return profiles.map { profile in
                let user = ExportedUser(
                    profile,
                    aliases: aliases[profile.id] ?? [],
                    devices: devices[profile.id] ?? []
                )
                return (id: profile.id.rawValue, user: user)
            }
        }
    }

    private static func aliases(
        _ ids: String,
        _ database: Database
    ) throws -> [ProfileID: [UserAlias]] {
        var aliases: [ProfileID: [UserAlias]] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT profile_id, name, label FROM aliases
                WHERE profile_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                ORDER BY profile_id, label
                """,
            arguments: [ids]
        )
        while let row = try rows.next() {
            aliases[ProfileID(row["profile_id"]), default: []].append(
                UserAlias(name: row["name"], label: row["label"])
            )
        }
        return aliases
    }

    private static func devices(
        _ ids: String,
        _ database: Database
    ) throws -> [ProfileID: [RestoredUser.OwnDevice]] {
        var devices: [ProfileID: [RestoredUser.OwnDevice]] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT devices.*, apps.bundle_id FROM devices JOIN apps ON apps.id = app_id
                WHERE profile_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                ORDER BY profile_id, devices.id
                """,
            arguments: [ids]
        )
        while let row = try rows.next() {
            let device = try Device(row: row)
            devices[device.profile, default: []].append(
                RestoredUser.OwnDevice(device, app: row["bundle_id"])
            )
        }
        return devices
    }

    package func exportEvents(
        in workspace: WorkspaceID,
        after id: Int64,
        limit: Int
    ) async throws -> [(id: Int64, event: ExportedEvent)] {
        try await read { [unreadable] database in
            try ExportPage(of: workspace, after: id, limit: limit).events(database, unreadable)
        }
    }

    private static func pagesTold(_ text: String) throws -> [Int: Int] {
        try StoredJSON.value(text, as: [Int: Int].self)
    }

    /// The counts of pages, from the first to the last that has one.
    private static func pages(_ counts: [Int: Int]) -> [Int] {
        guard let last = counts.keys.max() else { return [] }
        return (1...last).map { counts[$0] ?? 0 }
    }

    package func exportSends(
        in workspace: WorkspaceID,
        after id: Int64,
        limit: Int
    ) async throws -> [(id: Int64, send: ExportedSend)] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT id, state, scheduled_at, started_at, finished_at,
                        (SELECT count(*) FROM dispatches WHERE send_id = sends.id) AS pushes,
                        (SELECT count(accepted_at) FROM dispatches
                            WHERE send_id = sends.id) AS accepted,
                        (SELECT count(received_at) FROM dispatches
                            WHERE send_id = sends.id) AS received,
                        (SELECT count(\(Self.openedAt)) FROM dispatches
                            WHERE send_id = sends.id) AS opened,
                        (SELECT count(opened_at) FROM dispatches
                            WHERE send_id = sends.id) AS direct_opens,
                        (SELECT json_group_object(opened_page, opens) FROM (
                            SELECT opened_page, count(*) AS opens FROM dispatches
                            WHERE send_id = sends.id AND opened_page IS NOT NULL
                            GROUP BY 1)) AS story_opens,
                        (SELECT figures FROM closed_ledgers WHERE send_id = sends.id) AS figures
                    FROM sends WHERE id > ? AND workspace_id = ? ORDER BY id LIMIT ?
                    """,
                arguments: [id, workspace.rawValue, limit]
            ).map { row -> (id: Int64, send: ExportedSend) in
                let kept = try (row["figures"] as String?).map {
                    try StoredJSON.value($0, as: LedgerFigures.self)
                }
                let send = ExportedSend(
                    state: row["state"],
                    scheduledAt: Date(milliseconds: row["scheduled_at"]),
                    startedAt: (row["started_at"] as Int64?).map(Date.init(milliseconds:)),
                    finishedAt: (row["finished_at"] as Int64?).map(Date.init(milliseconds:)),
                    pushes: kept?.rows ?? row["pushes"],
                    accepted: kept?.accepted ?? row["accepted"],
                    received: kept?.received ?? row["received"],
                    opened: kept?.opened ?? row["opened"],
                    directOpens: kept?.directOpens ?? row["direct_opens"],
                    storyOpens: try Self.pages(kept?.pages ?? Self.pagesTold(row["story_opens"]))
                )
                return (id: row["id"], send: send)
            }
        }
    }
}
