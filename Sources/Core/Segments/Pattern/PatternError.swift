/// Why a regular expression cannot be used, and where in it.
package struct PatternError: Error, Sendable, Hashable {
    /// Counted in Unicode scalars from the pattern's start.
    package let offset: Int
    package let message: String
}
