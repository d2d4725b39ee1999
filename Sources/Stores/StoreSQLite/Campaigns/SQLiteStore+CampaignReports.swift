import Foundation
import GRDB
import Model
import NoroshiWire
import Ports

extension SQLiteStore: CampaignReportStore {
    static let ofCampaign = """
        sends.campaign_id = :campaign AND (:tracking IS NULL OR sends.tracking_id = :tracking)
        """

    package func variantFigures(
        of campaign: CampaignID,
        trackingID: String?,
        from start: Date,
        to end: Date
    ) async throws -> [VariantFigures] {
        try await read { database in
            let figures = try VariantFigureRows(campaign, trackingID, database)
                .figures(between: [start, end])
            return figures.first ?? []
        }
    }

    package func dailyFigures(
        of campaign: CampaignID,
        trackingID: String?,
        between boundaries: [Date]
    ) async throws -> [CampaignDayFigures] {
        try await read { database in
            let rows = VariantFigureRows(campaign, trackingID, database)
            return try zip(
                rows.figures(between: boundaries),
                rows.users(between: boundaries)
            ).map { CampaignDayFigures(variants: $0, uniqueRecipients: $1) }
        }
    }

    package func uniqueRecipients(
        of campaign: CampaignID,
        trackingID: String?,
        from start: Date,
        to end: Date
    ) async throws -> Int {
        try await read { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT count(DISTINCT dispatches.profile_id)
                    FROM sends CROSS JOIN dispatches ON dispatches.send_id = sends.id
                    WHERE \(Self.ofCampaign) AND accepted_at >= :start AND accepted_at < :end
                    """,
                arguments: [
                    "campaign": campaign.rawValue, "tracking": trackingID,
                    "start": start.milliseconds, "end": end.milliseconds,
                ]
            ) ?? 0
        }
    }

    package func conversions(
        of campaign: CampaignID,
        trackingID: String?,
        event: EventMatch,
        window: TimeInterval
    ) async throws -> [CampaignConversion] {
        try await read { database in
            guard
                let bounds = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT workspace_id, (SELECT id FROM event_names
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
                    SELECT entries.send_id, entries.profile_id, entries.variant,
                        entries.is_control, events.time, events.properties,
                        coalesce((SELECT min(accepted_at) FROM devices CROSS JOIN dispatches
                            ON dispatches.send_id = entries.send_id AND device_id = devices.id
                            WHERE devices.profile_id = entries.profile_id),
                            CASE WHEN is_control THEN entries.due_at END) AS sent_at
                    FROM events CROSS JOIN campaign_entries AS entries
                        ON entries.profile_id = events.profile_id
                    CROSS JOIN sends ON sends.id = entries.send_id
                    WHERE events.name_id = :name AND events.time >= :start
                        AND \(Self.ofCampaign)
                        AND sent_at <= events.time AND events.time <= sent_at + :window
                    ORDER BY events.time, events.id
                    """,
                arguments: [
                    "name": name, "start": start, "campaign": campaign.rawValue,
                    "tracking": trackingID, "window": Int64(window * 1000),
                ]
            )
            struct Key: Hashable {
                var send: Int64
                var profile: Int64
            }
            var seen: Set<Key> = []
            var conversions: [CampaignConversion] = []
            while let row = try rows.next() {
                let key = Key(send: row["send_id"], profile: row["profile_id"])
                guard !seen.contains(key) else { continue }
                let properties = try StoredJSON.object(row["properties"])
                guard
                    event.countsEveryEvent
                        || event.matches(name: event.eventName, properties: properties)
                else { continue }
                seen.insert(key)
                let price = properties["price"]?.doubleValue ?? 0
                let quantity = properties["quantity"]?.doubleValue ?? 1
                let isPurchase = if case .purchase = event.kind { true } else { false }
                conversions.append(
                    CampaignConversion(
                        send: SendID(key.send),
                        profile: ProfileID(key.profile),
                        variant: row["is_control"] ? nil : row["variant"],
                        sentAt: Date(milliseconds: row["sent_at"]),
                        convertedAt: Date(milliseconds: row["time"]),
                        revenue: isPurchase ? price * quantity : 0
                    )
                )
            }
            return conversions
        }
    }

    package func enrolment(of campaign: CampaignID) async throws -> [Int?: Int] {
        try await read { database in
            var enrolment: [Int?: Int] = [:]
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT dispatches.variant AS variant,
                        count(DISTINCT dispatches.profile_id) AS users
                    FROM sends CROSS JOIN dispatches ON dispatches.send_id = sends.id
                    WHERE campaign_id = ? GROUP BY 1
                    """,
                arguments: [campaign.rawValue]
            )
            for row in rows { enrolment[.some(row["variant"] ?? 0), default: 0] += row["users"] }
            let control =
                try Int.fetchOne(
                    database,
                    sql: """
                        SELECT count(DISTINCT profile_id) FROM campaign_entries
                        WHERE campaign_id = ? AND is_control
                        """,
                    arguments: [campaign.rawValue]
                ) ?? 0
            if control > 0 { enrolment[.none] = control }
            return enrolment
        }
    }
}
