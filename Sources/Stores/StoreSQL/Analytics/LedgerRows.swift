import Foundation
import Model
import Ports
import Relational

/// Counts the dispatches of a send, or of all launches of a campaign.
struct LedgerRows {
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
                        max(iif(coalesce(opened_at, influenced_at) IS NOT NULL, 1, 0)) AS opened
                    FROM sends CROSS JOIN dispatches ON dispatches.send_id = sends.id
                    WHERE \(source.condition) AND dispatches.profile_id <> 0
                    GROUP BY dispatches.profile_id
                )
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

    func firstAcceptance() throws -> Int64? {
        try Int64.fetchOne(
            database,
            sql: """
                SELECT min(accepted_at)
                FROM sends CROSS JOIN dispatches ON dispatches.send_id = sends.id
                WHERE \(source.condition)
                """,
            arguments: [source.number]
        )
    }

    /// - Parameter unit: The length of a step in seconds.
    func openDelays(unit: Int64) throws -> OpenDelays {
        // A device can tell of a tap before the provider's answer is written down.
        let delays = """
            SELECT max(0, coalesce(opened_at, influenced_at) - accepted_at) AS delay
            FROM sends CROSS JOIN dispatches ON dispatches.send_id = sends.id
            WHERE \(source.condition) AND accepted_at IS NOT NULL
                AND coalesce(opened_at, influenced_at) IS NOT NULL
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
