import Foundation

package enum LaunchOutcome: Sendable, Hashable {
    case launched(Send)
    case skipped
    /// The occurrence was launched before as this send; `nil` when it was passed over.
    case known(Send?)
    /// The campaign is no longer active, or moved on.
    case outdated
}
