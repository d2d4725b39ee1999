import Foundation

/// The outcome of sending a draft.
package enum DraftedSend: Sendable, Hashable {
    case made(Send)
    /// It was sent before.
    case known(SendID)
    /// The draft does not exist.
    case missing
}
