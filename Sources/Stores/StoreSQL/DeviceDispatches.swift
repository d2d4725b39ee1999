import Foundation
import Model
import Relational

/// The dispatches addressed to a user, on any device. They are found send by send, through the
/// index that each send has by user.
struct DeviceDispatches {
    private let database: Database
    private let workspace: WorkspaceID

    init(_ database: Database, in workspace: WorkspaceID) {
        self.database = database
        self.workspace = workspace
    }

    func move(from source: ProfileID, to target: ProfileID) throws {
        let update = try database.cachedStatement(
            sql: "UPDATE dispatches SET profile_id = ? WHERE send_id = ? AND device_id = ?"
        )
        for row in try rows(of: source) {
            try update.execute(arguments: [target.rawValue, row.send, row.device])
        }
    }

    /// Anonymizes the dispatches of a deleted user: the device id becomes negative, only its
    /// platform is kept, and the user is cleared. Queued dispatches become `skipped`; claimed ones
    /// become `unknown`, because a later outcome could not be matched to its row.
    func forget(_ profile: ProfileID, now: Date) throws {
        let update = try database.cachedStatement(
            sql: """
                UPDATE dispatches SET device_id = :new, profile_id = 0, provider_id = NULL,
                    reason = :reason, state = :state, updated_at = :now,
                    device_platform = coalesce(
                        device_platform, (SELECT platform FROM devices WHERE id = :device))
                WHERE send_id = :send AND device_id = :device
                """
        )
        var counts = DispatchCountDeltas()
        for (send, device) in try rows(of: profile) {
            guard
                let row = try Row.fetchOne(
                    try database.cachedStatement(
                        sql: """
                            SELECT state, reason, lease_id,
                                (SELECT min(device_id) FROM dispatches WHERE send_id = :send)
                            FROM dispatches WHERE send_id = :send AND device_id = :device
                            """
                    ),
                    arguments: ["send": send, "device": device]
                ), let state = DispatchState(rawValue: row[0])
            else { continue }
            let new: DispatchState =
                switch state {
                case .queued: .skipped
                case .sending: .unknown
                case .accepted, .rejected, .unknown, .skipped: state
                }
            let reason: String? = state.isFinal ? row[1] : "UserDeleted"
            let lowest: Int64 = row[3]
            let anonymous = min(lowest, 0) - 1
            try update.execute(arguments: [
                "new": anonymous, "now": now.milliseconds, "send": send,
                "device": device, "state": new.rawValue, "reason": reason,
            ])
            try FactLog(database).anonymized(
                DispatchID(workspace: workspace, send: SendID(send), device: DeviceID(device)),
                of: send,
                device: anonymous,
                at: now.milliseconds
            )
            counts.add(-1, to: send, state, row[1])
            counts.add(1, to: send, new, reason)
            if state == .sending, let lease: Int64 = row[2] {
                try DispatchLeases(database).close(1, of: lease)
            }
        }
        try counts.write(database)
    }

    /// Writes the platforms of a user's devices, which are about to be deleted, into the dispatches
    /// that were addressed to other users.
    func keepPlatforms(ofDevicesOf profile: ProfileID) throws {
        let update = try database.cachedStatement(
            sql: "UPDATE dispatches SET device_platform = ? WHERE send_id = ? AND device_id = ?"
        )
        // Send by send, because within a send a device is found by the primary key.
        let rows = try Row.fetchAll(
            try database.cachedStatement(
                sql: """
                    SELECT platform, send_id, device_id FROM devices CROSS JOIN sends
                    CROSS JOIN dispatches ON send_id = sends.id AND device_id = devices.id
                    WHERE devices.profile_id = ? AND sends.workspace_id = ?
                    """
            ),
            arguments: [profile.rawValue, workspace.rawValue]
        )
        for row in rows {
            let (platform, send, device): (String, Int64, Int64) = (row[0], row[1], row[2])
            try update.execute(arguments: [platform, send, device])
        }
    }

    private func rows(of profile: ProfileID) throws -> [(send: Int64, device: Int64)] {
        try Row.fetchAll(
            try database.cachedStatement(
                sql: """
                    SELECT send_id, device_id FROM sends CROSS JOIN dispatches ON send_id = sends.id
                    WHERE sends.workspace_id = ? AND profile_id = ?
                    """
            ),
            arguments: [workspace.rawValue, profile.rawValue]
        ).map { (send: $0[0], device: $0[1]) }
    }
}
