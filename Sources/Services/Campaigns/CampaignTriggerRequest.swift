import Foundation
import Model
import NoroshiWire
import Ports

/// A request of the REST API to an API-triggered campaign.
package struct CampaignTriggerRequest: Sendable {
    /// How long a repeated request with the same key is recognized: 30 days, in seconds.
    package static let keyLifetime: TimeInterval = 30 * 86_400

    /// The audience if the request names no users.
    package var audience: Audience
    /// The named users, each with the data that is stored first; `nil` if the request names none.
    package var named: [LaunchRecipient]?
    /// A filter on the named users: the others get nothing, but their data is stored.
    package var filter: SegmentQuery?
    package var properties: [String: JSONValue]
    /// The request's `Idempotency-Key`.
    package var key: String?
    package var trackingID: String?
    /// `nil` means now.
    package var scheduledAt: Date?
    /// A local time of each user; `nil` means the same moment for all users.
    package var localMoment: LocalDateTime?
    /// Whether the send ignores frequency caps and does not count toward them.
    package var overridesCaps = false
    /// Whether the workspace's control group gets it too; `nil` is as the campaign says, or with a
    /// message of the request's own: yes.
    package var reachesControlGroup: Bool?
    /// `nil` means all users who have not unsubscribed.
    package var recipients: SubscriptionFilter?
    /// Replaces the campaign's own messages.
    package var message: Message?
    /// The request's own message for one variant of the campaign.
    package struct Message: Sendable {
        /// The index of the variant.
        package var variant: Int
        package var content: SendContent

        package init(variant: Int, content: SendContent) {
            self.variant = variant
            self.content = content
        }
    }

    /// The send of a request, and the outcomes of its recipients' data.
    package struct Answer: Sendable {
        package var send: Send
        /// In the order of the recipients; empty if the request was a repetition.
        package var outcomes: [IngestOutcome?]
    }

    package init(audience: Audience) {
        self.audience = audience
        properties = [:]
    }
}
