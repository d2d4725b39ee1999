/// Why a segment cannot be evaluated.
package struct AudienceProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: String, Sendable, Hashable {
        /// The users are still being read; the message says how far.
        case notReady
        /// A named segment is not there, or is archived.
        case unknownSegment
        /// The filter says something that cannot be understood; the message says where.
        case invalidFilter
    }

    package var code: Code
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
