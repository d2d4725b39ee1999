import Foundation

/// What became of a draft that was to be sent.
package enum DraftedSend: Sendable, Hashable {
    case made(Send)
    /// It was sent before.
    case known(SendID)
    /// There is no such draft.
    case missing
}
