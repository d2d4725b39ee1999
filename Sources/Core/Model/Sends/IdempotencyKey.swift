import Foundation

/// A client's key for a request, so that repeating the request has no effect.
package struct IdempotencyKey: Sendable, Hashable {
    /// Unique in its workspace.
    package var name: String
    /// Equal for equal requests; detects a key that is reused for a different one.
    package var fingerprint: String
    /// Keys used before this time have expired.
    package var expiredBefore: Date

    package init(name: String, fingerprint: String, expiredBefore: Date) {
        self.name = name
        self.fingerprint = fingerprint
        self.expiredBefore = expiredBefore
    }
}
