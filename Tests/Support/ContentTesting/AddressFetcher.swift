import Liquid
import Model
import Ports
import Synchronization

/// Answers each call of a template with the address it asks for, as `{"from": "…"}`, or fails.
package final class AddressFetcher: ContentFetcher {
    private let calls = Mutex<[String]>([])
    private let failure: ContentFetchError?

    package init(failure: ContentFetchError? = nil) {
        self.failure = failure
    }

    /// The addresses it was asked for.
    package var urls: [String] { calls.withLock { $0 } }

    package func fetch(
        _ request: ConnectedContentRequest,
        for workspace: WorkspaceID
    ) async throws -> ConnectedContentResponse {
        calls.withLock { $0.append(request.url) }
        if let failure { throw failure }
        return ConnectedContentResponse(
            status: 200,
            body: Array(#"{"from": "\#(request.url)"}"#.utf8)
        )
    }
}
