import Foundation

/// A filter on the members of a list.
package enum MemberFilter: Sendable, Hashable {
    /// The address, ignoring case.
    case email(String)
    case externalID(String)
}
