import Foundation
import Model
import Ports
import Relational

extension SQLStore: EventCatalogStore {
    package func eventSummaries(
        in workspace: WorkspaceID,
        matching text: String,
        limit: Int,
        offset: Int
    ) async throws -> (events: [EventSummary], total: Int) {
        // A name may be blocked before its first event arrives.
        let source = """
            FROM (
                SELECT name FROM event_names
                WHERE workspace_id = :workspace AND substr(name, 1, 1) <> '$'
                UNION SELECT name FROM blocked_names
                WHERE workspace_id = :workspace AND kind = 'event'
            ) WHERE :text = '' OR instr(lower(name), :text)
            """
        let arguments: StatementArguments = [
            "workspace": workspace.rawValue, "text": text.lowercased(),
        ]
        return try await read { database in
            let total = try Int.fetchOnly(
                database,
                sql: "SELECT count(*) \(source)",
                arguments: arguments
            )
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT name,
                        (SELECT coalesce(
                                (SELECT time FROM events WHERE name_id = event_names.id
                                    ORDER BY \(EventTimes.latestFirst) LIMIT 1),
                                (SELECT max(last) FROM removed_counts
                                    WHERE name_id = event_names.id))
                            FROM event_names
                            WHERE workspace_id = :workspace AND event_names.name = found.name
                        ) AS last_at,
                        EXISTS (SELECT TRUE FROM blocked_names
                            WHERE workspace_id = :workspace AND kind = 'event'
                            AND blocked_names.name = found.name) AS is_blocked
                    FROM (SELECT name \(source) ORDER BY name LIMIT :limit OFFSET :offset) AS found
                    ORDER BY name
                    """,
                arguments: arguments + ["limit": limit, "offset": offset]
            )
            let events = rows.map { row in
                EventSummary(
                    name: row["name"],
                    lastAt: (row["last_at"] as Int64?).map(Date.init(milliseconds:)),
                    isBlocked: row["is_blocked"]
                )
            }
            return (events, total)
        }
    }

    package func eventCounts(
        of names: [String],
        in workspace: WorkspaceID,
        between boundaries: [Date]
    ) async throws -> [String: [Int]] {
        try await read { database in
            let count = try database.cachedStatement(
                sql: """
                    SELECT count(*) FROM events
                    WHERE name_id = :name AND \(EventTimes.within(":start", ":end"))
                    """
            )
            var counts: [String: [Int]] = [:]
            for name in names {
                let id = try Int64.fetchOne(
                    try database.cachedStatement(
                        sql: "SELECT id FROM event_names WHERE workspace_id = ? AND name = ?"
                    ),
                    arguments: [workspace.rawValue, name]
                )
                counts[name] = try zip(boundaries, boundaries.dropFirst()).map { start, end in
                    guard let id else { return 0 }
                    let (start, end) = (start.milliseconds, end.milliseconds)
                    let range: StatementArguments = ["name": id, "start": start, "end": end]
                    return try Int.fetchOnly(count, arguments: range)
                        + RemovedCounts(database).count(ofName: id, from: start, until: end)
                }
            }
            return counts
        }
    }

    package func attributeSummaries(
        in workspace: WorkspaceID,
        limit: Int
    ) async throws -> [AttributeSummary] {
        try await read { database in
            let sample = """
                SELECT custom FROM profiles WHERE workspace_id = ?
                ORDER BY updated_at DESC LIMIT 1000
                """
            let size =
                try Int.fetchOnly(
                    database,
                    sql: "SELECT count(*) FROM (\(sample))",
                    arguments: [workspace.rawValue]
                )
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT key, type, count(*) AS number FROM (\(sample)), json_each(custom)
                    GROUP BY key, type
                    """,
                arguments: [workspace.rawValue]
            )
            var found: [String: AttributeSummary] = [:]
            for name in try BlockedNames.fetch(in: workspace, database)
            where name.kind == .attribute {
                found[name.name] = AttributeSummary(
                    name: name.name,
                    profiles: 0,
                    sample: size,
                    types: [:],
                    isBlocked: true
                )
            }
            for row in rows {
                let name: String = row["key"]
                let number: Int = row["number"]
                var summary =
                    found[name]
                    ?? AttributeSummary(
                        name: name,
                        profiles: 0,
                        sample: size,
                        types: [:],
                        isBlocked: false
                    )
                summary.profiles += number
                if let type = Self.typeNames[row["type"]] {
                    summary.types[type, default: 0] += number
                }
                found[name] = summary
            }
            return Array(
                found.values.ordered { (-$0.profiles, $0.name) }
                    .prefix(limit)
            )
        }
    }

    /// SQLite's names for the types of JSON.
    static let typeNames = [
        "text": "text", "integer": "number", "real": "number", "true": "boolean",
        "false": "boolean", "array": "list", "object": "object",
    ]

    package func blockedNames(in workspace: WorkspaceID) async throws -> Set<BlockedName> {
        try await read { try BlockedNames.fetch(in: workspace, $0) }
    }

    package func setBlocked(
        _ name: BlockedName,
        to isBlocked: Bool,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws {
        try await write { database in
            if isBlocked {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO blocked_names VALUES (?, ?, ?, ?)",
                    arguments: [
                        workspace.rawValue, name.kind.rawValue, name.name, now.milliseconds,
                    ]
                )
            } else {
                try database.execute(
                    sql: """
                        DELETE FROM blocked_names
                        WHERE workspace_id = ? AND kind = ? AND name = ?
                        """,
                    arguments: [workspace.rawValue, name.kind.rawValue, name.name]
                )
            }
            try Self.addAudit(audit, in: workspace, database)
        }
    }
}

/// The block lists within one transaction, read once per workspace.
struct BlockedNames {
    private var known: [WorkspaceID: Set<BlockedName>] = [:]

    static func fetch(
        in workspace: WorkspaceID,
        _ database: Database
    ) throws -> Set<BlockedName> {
        let rows = try Row.fetchAll(
            try database.cachedStatement(
                sql: "SELECT kind, name FROM blocked_names WHERE workspace_id = ?"
            ),
            arguments: [workspace.rawValue]
        )
        return Set(
            rows.compactMap { row in
                BlockedName.Kind(rawValue: row["kind"]).map { BlockedName($0, row["name"]) }
            }
        )
    }

    /// Whether a name is blocked.
    mutating func contains(
        _ name: BlockedName,
        in workspace: WorkspaceID,
        _ database: Database
    ) throws -> Bool {
        try names(in: workspace, database).contains(name)
    }

    /// Removes the blocked attributes from the changes and reports them.
    mutating func remove(
        from changes: inout AttributeChanges,
        in workspace: WorkspaceID,
        _ database: Database
    ) throws -> [FieldProblem] {
        let blocked = try names(in: workspace, database)
        guard !blocked.isEmpty else { return [] }
        var problems: [FieldProblem] = []
        for attribute in changes.values.keys.sorted() {
            let name = BlockedName(.attribute, attribute)
            guard blocked.contains(name) else { continue }
            changes.values[attribute] = nil
            problems.append(FieldProblem(.request(attribute), name.refusal))
        }
        return problems
    }

    private mutating func names(
        in workspace: WorkspaceID,
        _ database: Database
    ) throws -> Set<BlockedName> {
        if let names = known[workspace] { return names }
        let names = try Self.fetch(in: workspace, database)
        known[workspace] = names
        return names
    }
}
