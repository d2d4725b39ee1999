import Foundation
import Model
import Ports
import Relational

/// Writes the outcomes of dispatches within one transaction.
struct DispatchRecorder {
    /// The new state of a dispatch.
    private struct Ending {
        var state: DispatchState
        var reason: String?
        var providerID: String?
        var acceptedAt: Int64?
        var dueAt: Int64
        var attempts = 1

        /// Only written when `true`: few rows need the column.
        func isUnreported(_ result: DispatchUpdate) -> Bool? {
            acceptedAt != nil && result.isUnreported ? true : nil
        }
    }

    private let now: Date
    private let database: Database
    /// Sends that were stopped while a worker held their dispatches.
    private let cancelled: Set<Int64>
    private var counts = DispatchCountDeltas()
    private var closedRows: [Int64: Int] = [:]
    /// Devices by send and final state.
    private var ended: [EndedBatch: [Int64]] = [:]

    private struct EndedBatch: Hashable {
        var send: Int64
        var state: DispatchState
    }

    init(_ results: [DispatchUpdate], now: Date, _ database: Database) throws {
        self.now = now
        self.database = database
        var retried: Set<SendID> = []
        for result in results {
            switch result.change {
            case .retry, .postponed: retried.insert(result.send)
            case .accepted, .rejected, .unknown, .skipped: break
            }
        }
        cancelled =
            retried.isEmpty
            ? []
            : try Int64.fetchSet(
                database,
                sql: """
                    SELECT id FROM sends WHERE state = 'cancelled'
                        AND id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                    """,
                arguments: [try StoredJSON.text(Array(retried))]
            )
    }

    mutating func record(_ results: [DispatchUpdate]) throws {
        let update = try database.cachedStatement(
            sql: """
                UPDATE dispatches SET state = ?, attempts = attempts + ?, due_at = ?, reason = ?,
                    provider_id = ?, accepted_at = ?, updated_at = ?, is_unreported = ?
                WHERE send_id = ? AND device_id = ? AND state = 1
                RETURNING lease_id
                """
        )
        let endings = results.map { ending(of: $0) }
        let arguments: [StatementArguments] = zip(results, endings).map { result, ending in
            [
                ending.state.rawValue, ending.attempts, ending.dueAt, ending.reason,
                ending.providerID, ending.acceptedAt, now.milliseconds,
                ending.isUnreported(result), result.send.rawValue, result.device.rawValue,
            ]
        }
        var leases: [Int64?] = []
        leases.reserveCapacity(results.count)
        try update.forEachFirstRow(arguments) { _, row in leases.append(row?[0]) }
        for (position, result) in results.enumerated() {
            let ending = endings[position]
            let send = result.send.rawValue
            guard let lease = leases[position] else {
                try recordLate(result, ending)
                continue
            }
            try noteArrival(result, ending)
            closedRows[lease, default: 0] += 1
            counts.add(-1, to: send, .sending, nil)
            counts.add(1, to: send, ending.state, ending.reason)
            note(result, ending)
            if case .rejected(_, retiresToken: true) = result.change {
                try retireToken(result.token, of: result.device)
            }
        }
        for (lease, rows) in closedRows { try DispatchLeases(database).close(rows, of: lease) }
        try counts.write(database)
        for (batch, devices) in ended {
            try FactLog(database).ended(
                devices,
                of: batch.send,
                as: batch.state,
                at: now.milliseconds
            )
        }
    }

    private mutating func note(_ result: DispatchUpdate, _ ending: Ending) {
        guard ending.state.isFinal else { return }
        let batch = EndedBatch(send: result.send.rawValue, state: ending.state)
        ended[batch, default: []].append(result.device.rawValue)
    }

    /// Accepts a late final outcome from a worker whose lease has expired, while the dispatch is
    /// queued again or `unknown`.
    private mutating func recordLate(_ result: DispatchUpdate, _ ending: Ending) throws {
        guard ending.state.isFinal,
            let row = try Row.fetchOne(
                try database.cachedStatement(
                    sql: """
                        SELECT state, reason FROM dispatches
                        WHERE send_id = ? AND device_id = ? AND state IN (0, 4)
                            AND NOT \(ClosedLedgers.isClosed)
                        """
                ),
                arguments: [result.send.rawValue, result.device.rawValue]
            ), let state = DispatchState(rawValue: row[0])
        else { return }
        try database.cachedStatement(
            sql: """
                UPDATE dispatches SET state = ?, attempts = attempts + 1, reason = ?,
                    provider_id = ?, accepted_at = ?, updated_at = ?, is_unreported = ?
                WHERE send_id = ? AND device_id = ?
                """
        ).execute(arguments: [
            ending.state.rawValue, ending.reason, ending.providerID, ending.acceptedAt,
            now.milliseconds, ending.isUnreported(result), result.send.rawValue,
            result.device.rawValue,
        ])
        try noteArrival(result, ending)
        counts.add(-1, to: result.send.rawValue, state, row[1])
        counts.add(1, to: result.send.rawValue, ending.state, ending.reason)
        note(result, ending)
    }

    /// Where no receipt can arrive, a push counts as received when it is accepted. A session may
    /// have started since.
    private func noteArrival(_ result: DispatchUpdate, _ ending: Ending) throws {
        guard result.isUnreported, let time = ending.acceptedAt,
            let profile = try Int64.fetchOne(
                try database.cachedStatement(
                    sql: "SELECT profile_id FROM dispatches WHERE send_id = ? AND device_id = ?"
                ),
                arguments: [result.send.rawValue, result.device.rawValue]
            )
        else { return }
        try InfluencedOpens(of: ProfileID(profile), database)
            .addArrival(of: result.send.rawValue, device: result.device.rawValue, at: time)
    }

    private func ending(of result: DispatchUpdate) -> Ending {
        let now = now.milliseconds
        switch result.change {
        case .accepted(let id):
            return Ending(state: .accepted, providerID: id, acceptedAt: now, dueAt: now)
        case .rejected(let reason, _):
            return Ending(state: .rejected, reason: DispatchCountDeltas.stored(reason), dueAt: now)
        case .unknown(let reason):
            return Ending(state: .unknown, reason: DispatchCountDeltas.stored(reason), dueAt: now)
        case .skipped(let reason):
            return Ending(state: .skipped, reason: DispatchCountDeltas.stored(reason), dueAt: now)
        case .retry(let reason, let date), .postponed(let reason, let date):
            if cancelled.contains(result.send.rawValue) {
                return Ending(state: .skipped, reason: "Cancelled", dueAt: now)
            }
            var ending = Ending(
                state: .queued,
                reason: DispatchCountDeltas.stored(reason),
                dueAt: date.milliseconds
            )
            if case .postponed = result.change { ending.attempts = 0 }
            return ending
        }
    }

    /// Deletes a token that is no longer valid, and records that the app was uninstalled.
    private func retireToken(_ token: String?, of device: DeviceID) throws {
        let retired = try Row.fetchOne(
            try database.cachedStatement(
                sql: """
                    UPDATE devices SET push_token = NULL
                    WHERE id = :device AND push_token IS NOT NULL
                        AND (:token IS NULL OR push_token = :token)
                    RETURNING profile_id, workspace_id, app_id
                    """
            ),
            arguments: ["device": device.rawValue, "token": token]
        )
        guard let retired else { return }
        try EventWriter(database).insert(
            Uninstall.eventName,
            [:],
            now,
            ProfileID(retired[0]),
            WorkspaceID(retired[1]),
            app: AppID(retired[2])
        )
    }
}
