import Foundation
import GRDBSQLite

/// Makes many users of some by copying their rows, with names, ids and tokens of their own: a
/// million users through ingestion would take longer than what is measured.
struct UserMultiplier {
    private let path: String

    init(path: String) {
        self.path = path
    }

    /// Copies the first `seeded` users, whose ids begin at 1, until there are `users`.
    func multiply(seeded: Int, to users: Int) throws {
        var database: OpaquePointer?
        guard sqlite3_open(path, &database) == SQLITE_OK, let database else {
            throw BenchError("\(path) cannot be opened")
        }
        defer { sqlite3_close(database) }
        try execute("PRAGMA synchronous = OFF", database)
        for offset in stride(from: seeded, to: users, by: seeded) {
            let rows = "FROM %@ WHERE id <= \(min(seeded, users - offset))"
            try copy(
                "profiles",
                [
                    "id": "id + \(offset)", "public_id": "randomblob(16)",
                    "external_id": "'user-' || (id - 1 + \(offset))",
                ],
                rows,
                database
            )
            try copy(
                "devices",
                [
                    "id": "id + \(offset)", "profile_id": "profile_id + \(offset)",
                    "installation_id": "randomblob(16)",
                    "push_token": "printf('%064x', id - 1 + \(offset))",
                ],
                rows,
                database
            )
        }
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
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let sql = "SELECT name FROM pragma_table_info('\(table)')"
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
            throw BenchError(String(cString: sqlite3_errmsg(database)))
        }
        var names: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            names.append(String(cString: sqlite3_column_text(statement, 0)))
        }
        return names
    }

    private func execute(_ sql: String, _ database: OpaquePointer) throws {
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
            throw BenchError("\(String(cString: sqlite3_errmsg(database))): \(sql)")
        }
    }
}
