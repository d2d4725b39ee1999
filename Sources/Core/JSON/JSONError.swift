/// What is wrong with a JSON text, and where.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    package var message: String
    /// Bytes from the beginning.
    package var offset: Int
    /// The field at fault, such as `attributes.0.first_name`, where the fault lies in one.
    package var path: String?

    package var description: String {
        if let path { "'\(path)' \(message)" } else { "\(message) at byte \(offset)" }
    }
}
