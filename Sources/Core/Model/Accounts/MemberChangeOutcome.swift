import Foundation

package enum MemberChangeOutcome: Sendable, Hashable {
    case changed
    /// There is no such member in the workspace.
    case unknown
    /// Nobody who may sign in would be an administrator.
    case lastAdministrator
}
