import Reasons

/// The reason why a regular expression cannot be used, with its position.
package struct PatternError: Error, Sendable, Hashable {
    /// Counted in Unicode scalars from the start of the pattern.
    package let offset: Int
    package let reason: Reason

    init(offset: Int, _ code: PatternReason, _ arguments: [String: Reason.Argument] = [:]) {
        self.offset = offset
        reason = Reason(code, arguments)
    }

    package var message: String { reason.description }

    /// The pattern is well formed, but matching the given texts takes too much work.
    package static let tooCostly = PatternError(
        offset: 0,
        .tooCostly
    )
}
