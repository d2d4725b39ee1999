import Foundation
import Model
import Ports
import Relational

/// Removes the dispatches of sends that are over for a while, send by send.
///
/// A send is *closed* first: from then on nothing changes its figures. Then they are counted and kept,
/// and at last the rows go, with sums for each user. Of campaigns and journeys it stays, too, what became of the
/// send for each person (`RemovedRecipients`), because conversions, experiments and different recipients are
/// counted by person.
struct DispatchRemoval {
    /// The figures of a send, and what it adds to the quarters of an hour.
    struct Counted {
        fileprivate var send: SendID
        fileprivate var figures: LedgerFigures
        /// Tests are in no figure of the workspace.
        fileprivate var quarters: [Int64: Quarter]
    }

    fileprivate struct Quarter {
        var delivered = 0
        var opened = 0
    }

    private struct Candidate {
        var send: SendID
        var isOver: Bool
        var isClosed: Bool
        var isCounted: Bool
        var hasRows: Bool

        init(row: Row) {
            send = SendID(row[0])
            isOver = row[1] ?? false
            isClosed = row[2]
            isCounted = row[3]
            hasRows = row[4]
        }
    }

    private enum Next {
        case passOver
        /// It is closed, and counted before the next step begins.
        case wait
        case remove
    }

    /// What is summed up of one user.
    private struct Subject: Hashable {
        var profile: Int64
        var outcome: RemovedOutcome
    }

    private let database: Database
    private let workspace: WorkspaceID

    init(_ database: Database, in workspace: WorkspaceID) {
        self.database = database
        self.workspace = workspace
    }

    // MARK: Figures

    /// Counts a send that was closed and is too large to be counted while others wait for the writer.
    func count() throws -> Counted? {
        try Int64.fetchOne(
            database,
            sql: """
                SELECT closed_ledgers.send_id FROM closed_ledgers
                CROSS JOIN sends ON sends.id = closed_ledgers.send_id
                WHERE has_rows = 1 AND figures IS NULL AND workspace_id = ? LIMIT 1
                """,
            arguments: [workspace.rawValue]
        ).map { try count(SendID($0)) }
    }

    private func count(_ send: SendID) throws -> Counted {
        Counted(
            send: send,
            figures: try LedgerFigures(counting: send, database),
            quarters: try quarters(of: send)
        )
    }

