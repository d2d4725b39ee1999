import Foundation
import Model
import Ports
import PushHTTP

/// What follows from a push service's answer (RFC 8030, RFC 8292, and what browsers' services do).
package enum WebPushResponse {
    package static func outcome(_ response: PushHTTPResponse) -> PushOutcome {
        switch response.status {
        case 201, 202, 200, 204:
            return .accepted(providerID: PushHTTPResponse.name(response.header("location")))
        case 404, 410:
            return .rejected(
                PushRejection(
                    reason: reason(response),
                    consequence: .retireToken,
                    advice: "The browser's subscription has ended. It is retired."
                )
            )
        case 401, 403:
            return .rejected(
                PushRejection(
                    reason: reason(response),
                    consequence: .fixCredentials,
                    advice: """
                        The push service does not accept the VAPID key. Use the key the browser \
                        subscribed with, a valid contact, and check this server's clock.
                        """
                )
            )
        case 413:
            return .rejected(
                PushRejection(
                    reason: "PayloadTooLarge",
                    consequence: .fixMessage,
                    advice: "The push service takes less than 4,096 bytes. Shorten the message."
                )
            )
        case 400 where response.bodyText.contains("VapidPkHashMismatch"):
            return .rejected(
                PushRejection(
                    reason: "VapidPkHashMismatch",
                    consequence: .fixCredentials,
                    advice: "The browser subscribed with another VAPID key. Use that key."
                )
            )
        case 429:
            return .retry(reason: reason(response), after: response.retryAfter ?? .seconds(60))
        case 500...599:
            return .retry(reason: reason(response), after: response.retryAfter ?? .seconds(30))
        case 300...399:
            return .rejected(
                PushRejection(
                    reason: reason(response),
                    consequence: .keepToken,
                    advice: "The push service redirects. Redirects are not followed."
                )
            )
        default:
            return .rejected(
                PushRejection(
                    reason: reason(response),
                    consequence: .fixMessage,
                    advice: "The push service refused the request: \(response.bodyText)"
                )
            )
        }
    }

    /// Apple's code or Mozilla's number if the body has one; otherwise the status.
    private static func reason(_ response: PushHTTPResponse) -> String {
        struct Body: Decodable {
            var reason: String?
            var errno: Int?
        }
        // Bodies that are not JSON are common here.
        let body = try? JSONDecoder().decode(Body.self, from: Data(response.body))
        if let reason = PushHTTPResponse.word(body?.reason) { return reason }
        if let number = body?.errno { return "HTTP \(response.status) (errno \(number))" }
        // Other providers answer 404 where something else is wrong; see `GoneDevice`.
        return response.status == 404 ? GoneDevice.webPushNotFound : "HTTP \(response.status)"
    }
}
