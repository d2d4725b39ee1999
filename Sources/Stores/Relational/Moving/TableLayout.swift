import GRDB

/// A table as the database itself describes it.
package struct TableLayout: Sendable, Hashable {
    /// What a column holds, in both databases alike.
    package enum Kind: String, Sendable, Hashable {
        case integer
        case double
        case text
        case bytes
    }

    package struct Column: Sendable, Hashable {
        package var name: String
        package var kind: Kind
    }

    package var name: String
    /// Without those that the database makes itself.
    package var columns: [Column]
    /// The columns that its rows are kept in the order of.
    package var order: [String]
    /// The tables that its rows refer to.
    package var parents: Set<String>

    /// Reads the rows in their order: the values of some columns, and then those of the order.
    package func query(_ columns: [String]) -> String {
        let order = order.map { "\"\($0)\"" }.joined(separator: ", ")
        let names = columns.map { "\"\($0)\"" } + (order.isEmpty ? [] : [order])
        return "SELECT \(names.joined(separator: ", ")) FROM \"\(name)\""
            + (order.isEmpty ? "" : " ORDER BY \(order)")
    }
}

extension TableLayout.Kind {
    /// - Parameter type: As the schemas of the two databases write it.
    fileprivate init?(_ type: String) {
        switch type.lowercased() {
        case "integer", "bigint": self = .integer
        case "real", "double precision": self = .double
        case "text": self = .text
        case "blob", "bytea": self = .bytes
        default: return nil
        }
    }
}

extension Database {
    /// Number of a row that SQLite gives where the schema has none. On PostgreSQL the column of a table that is
    /// listed by it.
    private static let rowNumber = "rowid"

    /// All tables of the schema, in the order of their names.
    package func tableLayouts() throws -> [TableLayout] {
        switch engine {
        case .sqlite(let database): try Self.layouts(database)
        case .postgres(let session): try Self.layouts(session)
        }
    }

    private static func kind(_ type: String, _ table: String, _ column: String) throws
        -> TableLayout.Kind
    {
        guard let kind = TableLayout.Kind(type) else {
            throw DatabaseError(.mismatch, "\(table).\(column) has the type \(type)")
        }
        return kind
    }

    private static func inOrder(_ keys: [(name: String, place: Int)]) -> [String] {
        keys.sorted { $0.place < $1.place }.map(\.name)
    }

    private static func layouts(_ database: GRDB.Database) throws -> [TableLayout] {
        let tables = try GRDB.Row.fetchAll(
            database,
            sql: """
                SELECT name, wr FROM pragma_table_list
                WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                ORDER BY name
                """
        )
        return try tables.map { table in
            let name: String = table["name"]
            let columns = try GRDB.Row.fetchAll(
                database,
                sql: "SELECT name, type, pk, hidden FROM pragma_table_xinfo(?)",
                arguments: [name]
            )
            let parents = try String.fetchSet(
                database,
                sql: "SELECT \"table\" FROM pragma_foreign_key_list(?)",
                arguments: [name]
            )
            let keys = inOrder(
                columns.map { (name: $0["name"], place: $0["pk"]) }.filter { $0.place > 0 }
            )
            return TableLayout(
                name: name,
                // What is hidden is generated.
                columns: try columns.filter { $0["hidden"] == 0 }.map { column in
                    let own: String = column["name"]
                    return .init(name: own, kind: try kind(column["type"], name, own))
                },
                order: table["wr"] == 0 ? [rowNumber] : keys,
                parents: parents.subtracting([name])
            )
        }
    }

    private static func layouts(_ session: PostgresSession) throws -> [TableLayout] {
        let rows = try session.rows(
            """
            SELECT c.relname, a.attname, format_type(a.atttypid, NULL),
                coalesce(array_position(i.indkey::int2[], a.attnum), -1)
            FROM pg_class c
            JOIN pg_attribute a ON a.attrelid = c.oid
            LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
                AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
            ORDER BY c.relname COLLATE "C", a.attnum
            """
        )
        let parents = try Dictionary(
            grouping: session.rows(
                """
                SELECT DISTINCT c.relname, p.relname FROM pg_constraint k
                JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class p ON p.oid = k.confrelid
                WHERE c.relnamespace = current_schema()::regnamespace AND k.contype = 'f' AND p.oid <> c.oid
                """
            ).map { ($0[0] as String, $0[1] as String) },
            by: \.0
        )
        return try Dictionary(grouping: rows) { $0[0] as String }
            .sorted { $0.key < $1.key }
            .map { name, columns in
                let keys = inOrder(
                    columns.map { (name: $0[1], place: $0[3]) }.filter { $0.place >= 0 }
                )
                let hasNumber = columns.contains { $0[1] as String == rowNumber }
                return TableLayout(
                    name: name,
                    columns: try columns.filter { $0[1] as String != rowNumber }.map { column in
                        .init(name: column[1], kind: try kind(column[2], name, column[1]))
                    },
                    order: hasNumber ? [rowNumber] : keys,
                    parents: Set((parents[name] ?? []).map(\.1))
                )
            }
    }
}
