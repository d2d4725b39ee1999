import Foundation

/// The status codes of the Rakuza SDK that this façade returns.
public enum RKZApiStatusCode: Int, Sendable {
    /// The call succeeded.
    case success = 1001
    /// A value is invalid.
    case validationError = 2001
    /// The action is not possible now.
    case actionError = 2002
    /// There is no logged-in user.
    case notLoginError = 2003
    /// The action is not permitted.
    case unauthorizedError = 9001
    /// The server failed.
    case systemError = 9002
    /// The server is under maintenance.
    case underMaintenanceError = 9009
    /// The data is inconsistent.
    case consistencyError = 9011
    /// The service is not initialized.
    case serviceInitializeError = 9012
    /// A value is missing.
    case requiredError = 9020
    /// A value has the wrong type.
    case classCastError = 9021
    /// There was no response.
    case connectionError = 9030
    /// The response took too long.
    case connectionTimeout = 9031
}

/// The result of a call.
public final class RKZResponseStatus: NSError, @unchecked Sendable {
    // `@unchecked` restates NSError's conformance; the members are immutable.

    /// The status.
    public let statusCode: RKZApiStatusCode
    /// The problem as readable text; `nil` on success.
    public let message: String?
    /// Details; `nil` if there are none.
    public let detailMessage: String?
    /// The underlying error of the network or the server.
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
