import Foundation
import Model
import NoroshiWire
import Ports
import Relational

/// Removes reports of pushes that are old, user by user in the order of time, and keeps what they say
/// together: of each user and message how many they were, and when first and last. When each push came
/// is kept too, until the push is closed: it decides which sessions are influenced by it.
///
/// The dispatches stay, with the first times of each: all figures of pushes are counted from them
/// (`DispatchRemoval` removes them later).
struct PushReportRemoval {
    /// The last report that a pass has looked at.
    struct Place {
        var profile: Int64 = .min
        var time: Int64 = .min
        var id: Int64 = .min
    }

    private struct Subject: Hashable {
        var kind: String
        var message: String
    }

    private struct Arrival {
        var time: Int64
        var send: Int64
        var device: Int64
    }

    /// The rows of one user that go together.
    private struct Found {
        var rows: [Int64] = []
        var sums: [Subject: RemovedSum] = [:]
        var arrivals: [Arrival] = []
        var looked = 0
        var last: Place
    }

    private static let received = SDKRecord.PushInteraction.Kind.received.rawValue

    private let database: Database
    private let workspace: WorkspaceID
    private let unreadable: UnreadableRows

    init(_ database: Database, in workspace: WorkspaceID, _ unreadable: UnreadableRows) {
        self.database = database
        self.workspace = workspace
        self.unreadable = unreadable
    }

    /// Since when all reports of a workspace are there; `nil` if none were removed. What happened
    /// before counts as summed up, wherever its row is.
    static func keptSince(in workspace: WorkspaceID, _ database: Database) throws -> Int64? {
        try RetentionPass.fetch(.pushReports, in: workspace, database)?.keptSince
    }

    /// The row up to which a pass that begins now removes: what all who follow the reports row by row
    /// have seen. Those that were there when the pass before began have been seen by who looks now and
    /// then; the columns, which may be behind, are waited for.
    ///
    /// - Parameter followed: The last report that the columns have; `nil` if none follow.
    func settled(afterPassThatBeganAt row: Int64?, followedThrough followed: Int64?) throws -> Int64
    {
        let former =
            try row
            ?? Int64.fetchOnly(
                database,
                sql: "SELECT id FROM retired_ids WHERE kind = 'settled_push_reports'"
            )
        // The last row stays, because SQLite would give its number to the next one.
        let last = try database.last(of: "push_interactions") - 1
        return min(former, followed ?? former, last)
    }

    /// Looks at the next rows.
    ///
    /// - Returns: Where to go on, `nil` at the end, and how many rows were removed.
    func step(
        after start: Place,
        before limit: Int64,
        through settled: Int64,
        lookingAt count: Int
    ) throws -> (place: Place?, removed: Int) {
        var place = start
        var (looked, removed) = (0, 0)
        while looked < count {
            if try isOfWorkspace(place.profile) {
                let asked = count - looked
                let found = try read(after: place, before: limit, through: settled, atMost: asked)
                try sumUp(found, of: place.profile)
                try remove(found)
                removed += found.rows.count
                looked += found.looked
                place = found.last
                if found.looked == asked { return (place, removed) }
            }
            looked += 1
            guard let next = try nextUser(after: place.profile) else { return (nil, removed) }
            place = Place(profile: next)
        }
        return (place, removed)
    }

    private func nextUser(after profile: Int64) throws -> Int64? {
        try Int64.fetchOne(
            try database.cachedStatement(
                sql: """
                    SELECT profile_id FROM push_interactions INDEXED BY push_interactions_by_profile
                    WHERE profile_id > ? ORDER BY profile_id LIMIT 1
                    """
            ),
            arguments: [profile]
        )
    }

