import Foundation
import Model
import Ports
import Relational

extension SQLStore: CampaignReportStore {
    static let ofCampaign = """
        sends.campaign_id = :campaign AND (:tracking IS NULL OR sends.tracking_id = :tracking)
        """

    package func variantFigures(
        of campaign: CampaignID,
        trackingID: String?,
        from start: Date,
        to end: Date
    ) async throws -> [VariantCounts] {
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
    ) async throws -> [CampaignDailyCounts] {
        try await read { database in
            let rows = VariantFigureRows(campaign, trackingID, database)
            return try zip(
                rows.figures(between: boundaries),
                rows.users(between: boundaries)
            ).map { CampaignDailyCounts(variants: $0, uniqueRecipients: $1) }
        }
    }

    package func uniqueRecipients(
        of campaign: CampaignID,
        trackingID: String?,
        from start: Date,
        to end: Date
    ) async throws -> Int {
        try await read { database in
            try VariantFigureRows(campaign, trackingID, database).users(between: [start, end])
                .first ?? 0
        }
    }

    package func conversions(
        of campaign: CampaignID,
        trackingID: String?,
        event: EventMatch,
        window: TimeInterval
    ) async throws -> [CampaignConversion] {
        try await read { database in
            try ConversionRows(database: database, trackingID: trackingID)
                .conversions(of: campaign, by: event, within: window).map(\.conversion)
        }
    }

    package func totals(
        of campaigns: [CampaignID]
    ) async throws -> [CampaignID: CampaignTotals] {
        try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT wanted.id AS campaign_id, (\(Self.delivered("wanted.id"))) AS delivered,
                        (\(Self.opened("wanted.id"))) AS opened
                    FROM (SELECT CAST(value AS INTEGER) AS id FROM json_each(?)) AS wanted
                    WHERE EXISTS (SELECT TRUE FROM sends WHERE sends.campaign_id = wanted.id)
                    """,
                arguments: [try StoredJSON.text(campaigns.map(\.rawValue))]
            )
            var totals: [CampaignID: CampaignTotals] = [:]
            for row in rows {
                totals[CampaignID(row["campaign_id"])] = CampaignTotals(
                    delivered: row["delivered"],
                    opened: row["opened"]
                )
            }
            return totals
        }
    }

    /// The accepted messages of a campaign.
    static func delivered(_ campaign: String) -> String {
        """
        SELECT coalesce(sum(rows), 0) FROM sends CROSS JOIN send_counts
            ON send_counts.send_id = sends.id AND send_counts.state = \(DispatchState.accepted.rawValue)
        WHERE sends.campaign_id = \(campaign)
        """
    }

    /// The direct and influenced opens of a campaign.
    static func opened(_ campaign: String) -> String {
        """
        SELECT coalesce(sum(opened + influenced), 0) FROM sends CROSS JOIN send_receipts
            ON send_receipts.send_id = sends.id
        WHERE sends.campaign_id = \(campaign)
        """
    }

    package func controlGroupUsers(of campaign: CampaignID) async throws -> Int {
        try await read { database in
            try Int.fetchOnly(
                database,
                sql: """
                    SELECT count(DISTINCT profile_id) FROM campaign_entries
                    WHERE campaign_id = ? AND is_control
                    """,
                arguments: [campaign.rawValue]
            )
        }
    }
}
