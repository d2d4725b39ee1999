import Foundation

/// Which members a list shows.
package enum MemberFilter: Sendable, Hashable {
    /// Whatever its case.
    case email(String)
    case externalID(String)
}
