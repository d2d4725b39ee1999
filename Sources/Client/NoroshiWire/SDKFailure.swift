/// The body of a response with a status other than 200.
public struct SDKFailure: Sendable, Codable, Equatable {
    /// The problem and its remedy.
    public var message: String
    /// The individual errors, as `field: message`.
    public var errors: [String]?
    /// The reason why the user's signed token was rejected; `nil` if the SDK key was rejected.
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

/// The reason why the server rejected a user's signed token (JWT).
public struct SDKAuthenticationFailure: Sendable, Codable, Equatable {
    /// The reason as a number, such as 22.
    public var code: Int
    /// The reason as a code, such as `EXPIRED`.
    public var reason: String

    /// A rejection with `code` and `reason`.
    public init(code: Int, reason: String) {
        self.code = code
        self.reason = reason
    }
}
