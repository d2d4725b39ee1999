import Foundation
import Model

/// Users' spending, the campaigns that have reached them, and what they got and did in all.
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
    /// What a user got and did so far. Makes one pass over the index of all purchases of the
    /// workspace, and of the events that the user's campaigns aim for.
    func figures(of profile: ProfileID) async throws -> UserFigures
}
