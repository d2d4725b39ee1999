/// Why a regular expression cannot be used, and where in it.
package struct PatternError: Error, Sendable, Hashable {
    /// Counted in Unicode scalars from the pattern's start.
    package let offset: Int
    package let message: String

    /// The pattern is well formed, but matching the texts at hand takes too much work.
    package static let tooCostly = PatternError(
        offset: 0,
        message: "matching this pattern takes too long; use fewer repetitions"
    )
}
