import Foundation
import Model
import Ports
import Relational

extension SQLStore: MessageFunnelStore {
    package func reach(of source: LedgerSource) async throws -> MessageReach {
        try await read { database in
            let users = try Self.users(of: source, database)
            return MessageReach(
                targeted: users.targeted,
                delivered: users.delivered,
                received: users.received,
                opened: users.opened,
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

    private static func users(
        of source: LedgerSource,
        _ database: Database
    ) throws -> LedgerFigures.Users {
        try kept(of: source, database)?.users ?? LedgerRows(of: source, database).users()
    }

    /// What is kept of a send whose rows were removed. What is kept of a campaign's is added to its rows.
    private static func kept(
        of source: LedgerSource,
        _ database: Database
    ) throws -> LedgerFigures? {
        guard case .send(let send) = source else { return nil }
        return try ClosedLedgers(database).figures(of: send)
    }

    package func firstAcceptance(of source: LedgerSource) async throws -> Date? {
        try await read { database in
            if let kept = try Self.kept(of: source, database) {
                return kept.firstAcceptance.map(Date.init(milliseconds:))
            }
            return try LedgerRows(of: source, database).firstAcceptance()
                .map(Date.init(milliseconds:))
        }
    }

    package func openDelays(of source: LedgerSource, unit: Int64) async throws -> OpenDelays {
        try await read { database in
            try Self.kept(of: source, database)?.openDelays(unit: unit)
                ?? LedgerRows(of: source, database).openDelays(unit: unit)
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
