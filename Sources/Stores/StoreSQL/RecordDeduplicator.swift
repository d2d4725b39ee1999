import Foundation
import Model
import Relational

/// Stores the ids of ingested records, so that a record that is sent again is recognized.
final class RecordDeduplicator {
    private let statement: RepeatedStatement
    private let now: Int64

    init(_ database: Database, now: Date) throws {
        self.now = now.milliseconds
        statement = try RepeatedStatement(
            database,
            sql: """
                INSERT OR IGNORE INTO seen_records (workspace_id, record_id, seen_at)
                VALUES (?, ?, ?)
                """,
            parameters: 3
        )
    }

    /// Stores an id.
    ///
    /// - Returns: `false` if it was already stored.
    func insert(_ id: UUID, _ workspace: WorkspaceID) throws -> Bool {
        statement.bind(workspace.rawValue, to: 1)
        statement.bind(now, to: 3)
        return try statement.run(id, as: 2) == 1
    }
}
