import Reasons

/// Why credentials cannot be used, and what to do about it.
package struct CredentialError: Error, Sendable, Hashable, CustomStringConvertible {
    package let code: CredentialReason
    package let reason: Reason

    package init(_ code: CredentialReason, _ arguments: [String: Reason.Argument] = [:]) {
        self.code = code
        reason = Reason(code, arguments)
    }

    package var description: String { reason.description }
}
