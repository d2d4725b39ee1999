import Liquid
import Model
import Reasons

/// Makes the calls of `connected_content` in templates.
package protocol ContentFetcher: Sendable {
    /// Makes a call. If the server fails or does not respond in time, the result is an empty
    /// response, unless the call asks for a retry; its status is 0 if there was no response.
    ///
    /// - Throws: `ContentFetchError`.
    func fetch(
        _ request: ConnectedContentRequest,
        for workspace: WorkspaceID
    ) async throws -> ConnectedContentResponse
}

extension ConnectedContentResponse {
    /// Why a webhook has not arrived; `nil` if the server says that it has.
    package var failure: Reason? {
        switch status {
        case 200..<300: nil
        case 0: Reason(ContentCallReason.noAnswer)
        default: Reason(ContentCallReason.answered, ["status": "\(status)"])
        }
    }
}

/// The reason why a call has no response.
package enum ContentFetchError: Error, Sendable, Hashable {
    /// The call is not permitted, now or later.
    case refused(Reason)
    /// The server failed and the call asks for a retry: the message must be rendered again later.
    case unavailable(Reason)

    package var reason: Reason {
        switch self {
        case .refused(let reason), .unavailable(let reason): reason
        }
    }

    package static func refused(
        _ code: ContentCallReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) -> ContentFetchError {
        .refused(Reason(code, arguments))
    }

    package static func unavailable(
        _ code: ContentCallReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) -> ContentFetchError {
        .unavailable(Reason(code, arguments))
    }
}
