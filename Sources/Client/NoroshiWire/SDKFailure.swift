/// The body of an answer other than 200: what is wrong, in words.
public struct SDKFailure: Sendable, Codable, Equatable {
    /// What is wrong and what to do.
    public var message: String
    /// The faults one by one, as `field: message`.
    public var errors: [String]?
    /// Why the user's signed token is refused; absent when the SDK key is at fault.
    public var authentication: SDKAuthenticationFailure?

    /// A failure with `message`.
    public init(
        message: String,
        errors: [String]? = nil,
        authentication: SDKAuthenticationFailure? = nil
    ) {
        self.message = message
        self.errors = errors
        self.authentication = authentication
    }
}

/// Why the server refuses the signed token (JWT) of a user.
public struct SDKAuthenticationFailure: Sendable, Codable, Equatable {
    /// The reason as a number, such as 22.
    public var code: Int
    /// The reason as a word, such as `EXPIRED`.
    public var reason: String

    /// A refusal with `code` and `reason`.
    public init(code: Int, reason: String) {
        self.code = code
        self.reason = reason
    }
}
