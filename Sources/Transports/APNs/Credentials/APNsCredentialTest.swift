import Foundation
import Model
import Ports
import PushHTTP

extension APNsTransport {
    /// Tests an app's credentials with a push to a device that does not exist.
    ///
    /// It uses the current provider token, so that frequent tests do not exceed Apple's limit for
    /// new tokens.
    package func testCredentials(
        bundleID: String,
        environment: APNsEnvironment,
        deadline: Duration = .seconds(10)
    ) async -> CredentialTestOutcome {
        let notification = APNsNotification(
            id: UUID().uuidString.lowercased(),
            deviceToken: String(repeating: "0", count: 64),
            bundleID: bundleID,
            environment: environment,
            pushType: .background,
            priority: 5,
            expiration: Date(timeIntervalSince1970: 0),
            payload: Array(#"{"aps":{"content-available":1}}"#.utf8)
        )
        let outcome = await send(notification, registeredAt: .distantPast, deadline: deadline)
        switch outcome {
        case .accepted:
            return .works
        case .rejected(let rejection):
            switch rejection.reason {
            // Apple checks the device token only after the credentials.
            case "BadDeviceToken", "DeviceTokenNotForTopic", "Unregistered", "ExpiredToken":
                return .works
            default:
                return .refused(reason: rejection.reason, advice: rejection.advice)
            }
        case .retry(let reason, _) where reason == "TooManyProviderTokenUpdates":
            return .refused(
                reason: reason,
                advice: "Apple has seen too many tokens of this team. Wait twenty minutes."
            )
        case .retry(let reason, _), .unknown(let reason):
            return .unanswered(reason: reason)
        }
    }
}
