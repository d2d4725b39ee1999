/// Why nobody looks at a password now.
package struct LoginRefused: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// There were too many wrong ones.
        case tooMany
        /// Too many people are signing in at this moment.
        case busy
    }

    package var reason: Reason
    package var retryAfterSeconds: Int

    package init(_ reason: Reason, retryAfterSeconds: Int) {
        self.reason = reason
        self.retryAfterSeconds = retryAfterSeconds
    }
}
