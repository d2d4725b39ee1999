import Foundation

package enum TriggerOutcome: Sendable {
    /// The send, and the outcome of each recipient's item.
    case launched(Send, [IngestOutcome?])
    /// An earlier request with this key created the send; nothing was stored now.
    case known(Send)
    /// The key belongs to a different request.
    case otherRequest
    /// The `send_id` belongs to another campaign.
    case trackingIDTaken
    /// The campaign is no longer active, or has advanced.
    case outdated
}
