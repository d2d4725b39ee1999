/// Why something cannot be done with a campaign.
package struct CampaignRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }

    package static let archived = CampaignRefusal("the campaign is archived")
    package static let moved = CampaignRefusal(
        "the campaign was changed meanwhile; read it again"
    )
    package static let otherRequest = CampaignRefusal(
        "the Idempotency-Key was used for another request; send a new key"
    )
}
