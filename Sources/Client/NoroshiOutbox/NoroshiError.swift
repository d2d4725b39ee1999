import Foundation

/// What went wrong in a call of the SDK, in words for the developer.
public struct NoroshiError: Error, Sendable, Equatable, CustomStringConvertible,
    LocalizedError
{
    /// The kinds of failure.
    public enum Code: String, Sendable {
        /// An argument breaks a limit; nothing was recorded.
        case invalidInput
        /// The SDK is switched off; nothing was recorded.
        case disabled
        /// The file system refused; nothing was recorded.
        case storage
        /// The server could not be reached.
        case network
        /// The server refused.
        case server
        /// The configuration cannot work.
        case configuration
    }

    /// The kind of failure.
    public let code: Code
    /// The argument or field at fault, where there is one.
    public let field: String?
    /// What is wrong and what to do.
    public let message: String

    /// A failure of the kind `code`.
    public init(code: Code, field: String? = nil, message: String) {
        self.code = code
        self.field = field
        self.message = message
    }

    /// What alerts and logs show of an error.
    public var errorDescription: String? { description }

    /// The message with the field it is about.
    public var description: String {
        if let field { "\(field): \(message)" } else { message }
    }
}
