import Foundation
import Model
import Ports
import Relational

/// A page of a workspace's rows by their ids. It is full as long as readable rows are left.
///
/// No index has the rows of a workspace by their ids: a database that looks for those of the workspace first sorts all
/// of them for each page. So they are looked for in the order of the table, whosever rows stand between them.
struct ExportPage {
    /// Maximum number of ids in a span.
    private static let longestSpan: Int64 = 20_000

    private let workspace: WorkspaceID
    private let start: Int64
    private let limit: Int

    init(of workspace: WorkspaceID, after id: Int64, limit: Int) {
        self.workspace = workspace
        start = id
        self.limit = limit
    }

    func users(_ database: Database, _ unreadable: UnreadableRows) throws -> [Profile] {
        try rows(
            of: "profiles",
            "SELECT profiles.* FROM \(Self.span("profiles", database.kind)) WHERE workspace_id = :workspace",
            database,
            unreadable
        ) { try Profile(row: $0) }
    }

    func events(
        _ database: Database,
        _ unreadable: UnreadableRows
    ) throws -> [(id: Int64, event: ExportedEvent)] {
        try rows(
            of: "events",
            """
            SELECT events.id AS id, external_id, public_id, event_names.name AS name, time,
                properties, bundle_id
            FROM \(Self.span("events", database.kind))
            CROSS JOIN event_names ON event_names.id = name_id
            CROSS JOIN profiles ON profiles.id = profile_id
            LEFT JOIN apps ON apps.id = app_id
            WHERE event_names.workspace_id = :workspace
            """,
            database,
            unreadable
        ) { (id: $0["id"], event: try Self.event($0)) }
    }

    private static func event(_ row: Row) throws -> ExportedEvent {
        ExportedEvent(
            externalID: row["external_id"],
            userID: try StoredUUID.value(row, "public_id"),
            name: row["name"],
            time: try StoredTime.date(row["time"]),
            properties: EventProperties(try StoredJSON.object(row["properties"])),
            app: row["bundle_id"]
        )
    }

    // MARK: Spans

    /// The rows of a table from `:low` to `:high`, as the source of a query.
    private static func span(_ table: String, _ kind: DatabaseKind) -> String {
        // With a limit, although no span is longer, PostgreSQL reads the span before it asks whose rows those are.
        let fence = kind == .postgres ? "ORDER BY id LIMIT \(longestSpan)" : ""
        return """
            (SELECT * FROM \(table) NOT INDEXED WHERE id BETWEEN :low AND :high \(fence)) AS \(table)
            """
    }

    private func rows<Element>(
        of table: String,
        _ query: String,
        _ database: Database,
        _ unreadable: UnreadableRows,
        _ read: (Row) throws -> Element
    ) throws -> [Element] {
        let statement = try database.cachedStatement(
            sql: "\(query) ORDER BY \(table).id LIMIT :room"
        )
        var page: [Element] = []
        var position = start
        // SQLite stops where the page is full; PostgreSQL may read a span to its end.
        var length = database.kind == .sqlite ? .max : min(Int64(limit), Self.longestSpan)
        while page.count < limit, let low = try first(of: table, after: position, database) {
            let end = low.addingReportingOverflow(length - 1)
            let high = end.overflow ? .max : end.partialValue
            let room = limit - page.count
            let found = try Row.fetchCursor(
                statement,
                arguments: [
                    "workspace": workspace.rawValue, "low": low, "high": high, "room": room,
                ]
            )
            var (count, last) = (0, high)
            while let row = try found.next() {
                (count, last) = (count + 1, row["id"])
                if let element = try unreadable.value(table, last, { try read(row) }) {
                    page.append(element)
                }
            }
            // What was found may not be all, if it is as much as was asked for.
            position = count == room ? last : high
            if length < Self.longestSpan { length = min(length * 2, Self.longestSpan) }
        }
        return page
    }

    /// Where the next span begins: rows that were removed leave none without a row.
    private func first(
        of table: String,
        after id: Int64,
        _ database: Database
    ) throws -> Int64? {
        try Int64.fetchOne(
            try database.cachedStatement(sql: "SELECT min(id) FROM \(table) WHERE id > ?"),
            arguments: [id]
        )
    }
}
