import Foundation

/// What a client calls a request, so that sending it again does nothing.
package struct RequestKey: Sendable, Hashable {
    /// Unique in its workspace.
    package var name: String
    /// The same for the same request, to find a key that is used for another one.
    package var fingerprint: String
    /// Keys used before are forgotten.
    package var expiredBefore: Date

    package init(name: String, fingerprint: String, expiredBefore: Date) {
        self.name = name
        self.fingerprint = fingerprint
        self.expiredBefore = expiredBefore
    }
}
