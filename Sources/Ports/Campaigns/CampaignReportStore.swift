import Foundation
import Model
import NoroshiWire

/// The results of campaigns, counted from the raw rows.
package protocol CampaignReportStore: Sendable {
    /// Messages accepted from `start` to `end` and users' interactions with them, by platform and
    /// variant. `trackingID` restricts the counts to the sends with one `send_id`.
    func variantFigures(
        of campaign: CampaignID,
        trackingID: String?,
        from start: Date,
        to end: Date
    ) async throws -> [VariantCounts]
    /// The same for each period between two boundaries, with the number of users who were sent a
    /// message.
    func dailyFigures(
        of campaign: CampaignID,
        trackingID: String?,
        between boundaries: [Date]
    ) async throws -> [CampaignDailyCounts]
    /// Number of users who were sent a message from `start` to `end`, without control groups.
    func uniqueRecipients(
        of campaign: CampaignID,
        trackingID: String?,
        from start: Date,
        to end: Date
    ) async throws -> Int
    /// The conversions of a campaign: each matching event is credited to the latest message to its
    /// user within `window` before it, and only the first event credited to a message counts.
    /// `trackingID` restricts the result to its messages.
    func conversions(
        of campaign: CampaignID,
        trackingID: String?,
        event: EventMatch,
        window: TimeInterval
    ) async throws -> [CampaignConversion]
    /// The messages of campaigns, from the kept counts of their sends. Campaigns that were never
    /// launched are missing.
    func totals(of campaigns: [CampaignID]) async throws -> [CampaignID: CampaignTotals]
    /// Number of users in the control groups of a campaign's launches.
    func controlGroupUsers(of campaign: CampaignID) async throws -> Int
}

/// The counts of one period.
package struct CampaignDailyCounts: Sendable, Hashable {
    package var variants: [VariantCounts]
    package var uniqueRecipients: Int

    package init(variants: [VariantCounts], uniqueRecipients: Int) {
        self.variants = variants
        self.uniqueRecipients = uniqueRecipients
    }
}

package struct CampaignConversion: Sendable, Hashable {
    package var send: SendID
    package var profile: ProfileID
    /// `nil` means the control group.
    package var variant: Int?
    package var sentAt: Date
    package var convertedAt: Date
    /// For a purchase: price times quantity.
    package var revenue: Double

    package init(
        send: SendID,
        profile: ProfileID,
        variant: Int?,
        sentAt: Date,
        convertedAt: Date,
        revenue: Double
    ) {
        self.send = send
        self.profile = profile
        self.variant = variant
        self.sentAt = sentAt
        self.convertedAt = convertedAt
        self.revenue = revenue
    }
}
