import Foundation

package enum LaunchOutcome: Sendable, Hashable {
    case launched(Send)
    case skipped
    /// The occurrence was launched before as this send; `nil` if it was skipped.
    case known(Send?)
    /// The campaign is no longer active, or has advanced.
    case outdated
}
