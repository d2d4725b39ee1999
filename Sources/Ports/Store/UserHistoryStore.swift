import Foundation
import Model

/// What users have paid and which campaigns have reached them, for exports.
package protocol UserHistoryStore: Sendable {
    /// What users have paid, by user; those who have bought nothing are left out. One pass over
    /// all purchases of the workspace.
    func spending(
        of profiles: [ProfileID],
        in workspace: WorkspaceID
    ) async throws -> [ProfileID: UserSpending]
    /// The campaigns that a push service took a message of for each user, or in whose control
    /// group they are; by user, by the campaigns' age.
    func campaignsReceived(
        by profiles: [ProfileID]
    ) async throws -> [ProfileID: [CampaignReceipt]]
}

/// What one user has paid.
package struct UserSpending: Sendable, Hashable {
    /// By currency (ISO 4217).
    package var totals: [String: Double]

    package init(totals: [String: Double]) {
        self.totals = totals
    }
}

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
