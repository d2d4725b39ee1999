import Reasons

/// Why users cannot be found.
package struct AudienceError: ReasonedError, Sendable, Hashable {
    package enum Code: String, Sendable, Hashable {
        /// The users are still being read; the reason says how far.
        case notReady
        /// A named segment is not there, or is archived.
        case unknownSegment
        /// The filter says something that cannot be understood; the reason says where.
        case invalidFilter
        /// A filter asks for what only rows know, and no rows were given.
        case needsRows
    }

    package var code: Code
    package var reason: Reason

    package init(
        _ code: Code,
        _ reason: AudienceReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) {
        self.code = code
        self.reason = Reason(reason, arguments)
    }

    package var description: String { reason.description }
}
