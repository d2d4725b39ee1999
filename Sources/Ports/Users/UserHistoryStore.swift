import Foundation
import Model

/// Users' spending and the campaigns that have reached them, for exports.
package protocol UserHistoryStore: Sendable {
    /// Spending by user; users without purchases are left out. Makes one pass over all purchases of
    /// the workspace.
    func spending(
        of profiles: [ProfileID],
        in workspace: WorkspaceID
    ) async throws -> [ProfileID: UserSpending]
    /// The campaigns of which a provider accepted a message for each user, or that have the user in
    /// their control group, by user and then by age.
    func campaignsReceived(
        by profiles: [ProfileID]
    ) async throws -> [ProfileID: [CampaignExposureSummary]]
}
