import Foundation
import GRDB
import Model

/// Finds the users who reached the goal of an in-app message in the stored events: who did it within
/// the window after the message was shown to them, both ends included. Members of the control group
/// did so after the message would have been shown.
struct InAppConversionRows {
    let message: UUID
    let workspace: WorkspaceID
    let database: Database

    func users(by goal: ConversionEvent) throws -> (shown: Set<Int64>, control: Set<Int64>) {
        try users(by: goal, numbers: nil)
    }

    /// - Parameter numbers: Of the contents that count as shown; `nil` means all of them.
    func users(
        by goal: ConversionEvent,
        numbers: [Int]?
    ) throws -> (shown: Set<Int64>, control: Set<Int64>) {
        // From each event to what was shown to its user before: the other way round each time that
        // the message was shown would look through the events of everybody.
        let rows = try Row.fetchCursor(
            database,
            sql: """
                WITH showings AS MATERIALIZED (
                    SELECT profile_id, time, variant IS 'control' AS is_control
                    FROM in_app_message_interactions
                    WHERE workspace_id = :workspace AND message_id = :message
                        AND kind = 'impression' AND profile_id <> 0
                        AND (:variants IS NULL OR variant = 'control'
                            OR variant IN (SELECT value FROM json_each(:variants)))
                )
                SELECT events.id, events.profile_id, is_control, properties
                FROM events CROSS JOIN showings ON showings.profile_id = events.profile_id
                    AND showings.time <= events.time AND events.time <= showings.time + :window
                WHERE events.name_id = (
                        SELECT id FROM event_names WHERE workspace_id = :workspace AND name = :name)
                    AND events.time >= (SELECT min(time) FROM showings)
                """,
            arguments: [
                "workspace": workspace.rawValue, "message": message.uuidString.lowercased(),
                "variants": try numbers.map { try StoredJSON.text($0.map(String.init)) },
                "window": Int64(goal.window * 1000), "name": goal.event.eventName,
            ]
        )
        var found: (shown: Set<Int64>, control: Set<Int64>) = ([], [])
        var latest: (event: Int64, matches: Bool)?
        while let row = try rows.next() {
            let user: Int64 = row["profile_id"]
            let isControl: Bool = row["is_control"]
            guard !(isControl ? found.control : found.shown).contains(user) else { continue }
            let event: Int64 = row["id"]
            if latest?.event != event { latest = (event, try matches(row, goal.event)) }
            guard latest?.matches == true else { continue }
            if isControl { found.control.insert(user) } else { found.shown.insert(user) }
        }
        return found
    }

    private func matches(_ row: Row, _ event: EventMatch) throws -> Bool {
        if event.countsEveryEvent { return true }
        let properties = try StoredJSON.object(row["properties"])
        return event.matches(name: event.eventName, properties: properties)
    }
}
