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
