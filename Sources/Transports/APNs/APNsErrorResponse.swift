import Foundation
import PushHTTP

/// The body of an error response.
struct APNsErrorResponse {
    private struct Body: Decodable {
        var reason: String?
        /// Milliseconds since 1970.
        var timestamp: Double?
    }

    var reason: String
    var goneAt: Date?

    init(_ response: PushHTTPResponse) {
        // A body that is not Apple's (from a proxy, for example) leaves the status as the only
        // reason.
        let body = try? JSONDecoder().decode(Body.self, from: Data(response.body))
        reason = PushHTTPResponse.word(body?.reason) ?? "HTTP \(response.status)"
        goneAt = body?.timestamp.map { Date(timeIntervalSince1970: $0 / 1000) }
    }
}
