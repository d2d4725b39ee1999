import GRDB
import PostgresClient

/// What makes way while rows are moved in as they are.
extension Database {
    /// Writes rows of many tables past the triggers, which would note them again; on PostgreSQL also past the
    /// indexes, which are made faster from all rows at once. All of these are as before afterwards.
    ///
    /// In a transaction, which takes back all of it when `body` throws.
    package func loadingRows(of tables: [String], _ body: () throws -> Void) throws {
        switch engine {
        case .sqlite(let database): try Self.load(database, body)
        case .postgres(let session): try Self.load(session, tables, body)
        }
    }

    private static func load(_ database: GRDB.Database, _ body: () throws -> Void) throws {
        // Made again in their old order, in which SQLite runs them. The indexes stay: made from all rows they
        // cost as much, and memory that grows with the rows.
        let triggers = try GRDB.Row.fetchAll(
            database,
            sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid"
        )
        // A row may come before the one that it refers to; the commit looks.
        try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
        for trigger in triggers {
            try database.execute(sql: "DROP TRIGGER \"\(trigger["name"] as String)\"")
        }
        try body()
        for trigger in triggers { try database.execute(sql: trigger["sql"]) }
    }

    private static func load(
        _ session: PostgresSession,
        _ tables: [String],
        _ body: () throws -> Void
    ) throws {
        // Those of constraints stay: foreign keys may need them.
        let indexes = try session.rows(
            """
            SELECT quote_ident(c.relname), pg_get_indexdef(c.oid) FROM pg_index i
            JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
            WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind = 'r'
                AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = c.oid)
            ORDER BY c.oid
            """
        ).map { (name: $0[0] as String, definition: $0[1] as String) }
        for table in tables {
            // The owner's own triggers; those of foreign keys go on.
            try session.run(script: "ALTER TABLE \"\(table)\" DISABLE TRIGGER USER")
        }
        for index in indexes { try session.run(script: "DROP INDEX \(index.name)") }
        try body()
        for index in indexes { try session.run(script: index.definition) }
        for table in tables {
            try session.run(script: "ALTER TABLE \"\(table)\" ENABLE TRIGGER USER")
        }
    }

    // MARK: Numbers

    /// The number that was given last in each table that gives none twice, as far as the database knows more
    /// than its rows do.
    package func lastNumbers() throws -> [String: Int64] {
        switch engine {
        case .sqlite(let database):
            let rows = try GRDB.Row.fetchAll(database, sql: "SELECT name, seq FROM sqlite_sequence")
            return Dictionary(rows.map { ($0["name"], $0["seq"]) }, uniquingKeysWith: max)
        case .postgres(let session):
            var numbers: [String: Int64] = [:]
            for sequence in try Self.sequences(session) {
                let last = try session.value(
                    "SELECT pg_sequence_last_value($1::text::regclass)",
                    [.text(sequence.name)]
                )
                if case .integer(let number) = last { numbers[sequence.table] = number }
            }
            return numbers
        }
    }

    /// Lets new rows get numbers after those of all rows, and after the ones that were given last elsewhere.
    package func setLastNumbers(_ numbers: [String: Int64]) throws {
        switch engine {
        case .sqlite(let database):
            // Only of tables that remember it: with the others the rows themselves say it.
            let names = try String.fetchAll(
                database,
                sql:
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"
            )
            for name in names {
                guard let number = numbers[name] else { continue }
                let arguments: GRDB.StatementArguments = ["name": name, "number": number]
                try database.execute(
                    sql: """
                        UPDATE sqlite_sequence SET seq = max(seq, :number) WHERE name = :name;
                        """,
                    arguments: arguments
                )
                guard database.changesCount == 0 else { continue }
                try database.execute(
                    sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :number)",
                    arguments: arguments
                )
            }
        case .postgres(let session):
            for sequence in try Self.sequences(session) {
                let (table, column) = ("\"\(sequence.table)\"", "\"\(sequence.column)\"")
                let greatest = try session.value("SELECT coalesce(max(\(column)), 0) FROM \(table)")
                let number = max(
                    Int64.fromDatabaseValue(greatest) ?? 0,
                    numbers[sequence.table] ?? 0
                )
                guard number > 0 else { continue }
                _ = try session.value(
                    "SELECT setval($1::text::regclass, $2)",
                    [.text(sequence.name), .integer(number)]
                )
            }
        }
    }

    private static func sequences(
        _ session: PostgresSession
    ) throws -> [(table: String, column: String, name: String)] {
        try session.rows(
            """
            SELECT c.relname, a.attname, pg_get_serial_sequence(quote_ident(c.relname), a.attname)
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
                AND a.attidentity <> '' AND NOT a.attisdropped
            ORDER BY c.relname
            """
        ).map { ($0[0], $0[1], $0[2]) }
    }
}

extension PostgresSession {
    /// All rows of a query in PostgreSQL's own SQL.
    func rows(_ sql: String) throws -> [Row] {
        let text = PostgresStatementText(sql: sql, parameters: [], writes: false)
        let rows = try rows(text, StatementArguments())
        var all: [Row] = []
        while let row = rows.next() { all.append(Row(source: .values(row))) }
        return all
    }
}
