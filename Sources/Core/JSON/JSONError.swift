/// What is wrong with a JSON text, and where.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    package var message: String
    /// Bytes from the beginning.
    package var offset: Int

    package var description: String { "\(message) at byte \(offset)" }
}
