import Foundation
import GRDB
import Model
import Reasons

/// A copy of a database, in one file, that no server uses.
package struct CopiedDatabase: Sendable {
    private let path: String

    package init(path: String) {
        self.path = path
    }

    /// Gives up the log, so that the copy is one file also when it is opened again.
    ///
    /// - Throws: `StoreError` with code `unavailable`.
    package func settle() throws {
        try access(isReadOnly: false) { queue in
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA journal_mode = DELETE")
            }
        }
    }

    /// Reads the whole file.
    ///
    /// - Returns: What SQLite finds damaged, and the number of rows by table.
    /// - Throws: `StoreError` with code `unavailable` if the file is no database.
    package func examine() throws -> (damage: [String], rows: [String: Int]) {
        try access(isReadOnly: true) { queue in
            try queue.read { database in
                let lines = try String.fetchAll(database, sql: "PRAGMA quick_check(10)")
                let damage = lines.filter { $0 != "ok" }
                guard damage.isEmpty else { return (damage, [:]) }
                let tables = try String.fetchAll(
                    database,
                    sql: """
                        SELECT name FROM sqlite_master
                        WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                        """
                )
                var rows: [String: Int] = [:]
                for table in tables {
                    let name = table.replacingOccurrences(of: "\"", with: "\"\"")
                    rows[table] = try Int.fetchOne(
                        database,
                        sql: "SELECT count(*) FROM \"\(name)\""
                    )
                }
                return ([], rows)
            }
        }
    }

    private func access<Value>(
        isReadOnly: Bool,
        _ body: (DatabaseQueue) throws -> Value
    ) throws -> Value {
        var configuration = Configuration()
        configuration.readonly = isReadOnly
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let value = try body(queue)
            try queue.close()
            return value
        } catch let error as DatabaseError {
            throw StoreError(
                .unavailable,
                .copyUnreadable,
                ["path": .text(path), "reason": "\(error)"]
            )
        }
    }
}
