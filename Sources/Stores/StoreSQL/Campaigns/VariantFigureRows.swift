import Foundation
import Model
import Ports
import Relational

/// Counts the dispatches of a campaign in one pass, regardless of the number of days, and adds what is kept of
/// removed ones: those count by quarters of an hour.
struct VariantFigureRows {
    private let campaign: CampaignID
    private let trackingID: String?
    private let database: Database

    init(_ campaign: CampaignID, _ trackingID: String?, _ database: Database) {
        self.campaign = campaign
        self.trackingID = trackingID
        self.database = database
    }

    private struct Key: Hashable {
        var stretch: Int
        var platform: MessagePlatform
        var variant: Int
    }

    /// A message counts at the time it was accepted; one that was not accepted, at the time of its
    /// outcome.
    func figures(between boundaries: [Date]) throws -> [[VariantCounts]] {
        let time = "coalesce(accepted_at, dispatches.updated_at)"
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT \(Self.stretch(of: time, boundaries)) AS stretch,
                    coalesce(dispatches.variant, 0) AS variant,
                    coalesce(devices.platform, device_platform, 'ios') AS platform,
                    opened_page AS page,
                    count(accepted_at) AS sent, count(opened_at) AS direct,
                    count(coalesce(opened_at, influenced_at)) AS total,
                    sum(iif(dispatches.state = 3, 1, 0)) AS bounces, count(received_at) AS received
                FROM sends CROSS JOIN dispatches ON dispatches.send_id = sends.id
                LEFT JOIN devices ON devices.id = dispatches.device_id
                WHERE \(SQLStore.ofCampaign) AND \(time) >= :start AND \(time) < :end
                GROUP BY 1, 2, 3, 4
                UNION ALL
                SELECT \(Self.stretch(of: "quarter", boundaries)), variant, platform,
                    nullif(page, -1), sum(sent), sum(direct), sum(total), sum(bounces), sum(received)
                FROM removed_variant_counts
                WHERE campaign_id = :campaign AND (:tracking IS NULL OR tracking_id = :tracking)
                    AND quarter >= :start AND quarter < :end
                GROUP BY 1, 2, 3, 4
                """,
            arguments: arguments(boundaries)
        )
        var figures: [Key: VariantCounts] = [:]
        for row in rows {
            let key = Key(
                stretch: row["stretch"],
                platform: MessagePlatform(device: row["platform"]),
                variant: row["variant"]
            )
            let empty = VariantCounts(
                platform: key.platform,
                variant: key.variant,
                sent: 0,
                directOpens: 0,
                totalOpens: 0,
                bounces: 0,
                received: 0
            )
            figures[key, default: empty].sent += row["sent"]
            figures[key, default: empty].directOpens += row["direct"]
            figures[key, default: empty].totalOpens += row["total"]
            figures[key, default: empty].bounces += row["bounces"]
            figures[key, default: empty].received += row["received"]
            if let page: Int = row["page"] {
                figures[key, default: empty].addOpens(row["direct"], ofPage: page)
            }
        }
        let grouped = Dictionary(grouping: figures, by: \.key.stretch)
        return boundaries.dropLast().indices.map { index in
            (grouped[index] ?? []).map(\.value).ordered { ($0.platform.rawValue, $0.variant) }
        }
    }

    /// Number of users who were sent a message; deleted ones cannot be told apart and are one.
    func users(between boundaries: [Date]) throws -> [Int] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT stretch, count(DISTINCT profile_id) AS users FROM (
                    SELECT \(Self.stretch(of: "accepted_at", boundaries)) AS stretch,
                        dispatches.profile_id
                    FROM sends CROSS JOIN dispatches ON dispatches.send_id = sends.id
                    WHERE \(SQLStore.ofCampaign)
                        AND accepted_at >= :start AND accepted_at < :end
                    UNION ALL \(Self.removed("sent_at", boundaries))
                    UNION ALL \(Self.removed("last_sent_at", boundaries))
                ) AS recipients
                GROUP BY 1
                """,
            arguments: arguments(boundaries)
        )
        var users = boundaries.dropLast().map { _ in 0 }
        for row in rows { users[row["stretch"]] = row["users"] }
        return users
    }

    /// The users of removed messages, at the time at which the first or the last of their devices got one.
    private static func removed(_ time: String, _ boundaries: [Date]) -> String {
        """
        SELECT \(stretch(of: "removed.\(time)", boundaries)), removed.profile_id
        FROM sends CROSS JOIN removed_recipients AS removed ON removed.send_id = sends.id
        WHERE \(SQLStore.ofCampaign) AND removed.\(time) >= :start AND removed.\(time) < :end
        """
    }

    private func arguments(_ boundaries: [Date]) -> StatementArguments {
        [
            "campaign": campaign.rawValue, "tracking": trackingID,
            "start": (boundaries.first ?? .distantFuture).milliseconds,
            "end": (boundaries.last ?? .distantPast).milliseconds,
        ]
    }

    /// The index of the period that contains a time. Days of equal length are found by division;
    /// only a clock change needs a comparison.
    private static func stretch(of time: String, _ boundaries: [Date]) -> String {
        let times = boundaries.map(\.milliseconds)
        guard times.count > 2 else { return "0" }
        let day: Int64 = 86_400_000
        var cases: [String] = []
        var index = 0
        while index < times.count - 1 {
            var end = index + 1
            if times[end] - times[index] == day {
                while end + 1 < times.count, times[end + 1] - times[end] == day { end += 1 }
                cases.append(
                    "WHEN \(time) < \(times[end]) THEN \(index) + (\(time) - \(times[index])) / \(day)"
                )
            } else {
                cases.append("WHEN \(time) < \(times[end]) THEN \(index)")
            }
            index = end
        }
        return "CASE \(cases.joined(separator: " ")) END"
    }
}
