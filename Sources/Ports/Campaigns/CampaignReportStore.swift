import Foundation
import Model
import NoroshiWire

/// What came of campaigns, counted from the raw rows.
package protocol CampaignReportStore: Sendable {
    /// Messages accepted from `start` to `end` and what users did with them, by platform and
    /// variant. `trackingID` looks at the sends of one `send_id` only.
    func variantFigures(
        of campaign: CampaignID,
        trackingID: String?,
        from start: Date,
        to end: Date
    ) async throws -> [VariantFigures]
    /// The same for each stretch between two boundaries, with the users who were sent something.
    func dailyFigures(
        of campaign: CampaignID,
        trackingID: String?,
        between boundaries: [Date]
    ) async throws -> [CampaignDayFigures]
    /// Users who were sent something from `start` to `end`; those in control groups are not.
    func uniqueRecipients(
        of campaign: CampaignID,
        trackingID: String?,
        from start: Date,
        to end: Date
    ) async throws -> Int
    /// The conversions of a campaign: each matching event is credited to the latest message to its
    /// user no longer than `window` before it, and the first one that is credited to a message
    /// counts. `trackingID` shows those of its messages.
    func conversions(
        of campaign: CampaignID,
        trackingID: String?,
        event: EventMatch,
        window: TimeInterval
    ) async throws -> [CampaignConversion]
    /// How many users each variant of a campaign has reached, and how many were in control groups
    /// (under `nil`).
    func enrolment(of campaign: CampaignID) async throws -> [Int?: Int]
}

/// The counts of one stretch of time.
package struct CampaignDayFigures: Sendable, Hashable {
    package var variants: [VariantFigures]
    package var uniqueRecipients: Int

    package init(variants: [VariantFigures], uniqueRecipients: Int) {
        self.variants = variants
        self.uniqueRecipients = uniqueRecipients
    }
}

package struct CampaignConversion: Sendable, Hashable {
    package var send: SendID
    package var profile: ProfileID
    /// `nil` in the control group.
    package var variant: Int?
    package var sentAt: Date
    package var convertedAt: Date
    /// Of a purchase: price times quantity.
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
