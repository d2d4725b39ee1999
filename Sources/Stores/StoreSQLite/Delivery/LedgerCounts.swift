import GRDB
import Model

/// How many rows of the ledger moved from where to where in a transaction; written at its end.
struct LedgerCounts {
    private struct Place: Hashable {
        var send: Int64
        var state: Int
        var reason: String
    }

    /// A reason is stored up to this length: some come from templates and foreign servers.
    private static let reasonLength = 200

    private var changes: [Place: Int] = [:]

    /// So much of a reason is stored.
    static func stored(_ reason: String) -> String {
        guard reason.utf8.count > reasonLength else { return reason }
        return String(String.UnicodeScalarView(reason.unicodeScalars.prefix(reasonLength)))
    }

    /// - Parameter reason: as it stands in the rows; rows that a worker has are counted together,
    ///   whatever kept them waiting before.
    mutating func add(_ rows: Int, to send: Int64, _ state: DispatchState, _ reason: String?) {
        let place = Place(
            send: send,
            state: state.rawValue,
            reason: state == .sending ? "" : reason ?? ""
        )
        changes[place, default: 0] += rows
    }

    /// What the kept counts have to be equal to.
    static let counted = """
        SELECT send_id, state, CASE state WHEN 1 THEN '' ELSE coalesce(reason, '') END AS reason,
            count(*) AS rows
        FROM dispatches WHERE send_id = :send GROUP BY 1, 2, 3
        """

    func write(_ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO send_counts VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET rows = rows + excluded.rows
                """
        )
        for (place, rows) in changes where rows != 0 {
            try statement.execute(arguments: [place.send, place.state, place.reason, rows])
        }
    }
}
