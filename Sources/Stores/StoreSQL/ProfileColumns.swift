import Foundation
import Model
import Relational

/// Every column that contains the id of a user, and how it is handled when the user is merged into
/// another one or deleted. A test compares the list with the schema.
struct ProfileColumns {
    struct Column: Hashable {
        var table: String
        var column = "profile_id"
        var handling: Handling
    }

    enum Handling: Hashable {
        /// What the user did; `ActivityRows` finds the rows. They are deleted with the user.
        case activity
        /// A dispatch: it stays without its user, so that the counts do not change.
        case ledger
        /// Every row moves.
        case each
        /// The row moves unless the other user has one with the same key; then that one is kept.
        case oneEach(key: String)
        /// Moves like `oneEach`; but a user who got the message is not in that send's control
        /// group.
        case entry
        /// What became of a removed message: what both users got of one send is one row.
        case removedMessage
        /// Moves like `oneEach`; but a user who got the message was not withheld it.
        case withheld
        /// Like `oneEach`, send by send: the table has no index by user.
        case oneEachOfSend
        /// The row moves and keeps the earlier of both times.
        case newsRead
        /// An entry into a journey: it moves under a number of its own. Who is inside one journey
        /// twice then stays in the one of the other user.
        case journeyEntry
        /// The row moves, and a note tells the user index, which stores each list as a whole.
        case listMember
        /// Sums of removed events or reports by a key: those of both users are added up.
        case sums(key: String)
        /// The same of reports of in-app messages, subject by subject: they have no index by user.
        case sumsOfSubject
        /// The sessions of both users are merged in chronological order.
        case session
        /// The user of a device; `none` is the value that stands for no user.
        case mark(none: Int64?)
        /// Notes for the user index and for readers of facts, which themselves name the user:
        /// `merged_users` says who a merged one is, and of a deleted one nothing is told.
        case note
    }

    static let all: [Column] = [
        Column(table: "events", handling: .activity),
        Column(table: "push_interactions", handling: .activity),
        Column(table: "in_app_message_interactions", handling: .activity),
        Column(table: "removed_activity", handling: .sums(key: "name_id")),
        Column(table: "removed_sessions", handling: .sums(key: "app_id")),
        Column(table: "removed_in_app_reports", handling: .sumsOfSubject),
        Column(table: "removed_push_reports", handling: .sums(key: "subject_id")),
        Column(
            table: "removed_push_arrivals",
            handling: .oneEach(key: "time, send_id, device_id")
        ),
        Column(table: "dispatches", handling: .ledger),
        Column(table: "removed_dispatches", handling: .sums(key: "outcome")),
        Column(table: "devices", column: "proved_for", handling: .mark(none: nil)),
        Column(table: "devices", column: "nameless_became", handling: .mark(none: 0)),
        Column(table: "devices", handling: .each),
        Column(table: "former_external_ids", handling: .each),
        Column(table: "former_anonymous_ids", handling: .each),
        Column(table: "aliases", handling: .oneEach(key: "label")),
        // Before the entries, by which they are found.
        Column(table: "removed_recipients", handling: .removedMessage),
        Column(table: "campaign_entries", handling: .entry),
        Column(table: "withheld_messages", handling: .withheld),
        Column(table: "send_properties", handling: .oneEach(key: "send_id")),
        Column(table: "pending_triggers", handling: .oneEach(key: "campaign_id, event_id")),
        Column(table: "send_recipients", handling: .oneEachOfSend),
        Column(table: "journey_entries", handling: .journeyEntry),
        Column(table: "journey_requests", handling: .each),
        Column(table: "journey_members", handling: .oneEach(key: "journey_id")),
        Column(table: "news_reads", handling: .newsRead),
        Column(table: "user_sessions", handling: .session),
        Column(table: "user_list_members", handling: .listMember),
        Column(table: "profile_changes", handling: .note),
        Column(table: "profile_changes", column: "other", handling: .note),
        Column(table: "fact_log", handling: .note),
        Column(table: "merged_users", handling: .note),
    ]

    private static let inAppSubjects =
        "SELECT id FROM removed_in_app_subjects WHERE workspace_id = ?"

    private let database: Database
    private let workspace: WorkspaceID

    init(_ database: Database, in workspace: WorkspaceID) {
        self.database = database
        self.workspace = workspace
    }

    // MARK: Merging

    func move(
        from source: ProfileID,
        to target: ProfileID,
        _ activity: inout ActivityRows
    ) throws {
        try activity.move(from: source, to: target, database)
        try RemovedActivity(database).fold(of: source)
        for column in Self.all {
            switch column.handling {
            case .activity, .note: break
            case .ledger:
                try DeviceDispatches(database, in: workspace).move(from: source, to: target)
            case .each, .mark:
                try update(column, from: source, to: target)
            case .oneEach(let key):
                try update(column, from: source, to: target, unlessTaken: key)
            case .removedMessage:
                try RemovedRecipients(database).move(from: source, to: target)
            case .entry:
                try database.execute(
                    sql: """
                        DELETE FROM campaign_entries
                        WHERE profile_id = ? AND is_control AND send_id IN (
                            SELECT send_id FROM campaign_entries
                            WHERE profile_id = ? AND NOT is_control)
                        """,
                    arguments: [target.rawValue, source.rawValue]
                )
                try update(column, from: source, to: target, unlessTaken: "send_id")
            case .withheld:
                try update(column, from: source, to: target, unlessTaken: "send_id")
                // The dispatches have moved already.
                try database.execute(
                    sql: """
                        DELETE FROM withheld_messages
                        WHERE profile_id = ?1 AND (EXISTS (
                            SELECT TRUE FROM \(OpenSends.rowsOfUser)
                            WHERE dispatches.send_id = withheld_messages.send_id
                                AND dispatches.profile_id = ?1)
                            OR EXISTS (
                                SELECT TRUE FROM removed_recipients
                                WHERE removed_recipients.send_id = withheld_messages.send_id
                                    AND removed_recipients.profile_id = ?1))
                        """,
                    arguments: [target.rawValue]
                )
            case .oneEachOfSend:
                try update(
                    column,
                    from: source,
                    to: target,
                    unlessTaken: "send_id",
                    where: "send_id IN (\(RecipientSnapshotSchema.sends))",
                    [workspace.rawValue]
                )
            case .journeyEntry: try JourneyEntryMerge(database).move(from: source, to: target)
            case .newsRead: try NewsReads.move(from: source, to: target, database)
            case .session: try UserSessions(of: target, database).absorb(source)
            case .sums(let key): try addSums(column.table, key, of: source, to: target)
            case .sumsOfSubject:
                try addSums(
                    column.table,
                    "subject_id",
                    of: source,
                    to: target,
                    where: "subject_id IN (\(Self.inAppSubjects))",
                    [workspace.rawValue]
                )
            case .listMember:
                try ChangeLogWriter(database, in: workspace).merged(source, into: target)
            }
        }
        try InfluencedOpens(of: target, database).recompute()
        try moveNamedRecipients(from: source, to: target)
        try deleteRest(of: source)
    }

