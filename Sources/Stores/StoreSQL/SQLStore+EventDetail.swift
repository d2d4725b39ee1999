import Foundation
import Model
import Ports
import Relational

extension SQLStore {
    /// Number of the newest occurrences whose properties are looked at.
    private static let sampleSize = 1_000

    package func eventDetail(
        of name: String,
        in workspace: WorkspaceID,
        values: Int,
        latest: Int
    ) async throws -> EventDetail? {
        try await read { database in
            guard
                let id = try Int64.fetchOne(
                    database,
                    sql: "SELECT id FROM event_names WHERE workspace_id = ? AND name = ?",
                    arguments: [workspace.rawValue, name]
                )
            else { return nil }
            let size = try Int.fetchOnly(
                database,
                sql: "SELECT count(*) FROM (\(Self.sample))",
                arguments: ["event": id]
            )
            return EventDetail(
                sample: size,
                properties: try Self.properties(id, values, database),
                latest: try Self.latest(id, latest, database)
            )
        }
    }

    private static let sample = """
        SELECT properties FROM events WHERE id IN (
            SELECT id FROM events WHERE name_id = :event
            ORDER BY \(EventTimes.latestFirst) LIMIT \(sampleSize))
        """

    private static func properties(
        _ event: Int64,
        _ values: Int,
        _ database: Database
    ) throws -> [EventPropertySummary] {
        var found: [String: EventPropertySummary] = [:]
        let types = try Row.fetchAll(
            database,
            sql: """
                SELECT key, type, count(*) AS events FROM (\(sample)), json_each(properties)
                GROUP BY key, type
                """,
            arguments: ["event": event]
        )
        for row in types {
            let name: String = row["key"]
            let events: Int = row["events"]
            var summary =
                found[name] ?? EventPropertySummary(name: name, events: 0, types: [:], values: [])
            summary.events += events
            if let type = typeNames[row["type"]] { summary.types[type, default: 0] += events }
            found[name] = summary
        }
        let frequent = try Row.fetchAll(
            database,
            sql: """
                SELECT * FROM (
                    SELECT *, row_number() OVER (PARTITION BY key ORDER BY events DESC, shown) AS place
                    FROM (
                        SELECT key, count(*) AS events, CASE type WHEN 'true' THEN 'true'
                            WHEN 'false' THEN 'false' WHEN 'text' THEN json_quote(value)
                                ELSE CAST(value AS TEXT) END AS shown
                        FROM (\(sample)), json_each(properties)
                        WHERE type IN ('text', 'integer', 'real', 'true', 'false')
                        GROUP BY key, shown
                    )
                ) WHERE place <= :values ORDER BY key, place
                """,
            arguments: ["event": event, "values": values]
        )
        for row in frequent {
            found[row["key"] as String]?.values.append(
                .init(json: row["shown"], events: row["events"])
            )
        }
        return found.values.ordered { (-$0.events, $0.name) }
    }

    private static func latest(
        _ event: Int64,
        _ limit: Int,
        _ database: Database
    ) throws -> [EventOccurrence] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT profiles.id AS id, time, external_id, first_name, public_id
                FROM (
                    SELECT id, time, profile_id FROM events WHERE name_id = ?
                    ORDER BY \(EventTimes.latestFirst), events.id DESC LIMIT ?) AS newest
                JOIN profiles ON profiles.id = profile_id ORDER BY time DESC, newest.id DESC
                """,
            arguments: [event, limit]
        ).map { row in
            let publicID = UUID.fromDatabaseValue(row["public_id"])?.uuidString.lowercased()
            return EventOccurrence(
                profile: ProfileID(row["id"]),
                userName: row["external_id"] ?? row["first_name"] ?? publicID ?? "",
                time: Date(milliseconds: row["time"])
            )
        }
    }
}
