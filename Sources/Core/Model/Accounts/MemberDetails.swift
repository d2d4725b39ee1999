import Foundation

/// A member's details from another system, besides those for signing in.
package struct MemberDetails: Sendable, Hashable {
    package var givenName: String?
    package var familyName: String?
    package var externalID: String?
    package var isActive: Bool

    package init(
        givenName: String? = nil,
        familyName: String? = nil,
        externalID: String? = nil,
        isActive: Bool = true
    ) {
        self.givenName = givenName
        self.familyName = familyName
        self.externalID = externalID
        self.isActive = isActive
    }
}
