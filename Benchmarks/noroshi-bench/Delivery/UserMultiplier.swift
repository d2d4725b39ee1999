import Foundation
import GRDBSQLite

/// Creates many users from a few by copying their rows, with their own names, ids and tokens:
/// ingesting a million users would take longer than the measurement.
struct UserMultiplier {
    private let path: String

    init(path: String) {
        self.path = path
    }

    /// Copies the first `seeded` users, whose ids begin at 1, until there are `users`.
    ///
    /// It uses one transaction without a journal, and recreates indexes and triggers afterwards: an
    /// incomplete file is discarded, and sorting a million keys once is faster than inserting them
    /// one by one.
    func multiply(seeded: Int, to users: Int) throws {
        var database: OpaquePointer?
        guard sqlite3_open(path, &database) == SQLITE_OK, let database else {
            throw BenchError("\(path) cannot be opened")
        }
        defer { sqlite3_close(database) }
        for setting in [
            "journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE",
            "cache_size = -262144", "temp_store = MEMORY",
        ] {
            try execute("PRAGMA \(setting)", database)
        }
        try execute("BEGIN", database)
        let parts = try rows(
            """
            SELECT type, name, sql FROM sqlite_master WHERE tbl_name IN ('profiles', 'devices')
            AND type IN ('index', 'trigger') AND sql IS NOT NULL
            """,
            database
        )
        for part in parts { try execute("DROP \(part[0]) \(part[1])", database) }
        for offset in stride(from: seeded, to: users, by: seeded) {
            let rows = "FROM %@ WHERE id <= \(min(seeded, users - offset))"
            // 16 bytes that increase with the number, so that each is appended to its index.
            let bytes = "CAST(printf('%016d', id + \(offset)) AS BLOB)"
            try copy(
                "profiles",
                [
                    "id": "id + \(offset)", "public_id": bytes,
                    "external_id": "'user-' || (id - 1 + \(offset))",
                ],
                rows,
                database
            )
            try copy(
                "devices",
                [
                    "id": "id + \(offset)", "profile_id": "profile_id + \(offset)",
                    "installation_id": bytes,
                    "push_token": "printf('%064x', id - 1 + \(offset))",
                ],
                rows,
                database
            )
        }
        for part in parts { try execute(part[2], database) }
        try execute("COMMIT", database)
    }

    private func copy(
        _ table: String,
        _ changes: [String: String],
        _ rows: String,
        _ database: OpaquePointer
    ) throws {
        let columns = try columns(of: table, database)
        let values = columns.map { changes[$0] ?? $0 }
        try execute(
            """
            INSERT INTO \(table) (\(columns.joined(separator: ", ")))
            SELECT \(values.joined(separator: ", ")) \
            \(rows.replacingOccurrences(of: "%@", with: table))
            """,
            database
        )
    }

    private func columns(of table: String, _ database: OpaquePointer) throws -> [String] {
        try rows("SELECT name FROM pragma_table_info('\(table)')", database).map { $0[0] }
    }

    /// The result of a query, each column as text.
    private func rows(_ sql: String, _ database: OpaquePointer) throws -> [[String]] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
            throw BenchError(String(cString: sqlite3_errmsg(database)))
        }
        var rows: [[String]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map {
                    String(cString: sqlite3_column_text(statement, $0))
                }
            )
        }
        return rows
    }

    private func execute(_ sql: String, _ database: OpaquePointer) throws {
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
            throw BenchError("\(String(cString: sqlite3_errmsg(database))): \(sql)")
        }
    }
}
