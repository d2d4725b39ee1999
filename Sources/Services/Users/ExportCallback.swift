import Foundation
import Liquid
import Model
import NoroshiWire
import Ports
import Reasons

/// Notifies a URL that an export can be downloaded.
package struct ExportCallback: Sendable {
    private let fetcher: any ContentFetcher

    package init(fetcher: any ContentFetcher) {
        self.fetcher = fetcher
    }

    /// Calls a URL that a request names.
    ///
    /// - Parameter url: The link of the export.
    /// - Returns: The reason why the call failed; `nil` if it succeeded.
    /// - Throws: `RefusalError` with the code `callbackRefused` if the URL may not be called.
    package func tell(
        _ address: String,
        of url: String,
        for workspace: WorkspaceID
    ) async throws -> Reason? {
        var request = ConnectedContentRequest(url: address)
        request.method = "POST"
        request.contentType = "application/json"
        let told: JSONValue = ["success": true, "url": .string(url)]
        request.body = String(decoding: try JSONEncoder().encode(told), as: UTF8.self)
        do {
            let answer = try await fetcher.fetch(request, for: workspace)
            return answer.failure
        } catch ContentFetchError.refused(let reason) {
            throw RefusalError(.callbackRefused, ["reason": .reason(reason)])
        } catch ContentFetchError.unavailable(let reason) {
            return Reason(ContentCallReason.unreachable, ["reason": .reason(reason)])
        }
    }
}