    private func addSums(
        _ table: String,
        _ key: String,
        of source: ProfileID,
        to target: ProfileID,
        where condition: String = "TRUE",
        _ more: StatementArguments = []
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO \(table) (profile_id, \(key), count, first, last)
                SELECT ?, \(key), count, first, last FROM \(table)
                WHERE profile_id = ? AND \(condition)
                \(RemovedSum.adding(to: table, by: key))
                """,
            arguments: [target.rawValue, source.rawValue] + more
        )
    }

    /// Moves the user in scheduled sends, which name their recipients in their content.
    private func moveNamedRecipients(from source: ProfileID, to target: ProfileID) throws {
        let named = """
            SELECT CAST(value AS INTEGER) AS id FROM json_each(content, '$.audience.profiles._0')
            """
        try database.execute(
            sql: """
                UPDATE sends SET content = json_set(content, '$.audience.profiles._0', json((
                    SELECT json_group_array(id) FROM (
                        SELECT DISTINCT CASE id WHEN :source THEN :target ELSE id END AS id
                        FROM (\(named)) ORDER BY 1))))
                WHERE workspace_id = :workspace AND state IN ('scheduled', 'planning')
                    AND :source IN (\(named))
                """,
            arguments: [
                "source": source.rawValue, "target": target.rawValue,
                "workspace": workspace.rawValue,
            ]
        )
    }

    /// - Parameter key: What no two rows of a user have in common; `nil` if that is nothing.
    private func update(
        _ column: Column,
        from source: ProfileID,
        to target: ProfileID,
        unlessTaken key: String? = nil,
        where condition: String = "TRUE",
        _ more: StatementArguments = []
    ) throws {
        var sql = """
            UPDATE \(column.table) SET \(column.column) = ?
            WHERE \(column.column) = ? AND \(condition)
            """
        var arguments = [target.rawValue, source.rawValue] + more
        if let key {
            sql += """
                 AND (\(key)) NOT IN (
                    SELECT \(key) FROM \(column.table) WHERE \(column.column) = ?)
                """
            arguments += [target.rawValue]
        }
        try database.execute(sql: sql, arguments: arguments)
    }

    // MARK: Deleting

    /// Deletes the user and every row that depends on it.
    func delete(of profile: ProfileID, _ activity: ActivityRows, now: Date) throws {
        try activity.delete(of: profile, database)
        try RemovedActivity(database).fold(of: profile)
        let ledger = DeviceDispatches(database, in: workspace)
        try ledger.forget(profile, now: now)
        try ledger.keepPlatforms(ofDevicesOf: profile)
        try retireDevices(of: profile)
        try deleteRest(of: profile)
        try SQLStore.removeRehearsals(in: workspace, database)
    }

    private func retireDevices(of profile: ProfileID) throws {
        let last = try Int64.fetchOne(
            database,
            sql: "SELECT max(id) FROM devices WHERE profile_id = ?",
            arguments: [profile.rawValue]
        )
        if let last { try RowIDAllocator.retire(last, of: "devices", database) }
    }

    /// Deletes the rows that no other user takes over.
    private func deleteRest(of profile: ProfileID) throws {
        try RemovedSessions(database).willLeave(profile)
        for column in Self.all {
            switch column.handling {
            case .activity, .ledger, .note: break
            case .each, .oneEach, .entry, .withheld, .newsRead, .journeyEntry, .session, .sums,
                .listMember:
                try database.execute(
                    sql: "DELETE FROM \(column.table) WHERE \(column.column) = ?",
                    arguments: [profile.rawValue]
                )
            case .removedMessage: try RemovedRecipients(database).forget(profile)
            case .sumsOfSubject:
                try database.execute(
                    sql: """
                        DELETE FROM \(column.table)
                        WHERE profile_id = ? AND subject_id IN (\(Self.inAppSubjects))
                        """,
                    arguments: [profile.rawValue, workspace.rawValue]
                )
            case .oneEachOfSend:
                try database.execute(
                    sql: """
                        DELETE FROM \(column.table) WHERE \(column.column) = ?
                            AND send_id IN (\(RecipientSnapshotSchema.sends))
                        """,
                    arguments: [profile.rawValue, workspace.rawValue]
                )
            case .mark(let none):
                try database.execute(
                    sql: """
                        UPDATE \(column.table) SET \(column.column) = ? WHERE \(column.column) = ?
                        """,
                    arguments: [none, profile.rawValue]
                )
            }
        }
    }
}