    private func isOfWorkspace(_ profile: Int64) throws -> Bool {
        try Bool.fetchOne(
            try database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT TRUE FROM profiles WHERE id = ? AND workspace_id = ?)
                    """
            ),
            arguments: [profile, workspace.rawValue]
        ) ?? false
    }

    private func read(
        after place: Place,
        before limit: Int64,
        through settled: Int64,
        atMost count: Int
    ) throws -> Found {
        var found = Found(last: place)
        let rows = try Row.fetchCursor(
            try database.cachedStatement(
                sql: """
                    SELECT push_interactions.id, push_interactions.time, kind, send_id, device_id,
                        \(MessageActivities.message), sends.id IS NOT NULL,
                        EXISTS (SELECT TRUE FROM closed_ledgers
                            WHERE closed_ledgers.send_id = push_interactions.send_id)
                    FROM push_interactions INDEXED BY push_interactions_by_profile
                    LEFT JOIN sends ON sends.id = send_id
                    WHERE profile_id = ? AND (push_interactions.time, push_interactions.id) > (?, ?)
                        AND push_interactions.time < ?
                    ORDER BY push_interactions.time, push_interactions.id LIMIT ?
                    """
            ),
            arguments: [place.profile, place.time, place.id, limit, count]
        )
        while let row = try rows.next() {
            found.looked += 1
            let id: Int64 = row[0]
            let told: Int64 = row[1]
            found.last = Place(profile: place.profile, time: told, id: id)
            guard id <= settled else { continue }
            // What cannot be read stays, so that it can be mended.
            let readable = try unreadable.value("push_interactions", id) {
                try StoredTime.check(told)
                return told
            }
            guard let time = readable else { continue }
            found.rows.append(id)
            let kind: String = row[2]
            // Nobody asks about a message that is not there.
            if row[6] {
                found.sums.add(time, for: Subject(kind: kind, message: row[5]))
            }
            guard kind == Self.received, !row[7] else { continue }
            found.arrivals.append(Arrival(time: time, send: row[3], device: row[4]))
        }
        return found
    }

    private func sumUp(_ found: Found, of profile: Int64) throws {
        let sums = try found.sums.map { subject, sum in
            (user: profile, key: try number(of: subject), sum: sum)
        }
        try RemovedSum.add(sums, to: "removed_push_reports", by: "subject_id", database)
        let arrivals = try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO removed_push_arrivals (profile_id, time, send_id, device_id)
                VALUES (?, ?, ?, ?)
                """
        )
        for arrival in found.arrivals {
            try arrivals.execute(arguments: [profile, arrival.time, arrival.send, arrival.device])
        }
    }

    private func number(of subject: Subject) throws -> Int64 {
        let arguments: StatementArguments = [workspace.rawValue, subject.kind, subject.message]
        let known = try Int64.fetchOne(
            try database.cachedStatement(
                sql: """
                    SELECT id FROM removed_push_subjects
                    WHERE workspace_id = ? AND kind = ? AND message = ?
                    """
            ),
            arguments: arguments
        )
        if let known { return known }
        return try Int64.fetchOnly(
            database,
            sql: """
                INSERT INTO removed_push_subjects (id, workspace_id, kind, message)
                VALUES ((SELECT coalesce(max(id), 0) + 1 FROM removed_push_subjects), ?, ?, ?)
                RETURNING id
                """,
            arguments: arguments
        )
    }

    private func remove(_ found: Found) throws {
        guard !found.rows.isEmpty else { return }
        try database.execute(
            sql: """
                DELETE FROM push_interactions
                WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                """,
            arguments: [try StoredJSON.text(found.rows)]
        )
    }
}

extension PushReportRemoval.Place: DatabaseValueConvertible {
    /// Three numbers with spaces between them.
    var databaseValue: DatabaseValue { "\(profile) \(time) \(id)".databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        let numbers = String.fromDatabaseValue(value)?.split(separator: " ").compactMap {
            Int64($0)
        }
        guard let numbers, numbers.count == 3 else { return nil }
        return Self(profile: numbers[0], time: numbers[1], id: numbers[2])
    }
}
