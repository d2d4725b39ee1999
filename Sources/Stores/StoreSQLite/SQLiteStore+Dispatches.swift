import Foundation
import GRDB
import Model
import Ports

extension SQLiteStore: DispatchStore {
    package func claimDispatches(
        limit: Int,
        owner: String,
        leaseEnd: Date,
        now: Date
    ) async throws -> [ClaimedDispatch] {
        // Most calls find nothing: a reader answers without waiting for the writer.
        let sends = try await read { database in
            try Int64.fetchAll(
                database,
                sql: """
                    SELECT id FROM sends WHERE state IN ('planning', 'sending') AND EXISTS (
                        SELECT 1 FROM dispatches WHERE send_id = sends.id AND state IN (0, 1)
                        AND due_at <= ?)
                    """,
                arguments: [now.milliseconds]
            )
        }
        guard !sends.isEmpty else { return [] }
        // A small push is not stuck behind a campaign of millions: each send gets an equal share.
        let share = max(1, limit / sends.count)
        return try await write { database in
            var claimed: [ClaimedDispatch] = []
            for send in sends where claimed.count < limit {
                claimed += try Self.claim(
                    min(share, limit - claimed.count),
                    of: send,
                    owner: owner,
                    leaseEnd: leaseEnd,
                    now: now,
                    database
                )
            }
            return claimed
        }
    }

    private static func claim(
        _ limit: Int,
        of send: Int64,
        owner: String,
        leaseEnd: Date,
        now: Date,
        _ database: Database
    ) throws -> [ClaimedDispatch] {
        let taken = try Row.fetchAll(
            database,
            sql: """
                UPDATE dispatches SET state = 1, lease_owner = ?, due_at = ?, updated_at = ?
                WHERE send_id = ? AND device_id IN (
                    SELECT device_id FROM dispatches
                    WHERE send_id = ? AND state IN (0, 1) AND due_at <= ?
                    ORDER BY due_at LIMIT ?)
                RETURNING device_id, attempts, variant
                """,
            arguments: [
                owner, leaseEnd.milliseconds, now.milliseconds, send, send, now.milliseconds, limit,
            ]
        )
        let select = try database.cachedStatement(
            sql: """
                SELECT profiles.*, \(deviceColumns), apps.id AS app_id, apps.name AS app_name,
                    apps.platform AS app_platform, apps.bundle_id, apps.sdk_key
                FROM devices JOIN profiles ON profiles.id = devices.profile_id
                JOIN apps ON apps.id = devices.app_id WHERE devices.id = ?
                """
        )
        let properties = try SendProperties(of: send, database)
        var claimed: [ClaimedDispatch] = []
        for row in taken {
            let device: Int64 = row["device_id"]
            guard let found = try Row.fetchOne(select, arguments: [device]) else {
                // The user was deleted after planning: nothing is left to send to.
                try database.execute(
                    sql: """
                        UPDATE dispatches SET state = ?, reason = 'UserDeleted', lease_owner = NULL
                        WHERE send_id = ? AND device_id = ?
                        """,
                    arguments: [DispatchState.skipped.rawValue, send, device]
                )
                continue
            }
            let profile = try Profile(row: found)
            var dispatch = ClaimedDispatch(
                send: SendID(send),
                workspace: profile.workspace,
                device: Device(row: found, prefix: "device_"),
                profile: profile,
                app: App(
                    id: AppID(found["app_id"]),
                    workspace: profile.workspace,
                    name: found["app_name"],
                    platform: found["app_platform"],
                    bundleID: found["bundle_id"],
                    sdkKey: found["sdk_key"]
                ),
                attempts: row["attempts"]
            )
            dispatch.variant = row["variant"]
            dispatch.properties = try properties.value(for: profile.id)
            claimed.append(dispatch)
        }
        return claimed
    }

    private static let deviceColumns = [
        "id", "installation_id", "app_id", "profile_id", "platform", "model", "os_version",
        "app_version", "sdk_version", "locale", "time_zone", "push_provider", "push_token",
        "push_environment", "push_authorization", "push_public_key", "push_secret",
        "push_registered_at", "updated_at",
    ].map { "devices.\($0) AS device_\($0)" }.joined(separator: ", ")

    package func releaseDispatches(owner: String) async throws -> Int {
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE dispatches SET state = 0, lease_owner = NULL, due_at = 0
                    WHERE state = 1 AND lease_owner = ?
                    """,
                arguments: [owner]
            )
            return database.changesCount
        }
    }

    package func record(_ results: [DispatchResult], now: Date) async throws {
        guard !results.isEmpty else { return }
        try await write { database in
            for result in results { try Self.record(result, now: now, database) }
        }
    }

    private static func record(
        _ result: DispatchResult,
        now: Date,
        _ database: Database
    ) throws {
        let state: DispatchState
        var reason: String?
        var providerID: String?
        var acceptedAt: Int64?
        var dueAt = now.milliseconds
        switch result.change {
        case .accepted(let id):
            state = .accepted
            providerID = id
            acceptedAt = now.milliseconds
        case .rejected(let why, let retiresToken):
            state = .rejected
            reason = why
            if retiresToken { try retireToken(of: result.device, database) }
        case .unknown(let why):
            state = .unknown
            reason = why
        case .skipped(let why):
            state = .skipped
            reason = why
        case .retry(let why, let date):
            state = .queued
            reason = why
            dueAt = date.milliseconds
        }
        try database.cachedStatement(
            sql: """
                UPDATE dispatches SET state = ?, attempts = attempts + 1, due_at = ?,
                    lease_owner = NULL, reason = ?, provider_id = ?, accepted_at = ?,
                    updated_at = ?
                WHERE send_id = ? AND device_id = ?
                """
        ).execute(arguments: [
            state.rawValue, dueAt, reason, providerID, acceptedAt, now.milliseconds,
            result.send.rawValue, result.device.rawValue,
        ])
    }

    private static func retireToken(of device: DeviceID, _ database: Database) throws {
        try database.execute(
            sql: "UPDATE devices SET push_token = NULL WHERE id = ?",
            arguments: [device.rawValue]
        )
    }

    package func nextDispatchDue() async throws -> Date? {
        try await read { database in
            try Int64.fetchOne(
                database,
                sql: """
                    SELECT min((SELECT min(due_at) FROM dispatches
                        WHERE send_id = sends.id AND state IN (0, 1)))
                    FROM sends WHERE state IN ('planning', 'sending')
                    """
            ).map(Date.init(milliseconds:))
        }
    }
}
