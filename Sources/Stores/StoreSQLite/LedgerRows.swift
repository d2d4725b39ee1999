import Foundation
import GRDB
import Model

/// The rows that a device has in the ledger. They are found send by send, through the primary key.
struct LedgerRows {
    private let database: Database
    private let workspace: WorkspaceID

    init(_ database: Database, in workspace: WorkspaceID) {
        self.database = database
        self.workspace = workspace
    }

    func assign(device: Int64, to profile: ProfileID) throws {
        let update = try database.cachedStatement(
            sql: "UPDATE dispatches SET profile_id = ? WHERE send_id = ? AND device_id = ?"
        )
        for send in try sends(to: device) {
            try update.execute(arguments: [profile.rawValue, send, device])
        }
    }

    /// Ends what waits, and gives each row a negative number instead of its device and nobody
    /// instead of its user. What a worker holds cannot be told apart later: its outcome is unknown.
    func forget(device: Int64, now: Date) throws {
        let update = try database.cachedStatement(
            sql: """
                UPDATE dispatches SET device_id = :new, profile_id = 0, provider_id = NULL,
                    reason = :reason, state = :state, updated_at = :now
                WHERE send_id = :send AND device_id = :device
                """
        )
        var counts = LedgerCounts()
        for send in try sends(to: device) {
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
            try update.execute(arguments: [
                "new": min(lowest, 0) - 1, "now": now.milliseconds, "send": send,
                "device": device, "state": new.rawValue, "reason": reason,
            ])
            counts.add(-1, to: send, state, row[1])
            counts.add(1, to: send, new, reason)
            if state == .sending, let lease: Int64 = row[2] {
                try DispatchLeases(database).close(1, of: lease)
            }
        }
        try counts.write(database)
    }

    private func sends(to device: Int64) throws -> [Int64] {
        try Int64.fetchAll(
            try database.cachedStatement(
                sql: """
                    SELECT sends.id FROM sends CROSS JOIN dispatches ON send_id = sends.id
                    WHERE sends.workspace_id = ? AND device_id = ?
                    """
            ),
            arguments: [workspace.rawValue, device]
        )
    }
}
