import Model
import Relational

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

    /// Keeps what has a text in its name or its tags, is in one of some states and was changed since.
    ///
    /// - Parameters:
    ///   - content: The column with the tags.
    ///   - all: What no state at all stands for.
    mutating func filter<State, Order>(
        _ query: ContentQuery<State, Order>,
        content: String,
        states all: [State]
    ) throws where State: RawRepresentable<String> {
        let states = query.states.isEmpty ? all : Array(query.states)
        filter(
            "state IN (SELECT value FROM json_each(:states))",
            ["states": try StoredJSON.text(states.map(\.rawValue).sorted())]
        )
        if let edited = query.editedAfter {
            filter("updated_at > :edited", ["edited": edited.milliseconds])
        }
        guard !query.text.isEmpty else { return }
        filter(
            """
            (instr(lower(name), lower(:text)) OR instr(lower(\(content) ->> '$.tags'), lower(:text)))
            """,
            ["text": query.text]
        )
    }

    /// Rows that cannot be read are set aside.
    func fetch<Item>(
        _ database: Database,
        _ unreadable: UnreadableRows,
        orderedBy order: String = "id DESC",
        _ item: (Row) throws -> Item
    ) throws -> (items: [Item], total: Int) {
        let source = "FROM \(table) WHERE " + conditions.joined(separator: " AND ")
        let total = try Int.fetchOnly(
            database,
            sql: "SELECT count(*) \(source)",
            arguments: arguments
        )
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT * \(source) ORDER BY \(order) LIMIT :limit OFFSET :offset",
            arguments: arguments + limits
        )
        let items = try unreadable.values(rows, of: table, item)
        return (items, total)
    }
}
