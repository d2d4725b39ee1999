import Foundation

/// One text that a campaign has, or has had, under a number of its own: what was measured stays
/// with the text that was sent, also when its variant is changed or taken away.
package struct CampaignVariantRecord: Sendable, Hashable {
    package var number: Int
    /// Shared by the texts that one variant has had.
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
