import Foundation

/// What one user had of a campaign.
package struct CampaignReceipt: Sendable, Hashable {
    package var name: String
    package var campaign: UUID
    /// The last time, or when the user would have got it.
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
