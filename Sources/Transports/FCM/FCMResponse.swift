import Foundation
import Ports
import PushHTTP

/// Maps FCM's responses to outcomes.
package enum FCMResponse {
    private struct Body: Decodable {
        struct Failure: Decodable {
            var message: String?
            var status: String?
            var details: [Detail]?
        }

        struct Detail: Decodable {
            var type: String?
            var errorCode: String?

            enum CodingKeys: String, CodingKey {
                case type = "@type"
                case errorCode
            }
        }

        var error: Failure?
        var name: String?
    }

    private static let fcmError = "type.googleapis.com/google.firebase.fcm.v1.FcmError"
    private static let badRequest = "type.googleapis.com/google.rpc.BadRequest"

    /// FCM's own error code, such as `UNREGISTERED`; `nil` if the response has none.
    package static func errorCode(_ response: PushHTTPResponse) -> String? {
        let details = body(response)?.error?.details
        return PushHTTPResponse.word(details?.first { $0.type == fcmError }?.errorCode)
    }

    package static func outcome(_ response: PushHTTPResponse) -> PushOutcome {
        let body = body(response)
        if response.status == 200 {
            return .accepted(providerID: PushHTTPResponse.name(body?.name))
        }
        let text = body?.error?.message.map { PushHTTPResponse.line($0) } ?? response.bodyText
        let status = PushHTTPResponse.word(body?.error?.status)
        let code = errorCode(response) ?? status ?? "HTTP \(response.status)"
        switch code {
        case "UNREGISTERED":
            return rejected(code, .retireToken, "The app was removed or the token replaced.")
        case "INVALID_ARGUMENT":
            let isAboutMessage =
                body?.error?.details?.contains { $0.type == badRequest } ?? false
            return isAboutMessage
                ? rejected(code, .fixMessage, "FCM refuses the message: \(text)")
                : rejected(code, .retireToken, "FCM does not know the form of this token.")
        case "SENDER_ID_MISMATCH":
            return rejected(
                code,
                .fixApp,
                "The token belongs to another Firebase project. Check the app's project."
            )
        case "THIRD_PARTY_AUTH_ERROR":
            return rejected(
                code,
                .fixCredentials,
                "The APNs key or web push key in the Firebase project is missing or wrong."
            )
        case "QUOTA_EXCEEDED", "RESOURCE_EXHAUSTED":
            return .retry(reason: code, after: response.retryAfter ?? .seconds(60))
        case "INTERNAL", "UNAVAILABLE":
            return .retry(reason: code, after: max(response.retryAfter ?? .zero, .seconds(10)))
        default:
            return unknown(code, text, response)
        }
    }

    private static func unknown(
        _ code: String,
        _ text: String,
        _ response: PushHTTPResponse
    ) -> PushOutcome {
        switch response.status {
        case 429:
            return .retry(reason: code, after: response.retryAfter ?? .seconds(60))
        case 500...599:
            return .retry(reason: code, after: max(response.retryAfter ?? .zero, .seconds(10)))
        case 401, 403:
            return rejected(
                code,
                .fixCredentials,
                "Google refuses the service account: \(text). Check its role and the project."
            )
        case 404:
            return rejected(code, .fixApp, "Google does not know the project: \(text)")
        default:
            return rejected(code, .fixMessage, "FCM refused the push: \(text)")
        }
    }

    private static func rejected(
        _ reason: String,
        _ consequence: PushRejection.Consequence,
        _ advice: String
    ) -> PushOutcome {
        .rejected(PushRejection(reason: reason, consequence: consequence, advice: advice))
    }

    private static func body(_ response: PushHTTPResponse) -> Body? {
        // A response that is not FCM's JSON is judged by its status.
        try? JSONDecoder().decode(Body.self, from: Data(response.body))
    }
}
