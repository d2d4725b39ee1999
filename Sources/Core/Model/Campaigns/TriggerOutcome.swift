import Foundation

package enum TriggerOutcome: Sendable {
    /// The send, and what became of each recipient's item.
    case launched(Send, [IngestOutcome?])
    /// The key made this send before; nothing was stored now.
    case known(Send)
    /// The key belongs to a request that said something else.
    case otherRequest
    /// The `send_id` belongs to another campaign.
    case trackingIDTaken
    /// The campaign is no longer active, or moved on.
    case outdated
}
