import Foundation
import Model
import Relational

/// Finds the users who reached the goal of an in-app message in the stored events: who did it within
/// the window after the message was shown to them, both ends included. Members of the control group
/// did so after the message would have been shown.
struct InAppConversionRows {
    let message: UUID
    let workspace: WorkspaceID
    let database: Database

    /// Users by whether they saw the message or only would have.
    struct Users {
        var shown: Set<Int64> = []
        var control: Set<Int64> = []
        /// Of the workspace's control group.
        var withheld: Set<Int64> = []
    }

    /// The variants of reports of what was not shown, as a list in SQL.
    static let unseen = "('\(InAppExperiment.controlName)', '\(InAppExperiment.withheldName)')"

    func users(by goal: ConversionEvent) throws -> Users {
        try users(by: goal, numbers: nil)
    }

    /// Members of the workspace's control group to whom the message would have been shown, without
    /// those for whom there is any other report of it.
    func withheld(goal: ConversionEvent?) throws -> InAppGroupCounts {
        let reports = InAppReports(of: message, in: workspace, database)
        let users = try Int64.fetchSet(
            database,
            sql: """
                SELECT profile_id FROM \(reports.source())
                WHERE kind = 'impression' AND profile_id <> 0
                GROUP BY profile_id
                HAVING min(iif(variant IS '\(InAppExperiment.withheldName)', 1, 0)) = 1
                    AND NOT (:goal AND max(is_removed) = 1)
                """,
            arguments: reports.arguments + ["goal": goal != nil]
        )
        // Without any, the events of everybody need not be looked at.
        let converted: Set<Int64> =
            users.isEmpty ? [] : try goal.map { try self.users(by: $0).withheld } ?? []
        return InAppGroupCounts(
            users: users.count,
            clicked: 0,
            converted: users.intersection(converted).count
        )
    }

    /// - Parameter numbers: Of the contents that count as shown; `nil` means all of them.
    func users(
        by goal: ConversionEvent,
        numbers: [Int]?
    ) throws -> Users {
        // From each event to what was shown to its user before: the other way round each time that
        // the message was shown would look through the events of everybody.
        let rows = try Row.fetchCursor(
            database,
            sql: """
                WITH showings AS MATERIALIZED (
                    SELECT profile_id, time,
                        CASE WHEN variant IN \(Self.unseen) THEN variant END AS unseen
                    FROM in_app_message_interactions
                    WHERE workspace_id = :workspace AND message_id = :message
                        AND kind = 'impression' AND profile_id <> 0
                        AND (:variants IS NULL OR variant = 'control'
                            OR variant IN (SELECT value FROM json_each(:variants)))
                )
                SELECT events.id, events.profile_id, unseen, properties
                FROM events CROSS JOIN showings ON showings.profile_id = events.profile_id
                    AND showings.time <= events.time AND events.time <= showings.time + :window
                WHERE events.name_id = (
                        SELECT id FROM event_names WHERE workspace_id = :workspace AND name = :name)
                    AND \(EventTimes.since("(SELECT min(time) FROM showings)"))
                """,
            arguments: [
                "workspace": workspace.rawValue, "message": message.uuidString.lowercased(),
                "variants": try numbers.map { try StoredJSON.text($0.map(String.init)) },
                "window": Int64(goal.window * 1000), "name": goal.event.eventName,
            ]
        )
        var found = Users()
        var latest: (event: Int64, matches: Bool)?
        while let row = try rows.next() {
            let user: Int64 = row["profile_id"]
            let group: WritableKeyPath<Users, Set<Int64>> =
                switch row["unseen"] as String? {
                case nil: \.shown
                case InAppExperiment.withheldName: \.withheld
                default: \.control
                }
            guard !found[keyPath: group].contains(user) else { continue }
            let event: Int64 = row["id"]
            if latest?.event != event { latest = (event, try matches(row, goal.event)) }
            guard latest?.matches == true else { continue }
            found[keyPath: group].insert(user)
        }
        return found
    }

    private func matches(_ row: Row, _ event: EventMatch) throws -> Bool {
        if event.countsEveryEvent { return true }
        let properties = try StoredJSON.object(row["properties"])
        return event.matches(name: event.eventName, properties: properties)
    }
}
