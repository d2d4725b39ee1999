import Foundation
import Model
import Ports
import Relational

extension SQLStore: MessageFunnelStore {
    package func reach(of source: LedgerSource) async throws -> MessageReach {
        try await read { database in
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
            return MessageReach(
                targeted: row["targeted"],
                delivered: row["delivered"],
                received: row["received"],
                opened: row["opened"],
                control: try Self.controlUsers(of: source, database),
                withheld: try Self.withheldUsers(of: source, database)
            )
        }
    }

    private static func controlUsers(of source: LedgerSource, _ database: Database) throws -> Int {
        let condition =
            switch source {
            case .campaign: "campaign_id = ?1"
            case .send:
                "campaign_id = (SELECT campaign_id FROM sends WHERE id = ?1) AND send_id = ?1"
            }
        return try Int.fetchOnly(
            database,
            sql: """
                SELECT count(DISTINCT profile_id)
                FROM campaign_entries INDEXED BY campaign_entries_control
                WHERE \(condition) AND is_control
                """,
            arguments: [source.number]
        )
    }

    private static func withheldUsers(of source: LedgerSource, _ database: Database) throws -> Int {
        try Int.fetchOnly(
            database,
            sql: """
                SELECT count(DISTINCT withheld_messages.profile_id)
                FROM sends CROSS JOIN withheld_messages ON withheld_messages.send_id = sends.id
                WHERE \(source.condition)
                """,
            arguments: [source.number]
        )
    }

    package func firstAcceptance(of source: LedgerSource) async throws -> Date? {
        try await read { database in
            try Int64.fetchOne(
                database,
                sql: """
                    SELECT min(accepted_at)
                    FROM sends CROSS JOIN dispatches ON dispatches.send_id = sends.id
                    WHERE \(source.condition)
                    """,
                arguments: [source.number]
            ).map(Date.init(milliseconds:))
        }
    }

    package func openDelays(of source: LedgerSource, unit: Int64) async throws -> OpenDelays {
        try await read { database in
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

    package func inAppReach(
        of message: UUID,
        goal: ConversionEvent?,
        in workspace: WorkspaceID
    ) async throws -> InAppReach {
        try await read { database in
            let reports = InAppReports(of: message, in: workspace, database)
            let row = try Row.fetchOnly(
                database,
                sql: """
                    SELECT coalesce(sum(shown), 0) AS shown, coalesce(sum(clicked), 0) AS clicked,
                        coalesce(sum(control), 0) AS control
                    FROM (
                        SELECT max(iif(is_seen AND kind = 'impression', 1, 0)) AS shown,
                            max(iif(is_seen AND kind IN ('click', 'button'), 1, 0)) AS clicked,
                            max(iif(variant = 'control' AND kind = 'impression', 1, 0)) AS control
                        FROM (
                            SELECT *, ifnull(variant, '') NOT IN \(InAppConversionRows.unseen)
                                AS is_seen
                            FROM \(reports.source())
                        )
                        WHERE profile_id <> 0
                        GROUP BY profile_id
                    )
                    """,
                arguments: reports.arguments
            )
            let rows = InAppConversionRows(
                message: message,
                workspace: workspace,
                database: database
            )
            let converted = try goal.map(rows.users)
            return InAppReach(
                shown: row["shown"],
                clicked: row["clicked"],
                control: row["control"],
                converted: converted.map { ($0.shown.count, $0.control.count) },
                withheld: try rows.withheld(goal: goal),
                completeSince: goal == nil ? nil : try reports.showingsSince()
            )
        }
    }
}

extension LedgerSource {
    /// Which sends belong to it; their number is the first argument.
    fileprivate var condition: String {
        switch self {
        case .send: "sends.id = ?1"
        case .campaign: "sends.campaign_id = ?1"
        }
    }

    fileprivate var number: Int64 {
        switch self {
        case .send(let id): id.rawValue
        case .campaign(let id): id.rawValue
        }
    }
}
