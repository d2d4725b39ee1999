import GRDB

/// The rows of one page of a list, and the total number of rows.
struct PagedQuery {
    private let table: String
    private var conditions: [String]
    private var arguments: StatementArguments
    private let limits: StatementArguments

    /// - Parameters:
    ///   - table: A table with a `workspace_id`; the newest rows have the highest `id`.
    ///   - limit: Number of rows per page.
    ///   - offset: Number of rows before the page.
    init(_ table: String, workspace: Int64, limit: Int, offset: Int) {
        self.table = table
        conditions = ["workspace_id = :workspace"]
        arguments = ["workspace": workspace]
        limits = ["limit": limit, "offset": offset]
    }

    /// Adds a condition, which names its arguments.
    mutating func filter(_ condition: String, _ more: StatementArguments = [:]) {
        conditions.append(condition)
        arguments += more
    }

    /// Newest first, or oldest first; rows that cannot be read are set aside.
    func fetch<Item>(
        _ database: Database,
        _ unreadable: UnreadableRows,
        oldestFirst: Bool = false,
        _ item: (Row) throws -> Item
    ) throws -> (items: [Item], total: Int) {
        let source = "FROM \(table) WHERE " + conditions.joined(separator: " AND ")
        let total = try Int.fetchOnly(
            database,
            sql: "SELECT count(*) \(source)",
            arguments: arguments
        )
        let direction = oldestFirst ? "ASC" : "DESC"
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT * \(source) ORDER BY id \(direction) LIMIT :limit OFFSET :offset",
            arguments: arguments + limits
        )
        let items = try unreadable.values(rows, of: table, item)
        return (items, total)
    }
}
