import Foundation
import Model
import Relational

/// Stores the ids of ingested records, so that a record that is sent again is recognized.
final class RecordDeduplicator {
    private struct Key: Hashable {
        var workspace: WorkspaceID
        var record: UUID
    }

    private let database: Database
    private let statement: RepeatedStatement
    private let now: Int64
    /// Ids that were stored ahead, and whether each is new and was not asked for yet.
    private var ahead: [Key: Bool] = [:]

    private static let insertion = """
        INSERT OR IGNORE INTO seen_records (workspace_id, record_id, seen_at) VALUES (?, ?, ?)
        """

    init(_ database: Database, now: Date) throws {
        self.database = database
        self.now = now.milliseconds
        statement = try RepeatedStatement(
            database,
            sql: Self.insertion,
            parameters: 3
        )
    }

    /// Stores an id.
    ///
    /// - Returns: `false` if it was already stored.
    func insert(_ id: UUID, _ workspace: WorkspaceID) throws -> Bool {
        let key = Key(workspace: workspace, record: id)
        if let isNew = ahead[key] {
            ahead[key] = false
            return isNew
        }
        statement.bind(workspace.rawValue, to: 1)
        statement.bind(now, to: 3)
        return try statement.run(id, as: 2)
    }

    /// Stores the ids of records that will follow, where each by itself would be a trip to the server.
    func insertAhead(_ ids: [UUID], _ workspace: WorkspaceID) throws {
        guard database.kind == .postgres, ids.count > 1 else { return }
        let unknown = ids.filter { ahead[Key(workspace: workspace, record: $0)] == nil }
        var stored: Set<UUID> = []
        try database.cachedStatement(sql: Self.insertion + " RETURNING record_id")
            .forEachRow(unknown.map { [workspace.rawValue, $0, now] }) { stored.insert($0[0]) }
        for id in unknown { ahead[Key(workspace: workspace, record: id)] = stored.contains(id) }
    }

    /// Takes an id back: the record may be sent again.
    func forget(_ id: UUID, _ workspace: WorkspaceID) throws {
        ahead[Key(workspace: workspace, record: id)] = nil
        try database.cachedStatement(
            sql: "DELETE FROM seen_records WHERE workspace_id = ? AND record_id = ?"
        ).execute(arguments: [workspace.rawValue, id])
    }
}
