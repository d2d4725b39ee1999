import Foundation
import Model
import Ports
import Relational

/// Writes the outcomes of dispatches within one transaction.
struct DispatchRecorder {
    /// The new state of a dispatch.
    private struct Ending: Hashable {
        var state: DispatchState
        var reason: String?
        var providerID: String?
        var acceptedAt: Int64?
        var dueAt: Int64
        var attempts = 1
        /// Only written when `true`: few rows need the column.
        var isUnreported: Bool?

        /// By the places of the columns in `columns`.
        func values(at now: Int64) -> [(any DatabaseValueConvertible)?] {
            [state.rawValue, attempts, dueAt, reason, providerID, acceptedAt, now, isUnreported]
        }

        static let columns = """
            state = ?, attempts = attempts + ?, due_at = ?, reason = ?, provider_id = ?,
                accepted_at = ?, updated_at = ?, is_unreported = ?
            """
    }

    /// Dispatches that have ended alike.
    private struct Alike: Hashable {
        var send: Int64
        var ending: Ending
    }

    /// What a claimed dispatch was.
    private struct Claim {
        var lease: Int64
        var profile: Int64
    }

    /// Where no receipt can arrive, a push counts as received when it is accepted.
    private struct Arrival {
        var profile: ProfileID
        var send: Int64
        var device: Int64
        var time: Int64

        init?(_ result: DispatchUpdate, of profile: Int64, _ ending: Ending) {
            guard result.isUnreported, let time = ending.acceptedAt else { return nil }
            self.profile = ProfileID(profile)
            send = result.send.rawValue
            device = result.device.rawValue
            self.time = time
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

    private struct Dispatch: Hashable {
        var send: SendID
        var device: DeviceID
    }

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
        for round in Self.rounds(of: results) { try recordOnce(round) }
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

    /// Two outcomes of one dispatch, of which one is late, are recorded one after the other.
    private static func rounds(of results: [DispatchUpdate]) -> [[DispatchUpdate]] {
        var known: [Dispatch: Int] = [:]
        var rounds: [[DispatchUpdate]] = []
        for result in results {
            let dispatch = Dispatch(send: result.send, device: result.device)
            let round = known[dispatch, default: 0]
            known[dispatch] = round + 1
            if round == rounds.count { rounds.append([]) }
            rounds[round].append(result)
        }
        return rounds
    }

    /// - Parameter results: Each of another dispatch.
    private mutating func recordOnce(_ results: [DispatchUpdate]) throws {
        let endings = results.map { ending(of: $0) }
        let claims =
            switch database.kind {
            case .sqlite: try updateTogether(results, endings)
            case .postgres: try updateEach(results, endings)
            }
        var arrivals: [Arrival] = []
        for (position, result) in results.enumerated() {
            let ending = endings[position]
            let send = result.send.rawValue
            guard let claim = claims[position] else {
                try recordLate(result, ending)
                continue
            }
            if let arrival = Arrival(result, of: claim.profile, ending) { arrivals.append(arrival) }
            closedRows[claim.lease, default: 0] += 1
            counts.add(-1, to: send, .sending, nil)
            counts.add(1, to: send, ending.state, ending.reason)
            note(result, ending)
            if case .rejected(_, retiresToken: true) = result.change {
                try retireToken(result.token, of: result.device)
            }
        }
        try note(arrivals)
    }

    /// - Returns: What the claimed ones were, by place.
    private func updateEach(
        _ results: [DispatchUpdate],
        _ endings: [Ending]
    ) throws -> [Claim?] {
        let update = try database.cachedStatement(
            sql: """
                UPDATE dispatches SET \(Ending.columns)
                WHERE send_id = ? AND device_id = ? AND state = 1
                RETURNING lease_id, profile_id
                """
        )
        var claims: [Claim?] = []
        claims.reserveCapacity(results.count)
        let arguments = zip(results, endings).map { result, ending in
            StatementArguments(
                ending.values(at: now.milliseconds)
                    + [result.send.rawValue, result.device.rawValue]
            )
        }
        try update.forEachFirstRow(arguments) { _, row in
            claims.append(row.map { Claim(lease: $0[0], profile: $0[1]) })
        }
        return claims
    }

    /// The same with a statement for all that have ended alike: nobody else writes between it and the one that
    /// reads their claims, and a `RETURNING` costs SQLite a table each time.
    private func updateTogether(
        _ results: [DispatchUpdate],
        _ endings: [Ending]
    ) throws -> [Claim?] {
        let claims = try claims(of: results)
        var alike: [Alike: [Int64]] = [:]
        for (position, result) in results.enumerated() where claims[position] != nil {
            let group = Alike(send: result.send.rawValue, ending: endings[position])
            alike[group, default: []].append(result.device.rawValue)
        }
        let update = "UPDATE dispatches SET \(Ending.columns) WHERE send_id = ? AND state = 1"
        let one = try database.cachedStatement(sql: "\(update) AND device_id = ?")
        let several = try database.cachedStatement(
            sql: "\(update) AND device_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))"
        )
        for (group, devices) in alike {
            let values = group.ending.values(at: now.milliseconds) + [group.send]
            // Real providers give each push an id of its own.
            if devices.count == 1 {
                try one.execute(arguments: StatementArguments(values + [devices[0]]))
            } else {
                let list = try StoredJSON.text(devices)
                try several.execute(arguments: StatementArguments(values + [list]))
            }
        }
        return claims
    }

    private func claims(of results: [DispatchUpdate]) throws -> [Claim?] {
        let select = try database.cachedStatement(
            sql: """
                SELECT device_id, lease_id, profile_id FROM dispatches
                WHERE send_id = ? AND state = 1
                    AND device_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                """
        )
        var found: [Dispatch: Claim] = [:]
        found.reserveCapacity(results.count)
        for (send, group) in Dictionary(grouping: results, by: \.send) {
            let list = try StoredJSON.text(group.map(\.device.rawValue))
            let rows = try Row.fetchCursor(select, arguments: [send.rawValue, list])
            while let row = try rows.next() {
                let dispatch = Dispatch(send: send, device: DeviceID(row[0]))
                found[dispatch] = Claim(lease: row[1], profile: row[2])
            }
        }
        return results.map { found[Dispatch(send: $0.send, device: $0.device)] }
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
                        SELECT state, reason, profile_id FROM dispatches
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
            now.milliseconds, ending.isUnreported, result.send.rawValue,
            result.device.rawValue,
        ])
        if let arrival = Arrival(result, of: row[2], ending) { try note([arrival]) }
        counts.add(-1, to: result.send.rawValue, state, row[1])
        counts.add(1, to: result.send.rawValue, ending.state, ending.reason)
        note(result, ending)
    }

    /// A session may have started since.
    private func note(_ arrivals: [Arrival]) throws {
        guard let first = arrivals.map(\.time).min() else { return }
        let active = try UserSessions.users(
            arrivals.map(\.profile),
            withSessionsSince: first,
            database
        )
        for arrival in arrivals where active.contains(arrival.profile) {
            try InfluencedOpens(of: arrival.profile, database)
                .addArrival(of: arrival.send, device: arrival.device, at: arrival.time)
        }
    }

    private func ending(of result: DispatchUpdate) -> Ending {
        let now = now.milliseconds
        switch result.change {
        case .accepted(let id):
            return Ending(
                state: .accepted,
                providerID: id,
                acceptedAt: now,
                dueAt: now,
                isUnreported: result.isUnreported ? true : nil
            )
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
