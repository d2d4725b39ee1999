import Model
import Relational

/// The changes in the number of dispatches per send, state and reason, collected in a transaction
/// and written at its end.
struct DispatchCountDeltas {
    private struct Place: Hashable {
        var send: Int64
        var state: Int
        var reason: String
    }

    /// Maximum length of a stored reason: some come from templates and other servers.
    private static let reasonLength = 200

    private var changes: [Place: Int] = [:]

    /// The part of a reason that is stored.
    static func stored(_ reason: String) -> String {
        String(String.UnicodeScalarView(reason.unicodeScalars.prefix(reasonLength)))
    }

    /// - Parameter reason: The reason stored in the rows. Claimed dispatches are counted together,
    ///   whatever their earlier reason.
    mutating func add(_ rows: Int, to send: Int64, _ state: DispatchState, _ reason: String?) {
        let place = Place(
            send: send,
            state: state.rawValue,
            reason: state == .sending ? "" : reason ?? ""
        )
        changes[place, default: 0] += rows
    }

    /// The counts computed from the rows, which the stored counts must equal.
    static let counted = """
        SELECT send_id, state, CASE state WHEN 1 THEN '' ELSE coalesce(reason, '') END AS reason,
            count(*) AS rows
        FROM dispatches WHERE send_id = :send GROUP BY 1, 2, 3
        """

    func write(_ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO send_counts VALUES (?, ?, ?, ?)
                ON CONFLICT (send_id, state, reason)
                        DO UPDATE SET rows = send_counts.rows + excluded.rows
                """
        )
        for (place, rows) in changes where rows != 0 {
            try statement.execute(arguments: [place.send, place.state, place.reason, rows])
        }
    }
}
