import Model
import Relational
import Segments

/// Maps the number of an event's name to its activity. Names that begin with a dollar sign are
/// reserved for the server.
enum ActivityNames {
    struct Name: Sendable {
        var workspace: WorkspaceID
        var activity: Activity
    }

    /// All names by number.
    static func all(_ database: Database) throws -> [Int64: Name] {
        var names: [Int64: Name] = [:]
        try RawRows.forEach(
            database,
            sql: "SELECT id, workspace_id, name FROM event_names",
            arguments: []
        ) { row in
            if let activity = activity(named: row.text(2) ?? "") {
                names[row.integer(0)] = Name(
                    workspace: WorkspaceID(row.integer(1)),
                    activity: activity
                )
            }
            return true
        }
        return names
    }

    private static func activity(named name: String) -> Activity? {
        switch name {
        case "$purchase": .purchase
        case "$session_start": .session
        default: name.hasPrefix("$") ? nil : .event(name)
        }
    }
}

/// Interactions with messages as activities.
///
/// A message is named by the number of its campaign. A push without a campaign is named `push` and
/// its number; messages to named users, of which there may be millions, share the empty name.
enum MessageActivities {
    /// The name of the message of a row of `push_interactions` joined with `sends`.
    static let message = """
        CASE WHEN sends.campaign_id IS NOT NULL THEN CAST(sends.campaign_id AS TEXT)
            WHEN json_type(sends.content, '$.audience.profiles') IS NULL
            THEN 'push ' || push_interactions.send_id ELSE '' END
        """

    /// Columns of `push_interactions` joined with `sends`, in the order that `event` reads.
    static let columns = """
        push_interactions.id, sends.workspace_id, push_interactions.profile_id,
        push_interactions.time, push_interactions.kind, \(message)
        """

    /// `nil` for interactions that no filter uses.
    static func activity(_ kind: String?, of message: String) -> Activity? {
        switch kind {
        case "received": .message(.received, campaign: message)
        case "opened": .message(.opened, campaign: message)
        case "action": .message(.clicked, campaign: message)
        default: nil
        }
    }

    /// `nil` for interactions that no filter uses, and for those that cannot be read.
    static func event(_ row: RawRows, _ unreadable: UnreadableRows) throws -> AudienceEvent? {
        guard let activity = activity(row.text(4), of: row.text(5) ?? "") else { return nil }
        return try unreadable.value("push_interactions", row.integer(0)) {
            try StoredTime.check(row.integer(3))
            return AudienceEvent(
                profile: row.integer(2),
                activity: activity,
                time: row.integer(3).secondsFromMilliseconds
            )
        }
    }
}
