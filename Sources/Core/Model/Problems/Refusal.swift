import Reasons

/// Why a verb is not done, though nothing is wrong with what was written.
package struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
    package var reason: Reason

    package init(_ reason: Reason) {
        self.reason = reason
    }

    package init(_ code: RefusalReason, _ arguments: [String: Reason.Argument] = [:]) {
        self.init(Reason(code, arguments))
    }

    package var description: String { reason.description }
}
