import Foundation

/// A member as the directory of another system knows them.
package struct MemberEntry: Sendable, Hashable {
    package var member: Member
    package var givenName: String?
    package var familyName: String?
    /// What the other system calls them.
    package var externalID: String?
    /// Who is not may not sign in.
    package var isActive: Bool
    package var createdAt: Date
    package var updatedAt: Date

    package init(
        member: Member,
        givenName: String? = nil,
        familyName: String? = nil,
        externalID: String? = nil,
        isActive: Bool = true,
        createdAt: Date,
        updatedAt: Date
    ) {
        self.member = member
        self.givenName = givenName
        self.familyName = familyName
        self.externalID = externalID
        self.isActive = isActive
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
