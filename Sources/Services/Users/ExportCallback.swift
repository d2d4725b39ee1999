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
    /// - Throws: `Refusal` with the code `callbackRefused` if the URL may not be called.
    package func tell(
        _ address: String,
        of url: String,
        for workspace: WorkspaceID
    ) async throws -> String? {
        var request = ConnectedContentRequest(url: address)
        request.method = "POST"
        request.contentType = "application/json"
        let told: JSONValue = ["success": true, "url": .string(url)]
        request.body = String(decoding: try JSONEncoder().encode(told), as: UTF8.self)
        do {
            let answer = try await fetcher.fetch(request, for: workspace)
            guard !(200..<300).contains(answer.status) else { return nil }
            return answer.status == 0 ? "did not answer" : "answered \(answer.status)"
        } catch ContentFetchError.refused(let reason) {
            throw Refusal(.callbackRefused, ["reason": .text(reason)])
        } catch ContentFetchError.unavailable(let reason) {
            return "cannot be reached: \(reason)"
        }
    }
}
