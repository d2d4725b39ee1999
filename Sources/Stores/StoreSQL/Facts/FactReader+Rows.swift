import Foundation
import Model
import NoroshiWire
import Relational

/// Facts that are rows of other tables.
extension FactReader {
    func read(_ span: FactSpan, rows: ClosedRange<Int64>) throws {
        switch span.stream {
        case .profiles: try readUsers(span, rows)
        case .sends: try readSends(span, rows)
        case .events: try readEvents(span, rows)
        case .inAppInteractions: try readInAppInteractions(span, rows)
        case .audit: try readAudit(span, rows)
        case .pushInteractions: try readPushInteractions(span, rows)
        case .log: break
        }
    }

    /// Hands over the rows of a query in order; `nil` leaves one out.
    private func each(
        _ span: FactSpan,
        _ rows: ClosedRange<Int64>,
        _ sql: String,
        _ read: (Row) throws -> (kind: Fact.Kind, fields: [String: JSONValue])
    ) throws {
        let table = span.stream.table
        let found = try Row.fetchCursor(
            database,
            sql: "\(sql) AND \(table).id BETWEEN :low AND :high ORDER BY \(table).id LIMIT :room",
            arguments: [
                "workspace": workspace.rawValue, "low": rows.lowerBound, "high": rows.upperBound,
                "room": room,
            ]
        )
        while let row = try found.next() {
            let id: Int64 = row["id"]
            let fact = try unreadable.value(table, id) { try read(row) }
            if let fact { add(span.first + (id - span.row), fact.kind, fact.fields) }
        }
    }

    private func readUsers(_ span: FactSpan, _ rows: ClosedRange<Int64>) throws {
        try each(
            span,
            rows,
            """
            SELECT id, public_id, external_id, created_at FROM profiles
            WHERE workspace_id = :workspace
            """
        ) { row in
            let fields = try Self.user(row).merging([
                "time": FactValue.time(row, "created_at")
            ]) { $1 }
            return (.user, fields)
        }
    }

    private func readSends(_ span: FactSpan, _ rows: ClosedRange<Int64>) throws {
        try each(span, rows, SendOfFact.sql + " WHERE sends.workspace_id = :workspace") { row in
            let name = try StoredUUID.value(row, "public_id").uuidString.lowercased()
            let fields = try SendOfFact(row: row).fields.merging([
                "time": FactValue.time(row, "created_at"),
                "scheduled_at": FactValue.time(row, "scheduled_at"),
                "dispatch_id": .string(name.replacing("-", with: "")),
            ]) { $1 }
            return (.send, fields)
        }
    }

    private func readEvents(_ span: FactSpan, _ rows: ClosedRange<Int64>) throws {
        let wanted = span.stream.kinds.intersection(kinds)
        let told = Self.eventKinds.filter { wanted.contains($0.value) }.keys.map { "'\($0)'" }
        // A list must not be empty.
        let names = told.isEmpty ? "NULL" : told.joined(separator: ",")
        let others =
            wanted.contains(.event)
            ? "OR event_names.name NOT IN ("
                + Self.eventKinds.keys.map { "'\($0)'" }.joined(separator: ",") + ")" : ""
        try each(
            span,
            rows,
            """
            SELECT events.id AS id, event_names.name AS name, time, public_id, external_id,
                properties, bundle_id
            FROM events CROSS JOIN event_names ON event_names.id = name_id
            CROSS JOIN profiles ON profiles.id = profile_id
            LEFT JOIN apps ON apps.id = app_id
            WHERE event_names.workspace_id = :workspace
                AND (event_names.name IN (\(names)) \(others))
            """
        ) { row in
            let name: String = row["name"]
            let kind = Self.eventKinds[name] ?? .event
            var fields = try Self.user(row)
            fields["time"] = FactValue.time(row, "time")
            fields["app"] = FactValue.text(row, "bundle_id")
            var properties = try StoredJSON.object(row["properties"])
            switch kind {
            case .purchase:
                for field in ["product_id", "currency", "price", "quantity"] {
                    fields[field] = properties.removeValue(forKey: field) ?? .null
                }
                fields["properties"] = .object(properties)
            case .session, .uninstall: break
            default:
                fields["name"] = .string(name)
                fields["properties"] = .object(properties)
            }
            return (kind, fields)
        }
    }

    private static let eventKinds: [String: Fact.Kind] = [
        "$purchase": .purchase, "$session_start": .session, Uninstall.eventName: .uninstall,
    ]

    private func readInAppInteractions(_ span: FactSpan, _ rows: ClosedRange<Int64>) throws {
        try each(
            span,
            rows,
            """
            SELECT in_app_message_interactions.id AS id, message_id, kind, button, variant, time,
                public_id, external_id
            FROM in_app_message_interactions CROSS JOIN profiles ON profiles.id = profile_id
            WHERE in_app_message_interactions.workspace_id = :workspace
            """
        ) { row in
            let fields = try Self.user(row).merging([
                "time": FactValue.time(row, "time"),
                "in_app_message_id": FactValue.text(row, "message_id"),
                "interaction": FactValue.text(row, "kind"),
                "button": FactValue.text(row, "button"),
                "variant": FactValue.text(row, "variant"),
            ]) { $1 }
            return (.inAppInteraction, fields)
        }
    }

    private func readAudit(_ span: FactSpan, _ rows: ClosedRange<Int64>) throws {
        try each(
            span,
            rows,
            "SELECT * FROM audit_log WHERE workspace_id = :workspace"
        ) { row in
            let fields = [
                "time": FactValue.time(row, "at"),
                "origin": FactValue.text(row, "origin"),
                "author": FactValue.text(row, "author"),
                "action": FactValue.text(row, "action"),
                "subject": FactValue.text(row, "subject"),
                "detail": FactValue.text(row, "detail"),
            ]
            return (.audit, fields)
        }
    }

    private func readPushInteractions(_ span: FactSpan, _ rows: ClosedRange<Int64>) throws {
        try each(
            span,
            rows,
            """
            SELECT push_interactions.id AS id, send_id, device_id, kind, action, page, time,
                profiles.public_id AS public_id, external_id
            FROM push_interactions CROSS JOIN sends ON sends.id = send_id
            CROSS JOIN profiles ON profiles.id = profile_id
            WHERE sends.workspace_id = :workspace
            """
        ) { row in
            let send = try self.send(row["send_id"])
            var fields = try Self.user(row).merging(send.fields) { $1 }
            fields["message_id"] = self.message(send.number, row["device_id"])
            fields["time"] = FactValue.time(row, "time")
            fields["interaction"] = FactValue.text(row, "kind")
            fields["action"] = FactValue.text(row, "action")
            fields["page"] = FactValue.number(row, "page")
            return (.pushInteraction, fields)
        }
    }

    /// The name of a message, by which its facts join.
    func message(_ send: Int64, _ device: Int64) -> JSONValue {
        .string(
            DispatchID(workspace: workspace, send: SendID(send), device: DeviceID(device))
                .description
        )
    }

    /// The user of a row, as of now.
    static func user(_ row: Row) throws -> [String: JSONValue] {
        [
            "user_id": try FactValue.id(row, "public_id"),
            "external_id": FactValue.text(row, "external_id"),
        ]
    }
}
