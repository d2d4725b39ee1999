import Foundation
import Model
import NoroshiWire
import Ports
import Relational

/// Removes reports of in-app messages that are old, message by message and kind by kind in the order
/// of time, and keeps what they say together: of each user how many they were, and when first and
/// last, and their number in each quarter of an hour.
///
/// Impressions of messages with a goal stay, whole: who reached it is counted from rows.
struct InAppReportRemoval {
    /// The reports of one message and kind that are looked at, and from when on.
    struct Place {
        var message = ""
        var kind = ""
        var time = Int64.min

        var isBeginning: Bool { message.isEmpty && kind.isEmpty }
    }

    private struct Subject: Hashable {
        var button: String?
        var variant: String?
    }

    /// The rows that go together.
    private struct Found {
        var rows: [Int64] = []
        var users: [Subject: [Int64: RemovedSum]] = [:]
        var quarters: [Subject: [Int64: Int]] = [:]
        var lastTime = Int64.min
        var looked = 0
    }

    private static let impression = SDKRecord.InAppMessageInteraction.Kind.impression.rawValue

    private let database: Database
    private let workspace: WorkspaceID
    private let unreadable: UnreadableRows

    init(_ database: Database, in workspace: WorkspaceID, _ unreadable: UnreadableRows) {
        self.database = database
        self.workspace = workspace
        self.unreadable = unreadable
    }

    /// Looks at the next rows.
    ///
    /// - Returns: Where to go on, `nil` at the end, and how many rows were removed.
    func step(
        after start: Place,
        before limit: Int64,
        lookingAt count: Int
    ) throws -> (place: Place?, removed: Int) {
        // SQLite would give the number of the last row to the next one.
        let last = try database.last(of: "in_app_message_interactions")
        let withGoal = try messagesWithGoal()
        var place = start
        var (looked, removed) = (0, 0)
        while looked < count {
            let stays = place.kind == Self.impression && withGoal.contains(place.message)
            if !place.isBeginning, !stays {
                let asked = count - looked
                let found = try read(place, before: limit, except: last, atMost: asked)
                try sumUp(found, of: place)
                try database.execute(
                    sql: """
                        DELETE FROM in_app_message_interactions
                        WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                        """,
                    arguments: [try StoredJSON.text(found.rows)]
                )
                removed += found.rows.count
                looked += found.looked
                if found.looked == asked {
                    // What could not be removed is not looked at again.
                    place.time = found.lastTime + (found.rows.isEmpty ? 1 : 0)
                    continue
                }
            }
            looked += 1
            guard let next = try nextPlace(after: place) else { return (nil, removed) }
            place = next
        }
        return (place, removed)
    }

    private func nextPlace(after place: Place) throws -> Place? {
        try Row.fetchOne(
            try database.cachedStatement(
                sql: """
                    SELECT message_id, kind
                    FROM in_app_message_interactions
                        INDEXED BY in_app_message_interactions_by_message
                    WHERE workspace_id = ? AND (message_id, kind) > (?, ?)
                    ORDER BY message_id, kind LIMIT 1
                    """
            ),
            arguments: [workspace.rawValue, place.message, place.kind]
        ).map { Place(message: $0[0], kind: $0[1]) }
    }

    private func messagesWithGoal() throws -> Set<String> {
        let ids = try UUID.fetchAll(
            database,
            sql: "SELECT api_id FROM in_app_messages WHERE workspace_id = ? AND goal IS NOT NULL",
            arguments: [workspace.rawValue]
        )
        return Set(ids.map { $0.uuidString.lowercased() })
    }

    private func read(
        _ place: Place,
        before limit: Int64,
        except last: Int64,
        atMost count: Int
    ) throws -> Found {
        var found = Found()
        let rows = try Row.fetchCursor(
            try database.cachedStatement(
                sql: """
                    SELECT id, time, profile_id, button, variant
                    FROM in_app_message_interactions
                        INDEXED BY in_app_message_interactions_by_message
                    WHERE workspace_id = ? AND message_id = ? AND kind = ?
                        AND time >= ? AND time < ?
                    ORDER BY time LIMIT ?
                    """
            ),
            arguments: [
                workspace.rawValue, place.message, place.kind, place.time, limit, count,
            ]
        )
        while let row = try rows.next() {
            found.looked += 1
            let id: Int64 = row[0]
            let told: Int64 = row[1]
            found.lastTime = told
            guard id != last else { continue }
            // What cannot be read stays, so that it can be mended.
            let readable = try unreadable.value("in_app_message_interactions", id) {
                try StoredTime.check(told)
                return told
            }
            guard let time = readable else { continue }
            found.rows.append(id)
            let subject = Subject(button: row[3], variant: row[4])
            found.users[subject, default: [:]].add(time, for: row[2])
            found.quarters[subject, default: [:]][QuarterDays.quarter(of: time), default: 0] += 1
        }
        return found
    }

    private func sumUp(_ found: Found, of place: Place) throws {
        let quarter = try database.cachedStatement(
            sql: """
                INSERT INTO removed_in_app_counts (subject_id, quarter, count) VALUES (?, ?, ?)
                ON CONFLICT (subject_id, quarter)
                    DO UPDATE SET count = removed_in_app_counts.count + excluded.count
                """
        )
        for (subject, users) in found.users {
            let number = try number(of: subject, place)
            let sums = users.lazy.map { (user: $0.key, key: number, sum: $0.value) }
            try RemovedSum.add(sums, to: "removed_in_app_reports", by: "subject_id", database)
            for (start, count) in found.quarters[subject] ?? [:] {
                try quarter.execute(arguments: [number, start, count])
            }
        }
    }

    private func number(of subject: Subject, _ place: Place) throws -> Int64 {
        let arguments: StatementArguments = [
            workspace.rawValue, place.message, place.kind, subject.button, subject.variant,
        ]
        let known = try Int64.fetchOne(
            try database.cachedStatement(
                sql: """
                    SELECT id FROM removed_in_app_subjects
                    WHERE workspace_id = ? AND message_id = ? AND kind = ? AND button IS ?
                        AND variant IS ?
                    """
            ),
            arguments: arguments
        )
        if let known { return known }
        return try Int64.fetchOnly(
            database,
            sql: """
                INSERT INTO removed_in_app_subjects
                    (workspace_id, message_id, kind, button, variant) VALUES (?, ?, ?, ?, ?)
                RETURNING id
                """,
            arguments: arguments
        )
    }
}

extension InAppReportRemoval.Place: DatabaseValueConvertible {
    /// The time, the kind and the message with spaces between them.
    var databaseValue: DatabaseValue { "\(time) \(kind) \(message)".databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        let parts = String.fromDatabaseValue(value)?
            .split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard let parts, parts.count == 3, let time = Int64(parts[0]) else { return nil }
        return Self(message: String(parts[2]), kind: String(parts[1]), time: time)
    }
}
