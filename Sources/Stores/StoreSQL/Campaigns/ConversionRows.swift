import Foundation
import Model
import NoroshiWire
import Ports
import Relational

/// Finds conversions in the stored events. A matching event is credited once, to the campaign's
/// latest message that reached its user within the window before it; a message has at most one
/// conversion, the first event credited to it.
struct ConversionRows {
    struct Found {
        var conversion: CampaignConversion
        var isControl: Bool
    }

    private struct Key: Hashable {
        var send: Int64
        var profile: Int64
    }

    let database: Database
    var trackingID: String?
    /// `nil` for all users.
    var profile: ProfileID?
    /// Whether a user whom the message has not reached converts by the time at which it was due.
    var countsUnreached = false

    func conversions(
        of campaign: CampaignID,
        by event: EventMatch,
        within window: TimeInterval
    ) throws -> [Found] {
        guard
            let bounds = try Row.fetchOne(
                database,
                sql: """
                    SELECT (SELECT id FROM event_names
                            WHERE event_names.workspace_id = campaigns.workspace_id
                            AND name = ?) AS name_id,
                        (SELECT min(scheduled_at) FROM sends
                            WHERE campaign_id = campaigns.id) AS start
                    FROM campaigns WHERE id = ?
                    """,
                arguments: [event.eventName, campaign.rawValue]
            ), let name: Int64 = bounds["name_id"], let start: Int64 = bounds["start"]
        else { return [] }
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT * FROM (
                    SELECT events.id, entries.send_id, entries.profile_id, entries.variant,
                        entries.is_control, events.time, events.properties,
                        :tracking IS NULL OR sends.tracking_id IS NOT NULL
                            AND sends.tracking_id = :tracking AS is_wanted,
                        coalesce((SELECT min(accepted_at) FROM \(OpenSends.rowsOfUser)
                            WHERE dispatches.send_id = entries.send_id
                                AND dispatches.profile_id = entries.profile_id),
                            (SELECT sent_at FROM removed_recipients AS removed
                                WHERE removed.send_id = entries.send_id
                                    AND removed.profile_id = entries.profile_id),
                            CASE WHEN is_control OR :unreached THEN entries.due_at END) AS sent_at
                    FROM events CROSS JOIN campaign_entries AS entries
                        ON entries.profile_id = events.profile_id
                        AND entries.campaign_id = :campaign
                    CROSS JOIN sends ON sends.id = entries.send_id
                    WHERE events.name_id = :name AND \(EventTimes.since(":start"))
                        AND (:profile IS NULL OR events.profile_id = :profile))
                WHERE sent_at <= time AND time <= sent_at + :window
                ORDER BY time, id, sent_at DESC, send_id DESC
                """,
            arguments: [
                "name": name, "start": start, "campaign": campaign.rawValue,
                "tracking": trackingID, "window": Int64(window * 1000),
                "profile": profile?.rawValue, "unreached": countsUnreached,
            ]
        )
        var seen: Set<Key> = []
        var found: [Found] = []
        var credited: Int64?
        while let row = try rows.next() {
            // The rows of an event are adjacent, the latest message first.
            let number: Int64 = row["id"]
            guard number != credited else { continue }
            credited = number
            let key = Key(send: row["send_id"], profile: row["profile_id"])
            guard !seen.contains(key) else { continue }
            let properties = try StoredJSON.object(row["properties"])
            guard
                event.countsEveryEvent
                    || event.matches(name: event.eventName, properties: properties)
            else { continue }
            seen.insert(key)
            // All messages take part in the crediting, but only the requested ones are returned.
            guard row["is_wanted"] else { continue }
            let price = properties["price"]?.doubleValue ?? 0
            let quantity = properties["quantity"]?.doubleValue ?? 1
            let isPurchase = if case .purchase = event.kind { true } else { false }
            let isControl: Bool = row["is_control"]
            found.append(
                Found(
                    conversion: CampaignConversion(
                        send: SendID(key.send),
                        profile: ProfileID(key.profile),
                        variant: isControl ? nil : row["variant"],
                        sentAt: Date(milliseconds: row["sent_at"]),
                        convertedAt: Date(milliseconds: row["time"]),
                        revenue: isPurchase ? price * quantity : 0
                    ),
                    isControl: isControl
                )
            )
        }
        return found
    }
}
