import Relational

/// The rows of a send that come first, for a statement that changes them.
enum FirstDispatches {
    /// The condition that a row is one of them; its arguments are `:send` and `:limit`, and those of `condition`.
    ///
    /// - Parameters:
    ///   - condition: Which rows of the send are meant.
    ///   - order: The columns by which they are put in order.
    static func include(
        where condition: String,
        by order: String,
        _ kind: DatabaseKind
    ) -> String {
        let rows = """
            FROM dispatches WHERE send_id = :send AND \(condition) ORDER BY \(order) LIMIT :limit
            """
        return switch kind {
        case .sqlite: "send_id = :send AND device_id IN (SELECT device_id \(rows))"
        // By their places: where PostgreSQL takes the send for an empty one, it would look through all its rows
        // for each of these.
        case .postgres: "ctid = ANY (ARRAY(SELECT ctid \(rows)))"
        }
    }
}
