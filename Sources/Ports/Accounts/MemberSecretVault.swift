import Foundation
import Model

/// Encrypts the secrets of members' second factors before they reach the store.
package protocol MemberSecretVault: Sendable {
    func seal(_ secret: Data, of member: MemberID) throws -> Data
    func open(_ box: Data, of member: MemberID) throws -> Data
}