    private func quarters(of send: SendID) throws -> [Int64: Quarter] {
        let isTest = try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT TRUE FROM sends WHERE id = ? AND content ->> '$.isTest')
                """,
            arguments: [send.rawValue]
        )
        guard isTest == false else { return [:] }
        var quarters: [Int64: Quarter] = [:]
        let parts: [(time: String, figure: WritableKeyPath<Quarter, Int>)] = [
            ("accepted_at", \.delivered), (SQLStore.openedAt, \.opened),
        ]
        for part in parts {
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT \(part.time) - (\(part.time) % 900000 + 900000) % 900000, count(*)
                    FROM dispatches WHERE send_id = ? AND \(part.time) IS NOT NULL GROUP BY 1
                    """,
                arguments: [send.rawValue]
            )
            while let row = try rows.next() {
                quarters[row[0], default: Quarter()][keyPath: part.figure] = row[1]
            }
        }
        return quarters
    }

    /// Keeps figures in the place of the rows, unless it was done before.
    func keep(_ counted: Counted) throws {
        try database.execute(
            sql: "UPDATE closed_ledgers SET figures = ? WHERE send_id = ? AND figures IS NULL",
            arguments: [try StoredJSON.text(counted.figures), counted.send.rawValue]
        )
        guard try database.changesCount > 0 else { return }
        let add = try database.cachedStatement(
            sql: """
                INSERT INTO removed_dispatch_counts (workspace_id, quarter, delivered, opened)
                VALUES (?, ?, ?, ?)
                ON CONFLICT (workspace_id, quarter) DO UPDATE SET
                    delivered = removed_dispatch_counts.delivered + excluded.delivered,
                    opened = removed_dispatch_counts.opened + excluded.opened
                """
        )
        for (quarter, counts) in counted.quarters {
            try add.execute(arguments: [
                workspace.rawValue, quarter, counts.delivered, counts.opened,
            ])
        }
    }

    // MARK: Steps

    /// Looks at the next sends and their rows.
    ///
    /// - Returns: The send after which to go on, `nil` at the end, and how many rows were removed.
    func step(
        after start: Int64,
        before limit: Int64,
        lookingAt count: Int
    ) throws -> (place: Int64?, removed: Int) {
        var place = start
        var (looked, removed) = (0, 0)
        let candidates = try candidates(after: start, before: limit, atMost: count)
        for candidate in candidates {
            guard looked < count else { return (place, removed) }
            looked += 1
            let room = max(1, count - looked)
            switch try next(for: candidate, room) {
            case .passOver: break
            case .wait: return (place, removed)
            case .remove:
                let gone = try remove(candidate.send, atMost: room)
                removed += gone
                looked += gone
                if gone == room { return (place, removed) }
                try end(candidate.send)
            }
            place = candidate.send.rawValue
        }
        return (candidates.count < count ? nil : place, removed)
    }

    private func candidates(
        after start: Int64,
        before limit: Int64,
        atMost count: Int
    ) throws -> [Candidate] {
        try Row.fetchAll(
            try database.cachedStatement(
                sql: """
                    SELECT sends.id, finished_at < :limit,
                        closed_ledgers.send_id IS NOT NULL, figures IS NOT NULL,
                        coalesce(has_rows, 1) = 1
                    FROM sends LEFT JOIN closed_ledgers ON closed_ledgers.send_id = sends.id
                    WHERE workspace_id = :workspace AND sends.id > :start
                    ORDER BY sends.id LIMIT :count
                    """
            ),
            arguments: [
                "limit": limit, "workspace": workspace.rawValue, "start": start, "count": count,
            ]
        ).map(Candidate.init(row:))
    }

    private func next(for candidate: Candidate, _ room: Int) throws -> Next {
        if candidate.isClosed {
            guard candidate.hasRows else { return .passOver }
            return candidate.isCounted ? .remove : .wait
        }
        guard candidate.isOver else { return .passOver }
        let rows = try Row.fetchOnly(
            database,
            sql: """
                SELECT coalesce(sum(rows), 0), coalesce(sum(iif(state IN (0, 1), rows, 0)), 0)
                FROM send_counts WHERE send_id = ?
                """,
            arguments: [candidate.send.rawValue]
        )
        let (all, open): (Int, Int) = (rows[0], rows[1])
        guard all > 0, open == 0 else { return .passOver }
        try database.execute(
            sql: "INSERT INTO closed_ledgers (send_id, figures, has_rows) VALUES (?, NULL, 1)",
            arguments: [candidate.send.rawValue]
        )
        guard all <= room else { return .wait }
        try keep(try count(candidate.send))
        return .remove
    }

    private func remove(_ send: SendID, atMost count: Int) throws -> Int {
        let rows = try Row.fetchAll(
            try database.cachedStatement(
                sql: """
                    SELECT device_id, profile_id, state, coalesce(accepted_at, updated_at) AS accepted,
                        received_at, opened_at, influenced_at, dismissed_at
                    FROM dispatches WHERE send_id = ? ORDER BY device_id LIMIT ?
                    """
            ),
            arguments: [send.rawValue, count]
        )
        guard let last = rows.last else { return 0 }
        var sums: [Subject: RemovedSum] = [:]
        // What is left of a message to a deleted user is nobody's.
        for row in rows where row["profile_id"] != Int64(0) {
            for (outcome, time) in RemovedOutcome.all(of: row) {
                sums.add(time, for: Subject(profile: row["profile_id"], outcome: outcome))
            }
        }
        try RemovedSum.add(
            sums.lazy.map { (user: $0.key.profile, key: $0.key.outcome.rawValue, sum: $0.value) },
            to: "removed_dispatches",
            by: "outcome",
            database
        )
        // No session is influenced by it any more.
        try database.cachedStatement(
            sql: """
                DELETE FROM removed_push_arrivals
                WHERE profile_id = ? AND send_id = ? AND device_id = ?
                """
        ).execute(
            forEach: rows.map {
                [$0["profile_id"] as Int64, send.rawValue, $0["device_id"] as Int64]
            }
        )
        try RemovedRecipients(database).add(of: send, through: last["device_id"])
        try database.cachedStatement(
            sql: "DELETE FROM dispatches WHERE send_id = ? AND device_id <= ?"
        ).execute(arguments: [send.rawValue, last["device_id"] as Int64])
        return rows.count
    }

    private func end(_ send: SendID) throws {
        try database.execute(
            sql: "UPDATE closed_ledgers SET has_rows = 0 WHERE send_id = ?",
            arguments: [send.rawValue]
        )
    }
}
