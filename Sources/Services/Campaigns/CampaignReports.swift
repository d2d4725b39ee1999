import Foundation
import Model
import Ports
import Scheduling

/// Reports on campaigns, counted from the raw rows each time.
package struct CampaignReports: Sendable {
    let store: any Store

    package init(store: any Store) {
        self.store = store
    }

    /// The counts of one campaign, or of its sends with one `send_id`, in one period.
    package func figures(
        of campaign: Campaign,
        trackingID: String? = nil,
        from start: Date = .distantPast,
        to end: Date = .distantFuture
    ) async throws -> CampaignFigures {
        var conversions: [[CampaignConversion]] = []
        for event in campaign.content.conversions {
            conversions.append(
                try await store.conversions(
                    of: campaign.id,
                    trackingID: trackingID,
                    event: event.event,
                    window: event.window
                )
            )
        }
        return CampaignFigures(
            variants: try await store.variantFigures(
                of: campaign.id,
                trackingID: trackingID,
                from: start,
                to: end
            ),
            uniqueRecipients: try await store.uniqueRecipients(
                of: campaign.id,
                trackingID: trackingID,
                from: start,
                to: end
            ),
            conversions: conversions
        )
    }

    /// The number of users who got messages on some days of the workspace's time zone.
    package func uniqueRecipients(
        of campaign: Campaign,
        from first: CalendarDay,
        through last: CalendarDay
    ) async throws -> Int {
        let zone = try await store.timeZone(of: campaign.workspace)
        return try await store.uniqueRecipients(
            of: campaign.id,
            trackingID: nil,
            from: WallClock.instant(first, .midnight, in: zone),
            to: WallClock.instant(last.adding(days: 1), .midnight, in: zone)
        )
    }

    /// The messages of campaigns; those that were never launched have none.
    package func totals(of campaigns: [Campaign]) async throws -> [CampaignID: CampaignTotals] {
        try await store.totals(of: campaigns.map(\.id))
    }

    /// All texts that the campaign has had, by their numbers.
    package func variantRecords(of campaign: Campaign) async throws -> [CampaignVariantRecord] {
        try await store.variantRecords(of: campaign.id)
    }
}

/// The counts of a campaign in a period; conversions are not limited to the period.
package struct CampaignFigures: Sendable, Hashable {
    package var variants: [VariantCounts]
    package var uniqueRecipients: Int
    /// Per conversion event, in the order of the campaign.
    package var conversions: [[CampaignConversion]]

    package init(
        variants: [VariantCounts],
        uniqueRecipients: Int,
        conversions: [[CampaignConversion]]
    ) {
        self.variants = variants
        self.uniqueRecipients = uniqueRecipients
        self.conversions = conversions
    }
}
