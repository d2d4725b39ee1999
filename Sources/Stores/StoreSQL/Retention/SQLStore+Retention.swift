import Foundation
import Model
import Ports
import Relational
import Synchronization

extension SQLStore: RetentionStore {
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

    package func retentionHolders(in workspace: WorkspaceID) async throws -> [RetentionHolder] {
        try await read { [unreadable] database in
            try ConversionHolders(database, in: workspace, unreadable).holders()
        }
    }

    package func removeRows(
        _ kind: RetainedKind,
        in workspace: WorkspaceID,
        olderThan moment: Date,
        lookingAt count: Int,
        now: Date
    ) async throws -> RetentionStep {
        let own = followedPosition.withLock { $0 }
        if kind == .dispatches {
            return try await removeDispatches(
                in: workspace,
                olderThan: moment,
                lookingAt: count,
                now: now
            )
        }
        let active =
            kind == .sessions
            ? try await activeUsersToKeep(in: workspace, olderThan: moment, now: now) : nil
        return try await write { [unreadable] database in
            let former = try RetentionPass.fetch(kind, in: workspace, database)
            var pass = former ?? RetentionPass(keptSince: .min)
            let isFirst = pass.look(for: kind, olderThan: moment, now: now)
            // What a server has not read stays, and so does everything while one of them begins.
            let followers = try Self.followers(own, database)
            let followed = followers.isEmpty ? nil : Self.least(followers) ?? ChangeCursor()
            if kind == .inAppReports {
                return try Self.step(
                    InAppReportRemoval(database, in: workspace, unreadable),
                    of: &pass,
                    lookingAt: count,
                    in: workspace,
                    now: now,
                    database
                )
            }
            if kind == .pushReports {
                return try Self.step(
                    PushReportRemoval(database, in: workspace, unreadable),
                    of: &pass,
                    isFirst: isFirst,
                    movesFrom: former?.keptSince,
                    followedThrough: followed?.interaction,
                    lookingAt: count,
                    in: workspace,
                    now: now,
                    database
                )
            }
            guard let table = RetainedTable(kind) else {
                let removal = EventRemoval(
                    of: kind,
                    database,
                    in: workspace,
                    followedThrough: followed?.event,
                    unreadable
                )
                if isFirst, kind == .sessions, try removal.movesSessions(to: pass.keptSince) {
                    // Sessions began to come, or to be removed, only now: another look counts.
                    guard let active, active.limit == pass.keptSince else {
                        return RetentionStep(removed: 0, isLast: false)
                    }
                    try RemovedActiveUsers(database, in: workspace).keep(active)
                }
                return try Self.step(
                    removal,
                    of: &pass,
                    kind,
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
                olderThan: pass.limit,
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

    /// What has to be counted before a pass begins; `nil` where none does.
    private func activeUsersToKeep(
        in workspace: WorkspaceID,
        olderThan moment: Date,
        now: Date
    ) async throws -> RemovedActiveUsers.Counts? {
        let limit = try await read { [unreadable] database -> Int64? in
            var pass =
                try RetentionPass.fetch(.sessions, in: workspace, database)
                ?? RetentionPass(keptSince: .min)
            let removal = EventRemoval(
                of: .sessions,
                database,
                in: workspace,
                followedThrough: nil,
                unreadable
            )
            guard pass.look(for: .sessions, olderThan: moment, now: now),
                try removal.movesSessions(to: pass.keptSince)
            else { return nil }
            return pass.keptSince
        }
        guard let limit else { return nil }
        return try await activeUsersToKeep(in: workspace, before: limit)
    }

    private static func step(
        _ removal: InAppReportRemoval,
        of pass: inout RetentionPass,
        lookingAt count: Int,
        in workspace: WorkspaceID,
        now: Date,
        _ database: Database
    ) throws -> RetentionStep {
        let (place, removed) = try removal.step(
            after: InAppReportRemoval.Place.fromDatabaseValue(pass.place)
                ?? InAppReportRemoval.Place(),
            before: pass.limit,
            lookingAt: count
        )
        pass.removed += removed
        pass.place = place?.databaseValue ?? .null
        if place == nil { pass.finishedAt = now.milliseconds }
        try pass.save(.inAppReports, in: workspace, database)
        return RetentionStep(removed: removed, isLast: place == nil)
    }

    private static func step(
        _ removal: PushReportRemoval,
        of pass: inout RetentionPass,
        isFirst: Bool,
        movesFrom former: Int64?,
        followedThrough followed: Int64?,
        lookingAt count: Int,
        in workspace: WorkspaceID,
        now: Date,
        _ database: Database
    ) throws -> RetentionStep {
        if isFirst {
            pass.settled = try removal.settled(
                afterPassThatBeganAt: pass.newest,
                followedThrough: followed
            )
            pass.newest = try database.last(of: "push_interactions")
            if former != pass.keptSince {
                try ChangeLogWriter(database, in: workspace).keptInteractions(since: pass.keptSince)
            }
        }
        let (place, removed) = try removal.step(
            after: PushReportRemoval.Place.fromDatabaseValue(pass.place)
                ?? PushReportRemoval.Place(),
            before: pass.limit,
            through: pass.settled ?? 0,
            lookingAt: count
        )
        pass.removed += removed
        pass.place = place?.databaseValue ?? .null
        if place == nil { pass.finishedAt = now.milliseconds }
        try pass.save(.pushReports, in: workspace, database)
        return RetentionStep(removed: removed, isLast: place == nil)
    }

    private static func step(
        _ removal: EventRemoval,
        of pass: inout RetentionPass,
        _ kind: RetainedKind,
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
        try pass.save(kind, in: workspace, database)
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
    /// Of events, sessions and reports of pushes: the last row when it began, and the last one that it
    /// removes.
    var newest: Int64?
    var settled: Int64?
    /// What the step that looks now removes is older.
    private(set) var limit = Int64.min

    /// Of dispatches: the send after which to go on.
    var send: Int64? {
        get { Int64.fromDatabaseValue(place) }
        set { place = newValue?.databaseValue ?? .null }
    }

    /// Sets the limit, and begins a pass if none is under way.
    ///
    /// - Returns: Whether one begins.
    mutating func look(for kind: RetainedKind, olderThan moment: Date, now: Date) -> Bool {
        limit = moment.milliseconds
        let isFirst = place.isNull
        if isFirst {
            startedAt = now.milliseconds
            finishedAt = nil
        } else {
            limit = min(limit, keptSince)
        }
        // Columns know whole seconds, and have to agree with the rows on what is older.
        if RetainedTable(kind) == nil { limit -= (limit % 1_000 + 1_000) % 1_000 }
        // A longer period, or a clock that was set back, brings nothing back.
        keptSince = max(limit, keptSince)
        return isFirst
    }

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
                place: kind == .audit || kind == .dispatches
                    ? number(row["place"]) : row["place"],
                removed: row["removed"],
                startedAt: row["started_at"],
                finishedAt: row["finished_at"],
                newest: row["newest"],
                settled: row["settled"]
            )
        }
    }

    /// The column holds bytes: those of the text of a number or of a place.
    private var storedPlace: Data? {
        if let number = Int64.fromDatabaseValue(place) { return Data(String(number).utf8) }
        return Data.fromDatabaseValue(place)
    }

    /// The number whose text is stored; an earlier version stored the number itself.
    private static func number(_ place: DatabaseValue) -> DatabaseValue {
        String.fromDatabaseValue(place).flatMap { Int64($0) }?.databaseValue ?? place
    }

    func save(_ kind: RetainedKind, in workspace: WorkspaceID, _ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO retention_progress (workspace_id, kind, kept_since, place, removed,
                    started_at, finished_at, newest, settled)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (workspace_id, kind) DO UPDATE SET kept_since = excluded.kept_since,
                    place = excluded.place, removed = excluded.removed,
                    started_at = excluded.started_at, finished_at = excluded.finished_at,
                    newest = excluded.newest, settled = excluded.settled
                """,
            arguments: [
                workspace.rawValue, kind.rawValue, keptSince, storedPlace, removed, startedAt,
                finishedAt, newest, settled,
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

    /// `nil` for those of which sums are kept (`EventRemoval`, `InAppReportRemoval`,
    /// `PushReportRemoval`, `DispatchRemoval`).
    init?(_ kind: RetainedKind) {
        switch kind {
        case .customEvents, .sessions, .inAppReports, .pushReports, .dispatches: return nil
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
        return try database.changesCount
    }
}
