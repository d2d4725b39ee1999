import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Model
import NoroshiWire

/// Verifies that a batch comes from the user it names, if the app requires that.
struct SDKAuthenticator: Sendable {
    let now: @Sendable () -> Date

    /// - Returns: The verified user of the batch; `nil` if no verification is required.
    /// - Throws: `SDKAuthenticationError` if the app requires a signed token and the batch has no
    ///   valid one. Anonymous users need no verification.
    func check(_ batch: SDKBatch, of app: App, logger: Logger) throws -> UserReference? {
        guard app.authentication.mode != .disabled else { return nil }
        let users = Set(batch.records.compactMap(\.user.externalID))
        guard let user = users.first else { return nil }
        do throws(SDKAuthenticationError) {
            guard users.count == 1 else { throw .payloadUserIDMismatch }
            try SDKTokenVerifier.verify(
                batch.signature,
                of: user,
                publicKeys: app.authentication.publicKeys,
                now: now()
            )
            return .external(user)
        } catch {
            guard app.authentication.mode == .optional else {
                throw error
            }
            logger.notice(
                "a user's signed token does not hold; its records are stored all the same",
                metadata: ["app.id": "\(app.id)", "token.reason": "\(error.reason)"]
            )
            return nil
        }
    }

    /// Verifies that a named user asks for something that cannot be undone.
    ///
    /// The SDK key is in every copy of an app, so that it alone says nothing about who asks.
    /// - Throws: `SDKAuthenticationError` for a token that does not hold, whatever the app requires
    ///   of batches; `APIError` if the app has no keys for tokens.
    func require(_ user: String, _ signature: String?, of app: App) throws {
        guard app.authentication.mode != .disabled else {
            throw APIError(
                .forbidden,
                "a named user is deleted from the app only with SDK authentication; turn it on with "
                    + "./noroshi app authentication, or call /users/delete from your server"
            )
        }
        try SDKTokenVerifier.verify(
            signature,
            of: user,
            publicKeys: app.authentication.publicKeys,
            now: now()
        )
    }

    /// Whether a read-only request has a valid token of the user it names.
    func proves(_ request: Request, _ user: String?, of app: App) -> Bool {
        guard app.authentication.mode != .disabled, let user else { return false }
        do throws(SDKAuthenticationError) {
            try SDKTokenVerifier.verify(
                HTTPField.Name(SDKBatch.signatureHeader).flatMap { request.headers[$0] },
                of: user,
                publicKeys: app.authentication.publicKeys,
                now: now()
            )
            return true
        } catch {
            return false
        }
    }
}

extension SDKUser {
    fileprivate var externalID: String? {
        if case .external(let id) = self { id } else { nil }
    }
}

/// The response to a batch whose user's token is invalid.
extension SDKAuthenticationError: HTTPResponseError {
    package var status: HTTPResponse.Status { .unauthorized }

    package func response(from request: Request, context: some RequestContext) throws -> Response {
        let failure = SDKFailure(
            message: message,
            authentication: SDKAuthenticationFailure(code: rawValue, reason: reason)
        )
        return try JSONResponse.json(failure, status: status)
    }
}
