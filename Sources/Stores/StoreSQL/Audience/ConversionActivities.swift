import Model
import Ports
import Relational
import Segments

/// Conversions as activities: an event that a campaign aims for, by a user to whom it sent a
/// message. Users of the control group got no message and have none.
enum ConversionActivities {
    /// - Parameter campaigns: Ids of campaigns; empty means all of them.
    static func events(
        of campaigns: [String],
        in workspace: WorkspaceID,
        by profile: ProfileID?,
        _ database: Database,
        _ unreadable: UnreadableRows
    ) throws -> [AudienceEvent] {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT id, content FROM campaigns WHERE workspace_id = ? ORDER BY id",
            arguments: [workspace.rawValue]
        )
        var events: [AudienceEvent] = []
        for row in rows {
            let id: Int64 = row["id"]
            let name = String(id)
            guard campaigns.isEmpty || campaigns.contains(name) else { continue }
            let stored = try unreadable.value("campaigns", id) {
                try StoredJSON.value(row["content"], as: CampaignContent.self)
            }
            guard let content = stored else { continue }
            for wanted in content.conversions {
                let found = try ConversionRows(database: database, profile: profile).conversions(
                    of: CampaignID(id),
                    by: wanted.event,
                    within: wanted.window
                )
                for one in found where !one.isControl {
                    events.append(
                        AudienceEvent(
                            profile: one.conversion.profile.rawValue,
                            activity: .message(.converted, campaign: name),
                            time: one.conversion.convertedAt.milliseconds.secondsFromMilliseconds
                        )
                    )
                }
            }
        }
        return events
    }
}
