import Foundation
import GRDB
import Model
import Ports
import Synchronization

extension SQLiteStore: RetentionStore {
    package func retentionProgress(
        in workspace: WorkspaceID
    ) async throws -> [RetentionProgress] {
        try await read { database in
            try RetainedKind.allCases.compactMap { kind in
                try RetentionPass.fetch(kind, in: workspace, database).map { pass in
                    RetentionProgress(
                        kind: kind,
                        keptSince: Date(milliseconds: pass.keptSince),
                        removed: pass.removed,
                        startedAt: Date(milliseconds: pass.startedAt),
                        finishedAt: pass.finishedAt.map(Date.init(milliseconds:))
                    )
                }
            }
        }
    }

    package func removeRows(
        _ kind: RetainedKind,
        in workspace: WorkspaceID,
        olderThan moment: Date,
        lookingAt count: Int,
        now: Date
    ) async throws -> RetentionStep {
        let followed = followedEvent.withLock { $0 }
        return try await write { [unreadable] database in
            let former = try RetentionPass.fetch(kind, in: workspace, database)
            var pass = former ?? RetentionPass(keptSince: .min)
            var limit = moment.milliseconds
            let isFirst = pass.place.isNull
            if isFirst {
                pass.startedAt = now.milliseconds
                pass.finishedAt = nil
            } else {
                limit = min(limit, pass.keptSince)
            }
            // Columns know whole seconds, and have to agree with the rows on what is older.
            if kind == .customEvents { limit -= (limit % 1_000 + 1_000) % 1_000 }
            // A longer period, or a clock that was set back, brings nothing back.
            pass.keptSince = max(limit, pass.keptSince)
            guard let table = RetainedTable(kind) else {
                let removal = EventRemoval(
                    database,
                    in: workspace,
                    followedThrough: followed,
                    unreadable
                )
                return try Self.step(
                    removal,
                    of: &pass,
                    isFirst: isFirst,
                    lookingAt: count,
                    in: workspace,
                    now: now,
                    database
                )
            }
            if isFirst { pass.place = table.start }
            let last = try table.key(after: pass.place, adding: count, workspace, database)
            let removed = try table.remove(
                after: pass.place,
                through: last,
                olderThan: limit,
                workspace,
                database
            )
            pass.removed += removed
            pass.place = last ?? .null
            if last == nil { pass.finishedAt = now.milliseconds }
            try pass.save(kind, in: workspace, database)
            return RetentionStep(removed: removed, isLast: last == nil)
        }
    }

    private static func step(
        _ removal: EventRemoval,
        of pass: inout RetentionPass,
        isFirst: Bool,
        lookingAt count: Int,
        in workspace: WorkspaceID,
        now: Date,
        _ database: Database
    ) throws -> RetentionStep {
        if isFirst {
            pass.settled = try removal.settled(afterPassThatBeganAt: pass.newest)
            pass.newest = try database.last(of: "events")
            try removal.begin(keepingSince: pass.keptSince)
        }
        let (place, removed) = try removal.step(
            after: EventRemoval.Place.fromDatabaseValue(pass.place) ?? EventRemoval.Place(),
            through: pass.settled ?? 0,
            lookingAt: count
        )
        pass.removed += removed
        pass.place = place?.databaseValue ?? .null
        if place == nil { pass.finishedAt = now.milliseconds }
        try pass.save(.customEvents, in: workspace, database)
        return RetentionStep(removed: removed, isLast: place == nil)
    }
}

/// The latest pass of a kind, as stored. Times are milliseconds since 1970.
struct RetentionPass {
    var keptSince: Int64
    var place = DatabaseValue.null
    var removed = 0
    var startedAt: Int64 = 0
    var finishedAt: Int64?
    /// Of events: the last row when it began, and the last row that it removes.
    var newest: Int64?
    var settled: Int64?

    static func fetch(
        _ kind: RetainedKind,
        in workspace: WorkspaceID,
        _ database: Database
    ) throws -> RetentionPass? {
        try Row.fetchOne(
            try database.cachedStatement(
                sql: "SELECT * FROM retention_progress WHERE workspace_id = ? AND kind = ?"
            ),
            arguments: [workspace.rawValue, kind.rawValue]
        ).map { row in
            RetentionPass(
                keptSince: row["kept_since"],
                place: row["place"],
                removed: row["removed"],
                startedAt: row["started_at"],
                finishedAt: row["finished_at"],
                newest: row["newest"],
                settled: row["settled"]
            )
        }
    }

    func save(_ kind: RetainedKind, in workspace: WorkspaceID, _ database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO retention_progress (workspace_id, kind, kept_since, place,
                    removed, started_at, finished_at, newest, settled)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                workspace.rawValue, kind.rawValue, keptSince, place, removed, startedAt, finishedAt,
                newest, settled,
            ]
        )
    }
}

/// Where the rows of a kind are that go without a trace. A pass walks through the keys of the
/// workspace, because record ids have no index by age: it would cost each stored record a second
/// place to write.
struct RetainedTable {
    static var all: [RetainedTable] { RetainedKind.allCases.compactMap(RetainedTable.init) }

    let name: String
    let key: String
    let age: String
    /// Before all keys.
    let start: DatabaseValue

    /// `nil` for events, of which sums are kept (`EventRemoval`).
    init?(_ kind: RetainedKind) {
        switch kind {
        case .customEvents: return nil
        case .recordIDs:
            (name, key, age, start) =
                ("seen_records", "record_id", "seen_at", Data().databaseValue)
        case .audit:
            (name, key, age, start) = ("audit_log", "id", "at", Int64(0).databaseValue)
        }
    }

    /// The key so many rows further; `nil` if there are fewer.
    func key(
        after place: DatabaseValue,
        adding count: Int,
        _ workspace: WorkspaceID,
        _ database: Database
    ) throws -> DatabaseValue? {
        try DatabaseValue.fetchOne(
            database,
            sql: """
                SELECT \(key) FROM \(name) WHERE workspace_id = ? AND \(key) > ?
                ORDER BY \(key) LIMIT 1 OFFSET ?
                """,
            arguments: [workspace.rawValue, place, count - 1]
        )
    }

    func remove(
        after place: DatabaseValue,
        through last: DatabaseValue?,
        olderThan limit: Int64,
        _ workspace: WorkspaceID,
        _ database: Database
    ) throws -> Int {
        let end = last == nil ? "" : "AND \(key) <= ?"
        try database.execute(
            sql: """
                DELETE FROM \(name)
                WHERE workspace_id = ? AND \(key) > ? \(end) AND \(age) < ?
                """,
            arguments: [workspace.rawValue, place] + (last.map { [$0] } ?? []) + [limit]
        )
        return database.changesCount
    }
}
