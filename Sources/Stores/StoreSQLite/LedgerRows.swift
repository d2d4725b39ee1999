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
                    reason = CASE WHEN state IN (0, 1) THEN 'UserDeleted' ELSE reason END,
                    state = CASE state WHEN 0 THEN 5 WHEN 1 THEN 4 ELSE state END,
                    lease_owner = NULL, updated_at = :now
                WHERE send_id = :send AND device_id = :device
                """
        )
        for send in try sends(to: device) {
            let lowest =
                try Int64.fetchOne(
                    try database.cachedStatement(
                        sql: "SELECT min(device_id) FROM dispatches WHERE send_id = ?"
                    ),
                    arguments: [send]
                ) ?? 0
            try update.execute(arguments: [
                "new": min(lowest, 0) - 1, "now": now.milliseconds, "send": send,
                "device": device,
            ])
        }
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
