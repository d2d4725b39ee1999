/// An error in a JSON text, with its location.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    package var message: String
    /// Offset from the beginning, in bytes.
    package var offset: Int
    /// The path of the invalid field, such as `attributes.0.first_name`; `nil` if the error is not
    /// in a field.
    package var path: String?

    package var description: String {
        if let path { "'\(path)' \(message)" } else { "\(message) at byte \(offset)" }
    }
}
