import Foundation

/// A key on a member's device, with which the member signs in without a password.
package struct Passkey: Sendable, Hashable {
    package var id: PasskeyID
    package var member: MemberID
    package var credentialID: Data
    package var publicKey: Data
    package var name: String
    /// The authenticator's counter of signatures; many authenticators leave it at 0.
    package var signCount: UInt32
    package var createdAt: Date
    package var lastUsedAt: Date?

    package init(
        id: PasskeyID = PasskeyID(0),
        member: MemberID,
        credentialID: Data,
        publicKey: Data,
        name: String,
        signCount: UInt32,
        createdAt: Date,
        lastUsedAt: Date? = nil
    ) {
        self.id = id
        self.member = member
        self.credentialID = credentialID
        self.publicKey = publicKey
        self.name = name
        self.signCount = signCount
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }
}

package enum PasskeyKind {}

/// A passkey of a member.
package typealias PasskeyID = RowID<PasskeyKind>
