import Foundation
import Model
import NoroshiWire
import Ports
import Relational

extension SQLStore: UserRowStore {
    package func rows(of profile: ProfileID) async throws -> [String: [JSONValue]] {
        try await read { database in
            var found: [String: [JSONValue]] = [:]
            for part in UserRows.parts {
                let arguments: StatementArguments =
                    switch part.name {
                    case "events": ["events": try UserEventIndex(database).list(of: profile)]
                    case "removed_activity":
                        [
                            "profile": profile.rawValue,
                            "packed": try StoredJSON.text(
                                RemovedActivity(database).packed(of: profile).map { key, sum in
                                    [
                                        "name": key.name, "count": sum.count,
                                        "first": sum.first, "last": sum.last,
                                    ]
                                }
                            ),
                        ]
                    default: ["profile": profile.rawValue]
                    }
                let rows = try Row.fetchAll(database, sql: part.sql, arguments: arguments)
                if !rows.isEmpty { found[part.name] = try rows.map(UserRows.json) }
            }
            return found
        }
    }
}

/// The places that store rows of a user, for requests about a user's stored data.
enum UserRows {
    struct Part {
        var name: String
        var sql: String
    }

    static let parts: [Part] = [
        Part(name: "profile", sql: "SELECT * FROM profiles WHERE id = :profile"),
        own("aliases"), own("former_external_ids"), own("former_anonymous_ids"),
        own("devices"),
        Part(
            name: "events",
            sql: """
                SELECT event_names.name, events.* FROM events NOT INDEXED
                CROSS JOIN event_names ON name_id = event_names.id
                WHERE events.id IN (SELECT CAST(value AS INTEGER) FROM json_each(:events))
                ORDER BY time, events.id
                """
        ),
        Part(
            name: "removed_activity",
            sql: """
                SELECT event_names.name, CAST(sum(count) AS INTEGER) AS count,
                    min(first) AS first_at, max(last) AS last_at
                FROM (
                    SELECT name_id, count, first, last FROM removed_activity
                    WHERE profile_id = :profile
                    UNION ALL
                    SELECT CAST(value ->> '$.name' AS INTEGER),
                        CAST(value ->> '$.count' AS INTEGER),
                        CAST(value ->> '$.first' AS INTEGER), CAST(value ->> '$.last' AS INTEGER)
                    FROM json_each(:packed)
                ) AS sums JOIN event_names ON event_names.id = name_id
                GROUP BY event_names.id, event_names.name
                ORDER BY event_names.name
                """
        ),
        Part(
            name: "removed_sessions",
            sql: """
                SELECT apps.name AS app, count, first AS first_at, last AS last_at
                FROM removed_sessions LEFT JOIN apps ON apps.id = app_id
                WHERE profile_id = :profile ORDER BY app_id
                """
        ),
        // Send by send, because the index of dispatches by user begins with the send.
        Part(
            name: "messages",
            sql: """
                SELECT dispatches.*, sends.content ->> '$.message.title' AS title,
                    sends.content ->> '$.message.body' AS body
                FROM profiles CROSS JOIN sends ON sends.workspace_id = profiles.workspace_id
                CROSS JOIN \(OpenSends.rowsOfUser)
                    ON send_id = sends.id AND dispatches.profile_id = profiles.id
                WHERE profiles.id = :profile ORDER BY sends.id
                """
        ),
        Part(
            name: "removed_dispatches",
            sql: """
                SELECT outcome, count, first AS first_at, last AS last_at FROM removed_dispatches
                WHERE profile_id = :profile ORDER BY outcome
                """
        ),
        Part(
            name: "removed_recipients",
            sql: """
                SELECT removed.* FROM campaign_entries AS entries
                CROSS JOIN removed_recipients AS removed ON removed.send_id = entries.send_id
                    AND removed.profile_id = entries.profile_id
                WHERE entries.profile_id = :profile ORDER BY removed.send_id
                """
        ),
        own("push_interactions"), own("in_app_message_interactions"), own("user_sessions"),
        Part(
            name: "removed_in_app_reports",
            sql: """
                SELECT message_id, kind, button, variant, count, first AS first_at, last AS last_at
                FROM removed_in_app_subjects CROSS JOIN removed_in_app_reports
                    ON subject_id = removed_in_app_subjects.id AND profile_id = :profile
                WHERE workspace_id = (SELECT workspace_id FROM profiles WHERE id = :profile)
                ORDER BY subject_id
                """
        ),
        Part(
            name: "removed_push_reports",
            sql: """
                SELECT kind, message, count, first AS first_at, last AS last_at
                FROM removed_push_reports JOIN removed_push_subjects
                    ON removed_push_subjects.id = subject_id
                WHERE profile_id = :profile ORDER BY message, kind
                """
        ),
        own("removed_push_arrivals"), own("campaign_entries"), own("withheld_messages"),
        own("pending_triggers"), own("send_properties"),
        Part(
            name: "journey_entries",
            sql: """
                SELECT journeys.name AS journey, journey_entries.* FROM journey_entries
                JOIN journeys ON journeys.id = journey_id
                WHERE profile_id = :profile ORDER BY journey_entries.id
                """
        ),
        Part(
            name: "journey_passages",
            sql: """
                SELECT journey_passages.* FROM journey_entries
                CROSS JOIN journey_passages ON entry_id = journey_entries.id
                WHERE profile_id = :profile ORDER BY entry_id, journey_passages.number
                """
        ),
        own("journey_requests"), own("journey_members"),
        Part(
            name: "send_recipients",
            sql: """
                SELECT send_recipients.* FROM sends CROSS JOIN send_recipients
                    ON send_id = sends.id AND profile_id = :profile
                ORDER BY send_id
                """
        ),
        Part(
            name: "news_reads",
            sql: """
                SELECT news_reads.*, news.content ->> '$.title' AS title
                FROM news_reads LEFT JOIN news ON news.id = news_id
                WHERE profile_id = :profile ORDER BY news_id
                """
        ),
        Part(
            name: "lists",
            sql: """
                SELECT name FROM user_list_members JOIN user_lists ON user_lists.id = list_id
                WHERE profile_id = :profile ORDER BY name
                """
        ),
    ]

    private static func own(_ table: String) -> Part {
        Part(name: table, sql: "SELECT * FROM \(table) WHERE profile_id = :profile ORDER BY 1, 2")
    }

    /// A row in readable form: times in ISO 8601, identifiers as UUIDs, stored JSON as JSON.
    static func json(_ row: Row) throws -> JSONValue {
        var members: [String: JSONValue] = [:]
        for (column, value) in zip(row.columnNames, row.databaseValues) {
            switch value {
            case .null: continue
            case .integer(let number):
                members[column] =
                    column == "time" || column.hasSuffix("_at")
                    ? .string(Timestamp.format(Date(milliseconds: number))) : .integer(number)
            case .double(let number): members[column] = .number(number)
            case .text(let text):
                members[column] =
                    text.hasPrefix("{") ? .object(try StoredJSON.object(text)) : .string(text)
            case .bytes(let data):
                members[column] = .string(
                    UUID.fromDatabaseValue(value)?.uuidString.lowercased()
                        ?? data.base64EncodedString()
                )
            }
        }
        return .object(members)
    }
}
