import Foundation
import Model
import Ports
import Relational

/// The leases on dispatches: which worker has claimed which rows, and until when.
struct DispatchLeases {
    /// When a lease ends for the worker that asks (an argument), by its clock. The clocks of two servers may
    /// differ: what another one that works holds is left to it for a minute longer.
    static let end = """
        ends_at + CASE WHEN owner <> ? AND owner IN (SELECT id FROM servers)
            THEN \(Int64(WorkingServer.clockLimit * 1_000)) ELSE 0 END
        """

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Opens a lease. Its range and size are not known until the rows are claimed.
    func open(send: Int64, owner: String, end: Date) throws -> Int64 {
        try Int64.fetchOnly(
            database.cachedStatement(
                sql: """
                    INSERT INTO dispatch_leases
                        (send_id, owner, ends_at, first_device, last_device, open_rows)
                    VALUES (?, ?, ?, 0, 0, 0) RETURNING id
                    """
            ),
            arguments: [send, owner, end.milliseconds]
        )
    }

    func fill(_ lease: Int64, devices: [Int64]) throws {
        guard let first = devices.min(), let last = devices.max() else {
            try database.cachedStatement(sql: "DELETE FROM dispatch_leases WHERE id = ?")
                .execute(arguments: [lease])
            return
        }
        try database.cachedStatement(
            sql: """
                UPDATE dispatch_leases SET first_device = ?, last_device = ?, open_rows = ?
                WHERE id = ?
                """
        ).execute(arguments: [first, last, devices.count, lease])
    }

    /// Records that `rows` dispatches of a lease have got their outcome; the last one ends the
    /// lease.
    func close(_ rows: Int, of lease: Int64) throws {
        try database.cachedStatement(
            sql: "UPDATE dispatch_leases SET open_rows = open_rows - ? WHERE id = ?"
        ).execute(arguments: [rows, lease])
        try database.cachedStatement(
            sql: "DELETE FROM dispatch_leases WHERE id = ? AND open_rows <= 0"
        ).execute(arguments: [lease])
    }

    /// Makes the claimed dispatches of the leases that match `condition` due again, and ends these
    /// leases. If the send was stopped meanwhile, their outcome becomes `unknown`.
    ///
    /// - Returns: The number of released dispatches.
    func release(
        where condition: String,
        _ arguments: StatementArguments,
        now: Date
    ) throws -> Int {
        let leases = try Row.fetchAll(
            database,
            sql: "SELECT * FROM dispatch_leases WHERE \(condition)",
            arguments: arguments
        )
        var released = 0
        var counts = DispatchCountDeltas()
        for lease in leases {
            let send: Int64 = lease["send_id"]
            let isStopped =
                try Bool.fetchOne(
                    database,
                    sql: "SELECT state = 'cancelled' FROM sends WHERE id = ?",
                    arguments: [send]
                ) ?? false
            let state: DispatchState = isStopped ? .unknown : .queued
            let rows = try Row.fetchAll(
                database,
                sql: """
                    UPDATE dispatches SET state = ?, due_at = 0, updated_at = ?,
                        reason = CASE WHEN ? THEN 'Cancelled' ELSE reason END
                    WHERE send_id = ? AND device_id BETWEEN ? AND ? AND state = 1 AND lease_id = ?
                    RETURNING reason, device_id
                    """,
                arguments: [
                    state.rawValue, now.milliseconds, isStopped, send,
                    lease["first_device"] as DatabaseValue, lease["last_device"] as DatabaseValue,
                    lease["id"] as DatabaseValue,
                ]
            )
            for row in rows {
                counts.add(-1, to: send, .sending, nil)
                counts.add(1, to: send, state, row[0])
            }
            if isStopped {
                let devices: [Int64] = rows.map { $0[1] }
                try FactLog(database).ended(devices, of: send, as: state, at: now.milliseconds)
            }
            released += rows.count
            try database.execute(
                sql: "DELETE FROM dispatch_leases WHERE id = ?",
                arguments: [lease["id"] as DatabaseValue]
            )
        }
        try counts.write(database)
        return released
    }
}
