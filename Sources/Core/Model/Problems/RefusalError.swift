import Reasons

/// Why a verb is not done, though nothing is wrong with what was written.
package struct RefusalError: ReasonedError, Sendable, Hashable {
    package let code: RefusalReason
    package let reason: Reason
    /// When the same may be asked again, where waiting helps.
    package let retryAfterSeconds: Int?

    package init(
        _ code: RefusalReason,
        _ arguments: [String: Reason.Argument] = [:],
        retryAfterSeconds: Int? = nil
    ) {
        self.code = code
        self.retryAfterSeconds = retryAfterSeconds
        reason = Reason(code, arguments)
    }

    package var description: String { reason.description }
}
