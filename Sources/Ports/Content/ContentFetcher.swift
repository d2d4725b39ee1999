import Liquid
import Model

/// Fetches what templates ask for with `connected_content`.
package protocol ContentFetcher: Sendable {
    /// Answers a call. A server that fails or does not answer in time gives an empty answer, as
    /// long as the call does not ask for a retry; its status is 0 when there was no answer.
    ///
    /// - Throws: `ContentFetchFailure`.
    func fetch(
        _ request: ConnectedContentRequest,
        for workspace: WorkspaceID
    ) async throws -> ConnectedContentResponse
}

/// Why a call has no answer.
package enum ContentFetchFailure: Error, Sendable, Hashable {
    /// The call may not be made, now or later; the text says why.
    case refused(String)
    /// The server failed and the call asks for a retry: render the message again later.
    case unavailable(String)
}
