import Reasons

package enum IdentityOutcome: Sendable, Hashable {
    case done
    case refused(Reason)

    package static func refused(
        _ code: IdentityReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) -> IdentityOutcome {
        .refused(Reason(code, arguments))
    }
}
