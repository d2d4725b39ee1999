/// A statement in PostgreSQL's SQL.
package struct PostgresStatementText: Sendable, Hashable {
    /// With `$1`, `$2`, … as parameters.
    package var sql: String
    /// The names of the parameters in their order; `nil` for one by position.
    package var parameters: [String?]
    /// Whether it changes rows.
    package var writes: Bool
    /// How it runs for many lists of values at once; `nil` if it cannot.
    var lists: PostgresListText?
}
