import Foundation

/// A user's exposure to a campaign.
package struct CampaignExposureSummary: Sendable, Hashable {
    package var name: String
    package var campaign: UUID
    /// The last time that the user received it, or would have received it.
    package var lastReceivedAt: Date
    package var hasOpened: Bool
    package var isControl: Bool
    package var variantName: String?
    package var variant: UUID?

    package init(
        name: String,
        campaign: UUID,
        lastReceivedAt: Date,
        hasOpened: Bool,
        isControl: Bool,
        variantName: String?,
        variant: UUID?
    ) {
        self.name = name
        self.campaign = campaign
        self.lastReceivedAt = lastReceivedAt
        self.hasOpened = hasOpened
        self.isControl = isControl
        self.variantName = variantName
        self.variant = variant
    }
}
