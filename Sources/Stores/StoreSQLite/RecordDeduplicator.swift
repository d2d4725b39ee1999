import Foundation
import GRDB
import GRDBSQLite
import Model

/// Stores the ids of ingested records, so that a record that is sent again is recognized.
final class RecordDeduplicator {
    private let statement: Statement
    private let now: Int64

    init(_ database: Database, now: Date) throws {
        self.now = now.milliseconds
        statement = try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO seen_records (workspace_id, record_id, seen_at)
                VALUES (?, ?, ?)
                """
        )
    }

    /// Stores an id.
    ///
    /// - Returns: `false` if it was already stored.
    func insert(_ id: UUID, _ workspace: WorkspaceID, _ database: Database) throws -> Bool {
        let insert = statement.sqliteStatement
        sqlite3_reset(insert)
        sqlite3_bind_int64(insert, 1, workspace.rawValue)
        sqlite3_bind_int64(insert, 3, now)
        let result = withUnsafeBytes(of: id.uuid) { bytes in
            // Without a destructor SQLite makes no copy; the step ends before the bytes are freed.
            _ = sqlite3_bind_blob(insert, 2, bytes.baseAddress, CInt(bytes.count), nil)
            return sqlite3_step(insert)
        }
        sqlite3_bind_null(insert, 2)
        sqlite3_reset(insert)
        guard result == SQLITE_DONE else {
            throw DatabaseError(resultCode: ResultCode(rawValue: result))
        }
        return database.changesCount == 1
    }
}
