import Foundation

/// A member in another system's directory.
package struct MemberEntry: Sendable, Hashable {
    package var member: Member
    package var givenName: String?
    package var familyName: String?
    /// The identifier in the other system.
    package var externalID: String?
    /// Whether the member may sign in.
    package var isActive: Bool
    /// Whether the member belongs to other workspaces too.
    package var belongsElsewhere: Bool
    package var createdAt: Date
    package var updatedAt: Date

    package init(
        member: Member,
        givenName: String? = nil,
        familyName: String? = nil,
        externalID: String? = nil,
        isActive: Bool = true,
        belongsElsewhere: Bool = false,
        createdAt: Date,
        updatedAt: Date
    ) {
        self.member = member
        self.givenName = givenName
        self.familyName = familyName
        self.externalID = externalID
        self.isActive = isActive
        self.belongsElsewhere = belongsElsewhere
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
