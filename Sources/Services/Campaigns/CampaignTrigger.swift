import Foundation
import Model
import NoroshiWire
import Ports

/// What the REST API asks of an API-triggered campaign.
package struct CampaignTrigger: Sendable {
    /// How long a repeated request with the same key is recognised: 30 days.
    package static let keyLifetime: TimeInterval = 30 * 86_400

    /// Who gets it, where nobody is named.
    package var audience: Audience
    /// The users who are named, each with what is stored of them first; `nil` when nobody is.
    package var named: [LaunchRecipient]?
    /// Whom of the named users it is for: the others get nothing. What they bring is stored first.
    package var filter: SegmentQuery?
    package var properties: [String: JSONValue]
    /// The request's `Idempotency-Key`.
    package var key: String?
    package var trackingID: String?
    /// `nil` is now.
    package var scheduledAt: Date?
    /// On each user's clock; `nil` is the same moment for all.
    package var localMoment: LocalMoment?
    /// Frequency caps do not hold it back, and it is not counted in them.
    package var overridesCaps = false
    /// `nil` is all who have not unsubscribed.
    package var recipients: RecipientState?
    /// Instead of the campaign's own messages.
    package var message: Message?
    /// A message that the request brings along for one variant of the campaign.
    package struct Message: Sendable {
        /// Its index.
        package var variant: Int
        package var content: SendContent

        package init(variant: Int, content: SendContent) {
            self.variant = variant
            self.content = content
        }
    }

    /// The send of a request, and what became of what its recipients brought along.
    package struct Answer: Sendable {
        package var send: Send
        /// In step with the recipients; empty when the request was known.
        package var outcomes: [IngestOutcome?]
    }

    package init(audience: Audience) {
        self.audience = audience
        properties = [:]
    }
}
