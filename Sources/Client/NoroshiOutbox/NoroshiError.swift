import Foundation

/// An error of the SDK, with a message for the developer.
public struct NoroshiError: Error, Sendable, Equatable, CustomStringConvertible,
    LocalizedError
{
    /// The kinds of failure.
    public enum Code: String, Sendable {
        /// An argument is invalid; nothing was recorded.
        case invalidInput
        /// The SDK is disabled; nothing was recorded.
        case disabled
        /// The file system reported an error; nothing was recorded.
        case storage
        /// The server could not be reached.
        case network
        /// The server rejected the request.
        case server
        /// The configuration is invalid.
        case configuration
    }

    /// The kind of failure.
    public let code: Code
    /// The invalid argument or field; `nil` if there is none.
    public let field: String?
    /// The problem and its remedy.
    public let message: String

    /// A failure of the kind `code`.
    public init(code: Code, field: String? = nil, message: String) {
        self.code = code
        self.field = field
        self.message = message
    }

    /// The text for alerts and logs.
    public var errorDescription: String? { description }

    /// The message with its field.
    public var description: String {
        if let field { "\(field): \(message)" } else { message }
    }
}
