import Foundation
import Model
import Relational

/// The sends whose dispatches were removed, or are about to be. Nothing that is told later changes
/// their figures.
struct ClosedLedgers {
    /// Whether figures that are kept take the place of a dispatch.
    static let isCounted = """
        EXISTS (SELECT TRUE FROM closed_ledgers
            WHERE closed_ledgers.send_id = dispatches.send_id AND figures IS NOT NULL)
        """

    /// Whether a dispatch is of a send that is closed.
    static let isClosed = """
        EXISTS (SELECT TRUE FROM closed_ledgers
            WHERE closed_ledgers.send_id = dispatches.send_id)
        """

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    func contains(_ send: Int64) throws -> Bool {
        try Bool.fetchOne(
            try database.cachedStatement(
                sql: "SELECT EXISTS (SELECT TRUE FROM closed_ledgers WHERE send_id = ?)"
            ),
            arguments: [send]
        ) ?? false
    }

    /// `nil` while the rows are counted.
    func figures(of send: SendID) throws -> LedgerFigures? {
        try String.fetchOne(
            try database.cachedStatement(
                sql: "SELECT figures FROM closed_ledgers WHERE send_id = ? AND figures IS NOT NULL"
            ),
            arguments: [send.rawValue]
        ).map { try StoredJSON.value($0, as: LedgerFigures.self) }
    }

    /// What was delivered and opened of closed sends between two times at quarters of an hour.
    func counts(
        in workspace: WorkspaceID,
        from start: Int64,
        until end: Int64
    ) throws -> (delivered: Int, opened: Int) {
        let row = try Row.fetchOnly(
            database,
            sql: """
                SELECT coalesce(sum(delivered), 0), coalesce(sum(opened), 0)
                FROM removed_dispatch_counts
                WHERE workspace_id = ? AND quarter >= ? AND quarter < ?
                """,
            arguments: [workspace.rawValue, start, end]
        )
        return (row[0], row[1])
    }
}
