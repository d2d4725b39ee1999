import Foundation
import Model
import Ports
import Relational

/// Counts the dispatches of a send, or of all launches of a campaign with what is kept of removed ones.
struct LedgerRows {
    /// The finest steps of the curve of opens that are kept, in seconds: all others are made of them.
    static let finest: Int64 = 60
    /// The step of opens that came after the end of the curve.
    static let steps = OpenCurve.reach / finest + 1

    private let source: LedgerSource
    private let database: Database

    init(of source: LedgerSource, _ database: Database) {
        self.source = source
        self.database = database
    }

    /// The different persons at each step.
    func users() throws -> LedgerFigures.Users {
        let row = try Row.fetchOnly(
            database,
            sql: """
                SELECT count(*) AS targeted, coalesce(sum(delivered), 0) AS delivered,
                    coalesce(sum(received), 0) AS received, coalesce(sum(opened), 0) AS opened
                FROM (
                    SELECT max(iif(accepted_at IS NOT NULL, 1, 0)) AS delivered,
                        max(iif(received_at IS NOT NULL, 1, 0)) AS received,
                        max(iif(opened_at IS NOT NULL, 1, 0)) AS opened
                    FROM (
                        SELECT dispatches.profile_id, accepted_at, received_at,
                            coalesce(opened_at, influenced_at) AS opened_at
                        FROM sends CROSS JOIN dispatches ON dispatches.send_id = sends.id
                        WHERE \(source.condition) AND dispatches.profile_id <> 0
                        \(removedUsers)
                    ) AS messages
                    GROUP BY profile_id
                ) AS users
                """,
            arguments: [source.number]
        )
        return LedgerFigures.Users(
            targeted: row["targeted"],
            delivered: row["delivered"],
            received: row["received"],
            opened: row["opened"]
        )
    }

    /// Of a send, figures take the place of its rows all at once.
    private var removedUsers: String {
        guard case .campaign = source else { return "" }
        return """
            UNION ALL
            SELECT removed.profile_id, removed.sent_at, removed.received_at,
                coalesce(removed.opened_at, removed.influenced_at)
            FROM sends CROSS JOIN removed_recipients AS removed ON removed.send_id = sends.id
            WHERE \(source.condition) AND removed.profile_id <> 0
            """
    }

    func firstAcceptance() throws -> Int64? {
        let times = try [
            """
            SELECT min(accepted_at)
            FROM sends CROSS JOIN dispatches ON dispatches.send_id = sends.id
            WHERE \(source.condition)
            """,
            removed("SELECT min(first_sent_at) FROM removed_variant_counts"),
        ].compactMap(\.self).compactMap {
            try Int64.fetchOne(database, sql: $0, arguments: [source.number])
        }
        return times.min()
    }

    /// The rest of a query about removed messages of the campaign; `nil` of a send, of which figures take the
    /// place of all rows at once.
    private func removed(_ query: String) -> String? {
        guard case .campaign = source else { return nil }
        return "\(query) WHERE campaign_id = ?1"
    }

    /// The delay of the open in the middle is known to the minute where messages were removed.
    ///
    /// - Parameter unit: The length of a step in seconds, whole minutes.
    func openDelays(unit: Int64) throws -> OpenDelays {
        guard let query = removed("SELECT minutes, opens FROM removed_open_delays") else {
            return try openDelaysOfRows(unit: unit)
        }
        let rows = try Row.fetchAll(database, sql: query, arguments: [source.number])
        guard !rows.isEmpty else { return try openDelaysOfRows(unit: unit) }
        var minutes = try openDelaysOfRows(unit: Self.finest).opens
        for row in rows { minutes[row["minutes"], default: 0] += row["opens"] }
        var found = OpenDelays(opens: LedgerFigures.steps(unit: unit, ofMinutes: minutes))
        let middle = (minutes.values.reduce(0, +) - 1) / 2
        var passed = 0
        for (minute, opens) in minutes.sorted(by: { $0.key < $1.key }) {
            passed += opens
            guard passed > middle else { continue }
            found.middle = Int64(minute) * 60_000
            break
        }
        return found
    }

    /// A device can tell of a tap before the provider's answer is written down.
    static let delay = "max(0, coalesce(opened_at, influenced_at) - accepted_at)"
    static let isOpened = """
        accepted_at IS NOT NULL AND coalesce(opened_at, influenced_at) IS NOT NULL
        """

    private func openDelaysOfRows(unit: Int64) throws -> OpenDelays {
        let delays = """
            SELECT \(Self.delay) AS delay
            FROM sends CROSS JOIN dispatches ON dispatches.send_id = sends.id
            WHERE \(source.condition) AND \(Self.isOpened)
            """
        let step = unit * 1_000
        let last = OpenCurve.reach / unit + 1
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT min(?2, (delay + ?3 - 1) / ?3) AS step, count(*) AS opens
                FROM (\(delays)) GROUP BY 1
                """,
            arguments: [source.number, last, step]
        )
        var found = OpenDelays()
        for row in rows { found.opens[row["step"]] = row["opens"] }
        let total = found.opens.values.reduce(0, +)
        guard total > 0 else { return found }
        found.middle = try Int64.fetchOne(
            database,
            sql: "\(delays) ORDER BY delay LIMIT 1 OFFSET ?2",
            arguments: [source.number, (total - 1) / 2]
        )
        return found
    }
}

extension LedgerSource {
    /// Which sends belong to it; their number is the first argument.
    var condition: String {
        switch self {
        case .send: "sends.id = ?1"
        case .campaign: "sends.campaign_id = ?1"
        }
    }

    var number: Int64 {
        switch self {
        case .send(let id): id.rawValue
        case .campaign(let id): id.rawValue
        }
    }
}
