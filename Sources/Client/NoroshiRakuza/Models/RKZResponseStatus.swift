import Foundation

/// The status codes of the Rakuza SDK that this façade gives.
public enum RKZApiStatusCode: Int, Sendable {
    /// It was done.
    case success = 1001
    /// A value is refused.
    case validationError = 2001
    /// It cannot be done now.
    case actionError = 2002
    /// There is no user.
    case notLoginError = 2003
    /// It is not allowed.
    case unauthorizedError = 9001
    /// The server failed.
    case systemError = 9002
    /// The server is being looked after.
    case underMaintenanceError = 9009
    /// The data contradict each other.
    case consistencyError = 9011
    /// The service was not set up.
    case serviceInitializeError = 9012
    /// A value is missing.
    case requiredError = 9020
    /// A value is of another type.
    case classCastError = 9021
    /// There was no answer.
    case connectionError = 9030
    /// The answer took too long.
    case connectionTimeout = 9031
}

/// What became of a call.
public final class RKZResponseStatus: NSError, @unchecked Sendable {
    // `@unchecked` restates what NSError says of itself; the members never change.

    /// The status.
    public let statusCode: RKZApiStatusCode
    /// What is wrong, for people; `nil` on success.
    public let message: String?
    /// More about it; `nil` if there is no more.
    public let detailMessage: String?
    /// The error of the network or the server behind it.
    public let httpError: (any Error)?

    /// Whether the call succeeded.
    public var isSuccess: Bool { statusCode == .success }

    init(
        _ statusCode: RKZApiStatusCode,
        message: String? = nil,
        detailMessage: String? = nil,
        httpError: (any Error)? = nil
    ) {
        self.statusCode = statusCode
        self.message = message
        self.detailMessage = detailMessage
        self.httpError = httpError
        super.init(
            domain: "RKZResponseStatus",
            code: statusCode.rawValue,
            userInfo: message.map { [NSLocalizedDescriptionKey: $0] }
        )
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        nil
    }
}
