import Foundation

/// What a member signs in with besides the password.
package struct SecondFactor: Sendable, Hashable {
    /// The encrypted secret.
    package var box: Data
    /// `nil` until the member has shown that the authenticator app computes the right codes.
    package var confirmedAt: Date?
    /// The period of the last accepted code: none is accepted twice.
    package var lastStep: Int64
    /// Number of recovery codes that have not been used.
    package var recoveryCodes: Int

    package init(box: Data, confirmedAt: Date?, lastStep: Int64, recoveryCodes: Int) {
        self.box = box
        self.confirmedAt = confirmedAt
        self.lastStep = lastStep
        self.recoveryCodes = recoveryCodes
    }
}
