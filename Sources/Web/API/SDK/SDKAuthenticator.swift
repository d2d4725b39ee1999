import Accounts
import Foundation
import Hummingbird
import Logging
import Model
import NoroshiWire

/// Checks that a batch comes from the user it speaks of, where the app demands it.
struct SDKAuthenticator: Sendable {
    let now: @Sendable () -> Date

    /// - Throws: `SDKAuthenticationProblem` when the app requires a signed token and the batch has
    ///   none that holds. Users without a name have nothing to prove.
    func check(_ batch: SDKBatch, of app: App, logger: Logger) throws {
        guard app.authentication.mode != .disabled else { return }
        let users = Set(batch.records.compactMap(\.user.externalID))
        guard let user = users.first else { return }
        do throws(SDKAuthenticationError) {
            guard users.count == 1 else { throw .payloadUserIDMismatch }
            try SDKTokenVerifier.verify(
                batch.signature,
                of: user,
                publicKeys: app.authentication.publicKeys,
                now: now()
            )
        } catch {
            guard app.authentication.mode == .optional else {
                throw SDKAuthenticationProblem(error)
            }
            logger.notice(
                "a user's signed token does not hold; its records are stored all the same",
                metadata: ["app.id": "\(app.id)", "token.reason": "\(error.reason)"]
            )
        }
    }
}

extension SDKUser {
    fileprivate var externalID: String? {
        if case .external(let id) = self { id } else { nil }
    }
}

/// The answer to a batch whose user's token does not hold.
struct SDKAuthenticationProblem: Error, HTTPResponseError {
    let error: SDKAuthenticationError

    init(_ error: SDKAuthenticationError) {
        self.error = error
    }

    var status: HTTPResponse.Status { .unauthorized }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        let failure = SDKFailure(
            message: error.message,
            authentication: SDKAuthenticationFailure(code: error.rawValue, reason: error.reason)
        )
        return try APIAnswer.json(failure, status: status)
    }
}
