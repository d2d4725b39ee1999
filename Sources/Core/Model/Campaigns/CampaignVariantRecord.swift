import Foundation

/// A current or former text of a campaign, under its own number, so that counts stay with the text
/// that was sent when its variant is changed or removed.
package struct CampaignVariantRecord: Sendable, Hashable {
    package var number: Int
    /// Shared by all texts of one variant.
    package var apiID: UUID
    package var name: String
    package var message: CampaignMessage

    package init(number: Int, apiID: UUID, name: String, message: CampaignMessage) {
        self.number = number
        self.apiID = apiID
        self.name = name
        self.message = message
    }
}
