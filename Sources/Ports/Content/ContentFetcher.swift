import Liquid
import Model

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

/// The reason why a call has no response.
package enum ContentFetchError: Error, Sendable, Hashable {
    /// The call is not permitted, now or later; the text gives the reason.
    case refused(String)
    /// The server failed and the call asks for a retry: the message must be rendered again later.
    case unavailable(String)
}
