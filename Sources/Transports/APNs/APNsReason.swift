import Foundation
import Ports

/// What follows from Apple's answers.
package enum APNsReason {
    /// Apple asks senders to wait about a quarter of an hour after a server error.
    private static let serverErrorWait: Duration = .seconds(15 * 60)

    /// The outcome of an answer.
    ///
    /// - Parameters:
    ///   - reason: Apple's word; an open set.
    ///   - goneAt: with 410, when Apple last saw that the token was dead.
    ///   - registeredAt: when our record of the token was made.
    package static func outcome(
        status: Int,
        reason: String,
        goneAt: Date?,
        registeredAt: Date
    ) -> PushOutcome {
        if let wait = waits[reason] {
            return .retry(reason: reason, after: wait)
        }
        if status == 410 || reason == "Unregistered" || reason == "ExpiredToken" {
            return gone(reason: reason, goneAt: goneAt, registeredAt: registeredAt)
        }
        if let (consequence, advice) = refusals[reason] {
            return .rejected(
                PushRejection(reason: reason, consequence: consequence, advice: advice)
            )
        }
        return unknown(status: status, reason: reason)
    }

    private static func gone(
        reason: String,
        goneAt: Date?,
        registeredAt: Date
    ) -> PushOutcome {
        if let goneAt, registeredAt > goneAt {
            return .rejected(
                PushRejection(
                    reason: reason,
                    consequence: .keepToken,
                    advice: """
                        Apple saw this token die before the app registered it again. The token \
                        is kept; the next push shows whether it lives.
                        """
                )
            )
        }
        return .rejected(
            PushRejection(
                reason: reason,
                consequence: .retireToken,
                advice: "The app was removed or the token replaced. The token is retired."
            )
        )
    }

    /// A reason that Apple has added since: its status tells enough.
    private static func unknown(status: Int, reason: String) -> PushOutcome {
        switch status {
        case 429: return .retry(reason: reason, after: .seconds(60))
        case 500...599: return .retry(reason: reason, after: serverErrorWait)
        default: break
        }
        let consequence: PushRejection.Consequence =
            switch status {
            case 401, 403: .fixCredentials
            case 404, 405: .fixApp
            default: .fixMessage
            }
        return .rejected(
            PushRejection(
                reason: reason,
                consequence: consequence,
                advice: """
                    Apple refused the push with status \(status) and a reason that this version \
                    does not know. Apple's list: "Handling notification responses from APNs".
                    """
            )
        )
    }

    private static let waits: [String: Duration?] = [
        "TooManyRequests": .seconds(60),
        "TooManyProviderTokenUpdates": .seconds(20 * 60),
        "InternalServerError": serverErrorWait,
        "ServiceUnavailable": serverErrorWait,
        "Shutdown": .seconds(1),
        "IdleTimeout": .seconds(1),
    ]

    private static let refusals: [String: (PushRejection.Consequence, String)] = [
        "BadDeviceToken": (
            .keepToken,
            """
            Apple does not know this token here. Most often the app was signed for the other \
            environment: check whether the token belongs to production or sandbox.
            """
        ),
        "DeviceTokenNotForTopic": (
            .fixApp, "The token belongs to another app. Check the bundle identifier."
        ),
        "BadTopic": (.fixApp, "Apple does not take this topic. Check the bundle identifier."),
        "MissingTopic": (.fixApp, "Enter the app's bundle identifier."),
        "TopicDisallowed": (
            .fixApp, "These credentials may not push to this bundle identifier. Check both."
        ),
        "MissingDeviceToken": (.fixApp, "The request named no device token."),
        "BadPath": (.fixApp, "Apple does not know the path. Check the server's address."),
        "MethodNotAllowed": (.fixApp, "Something between here and Apple changed the request."),
        "BadCollapseId": (.fixMessage, "Shorten the collapse id to 64 bytes or fewer."),
        "BadExpirationDate": (.fixMessage, "Check the expiration date."),
        "BadMessageId": (.fixMessage, "The dispatch id is not a UUID."),
        "BadPriority": (.fixMessage, "A background push may not have the highest priority."),
        "DuplicateHeaders": (.fixMessage, "The request repeated a header."),
        "InvalidPushType": (.fixMessage, "The push type does not fit the payload."),
        "PayloadEmpty": (.fixMessage, "The payload is empty."),
        "PayloadTooLarge": (
            .fixMessage, "The payload is larger than 4,096 bytes. Shorten the texts or pairs."
        ),
        "BadCertificate": (
            .fixCredentials, "Apple does not accept the certificate. Upload a valid one."
        ),
        "BadCertificateEnvironment": (
            .fixCredentials,
            "The certificate is for the other environment. Upload one for this environment."
        ),
        "ExpiredProviderToken": (
            .fixCredentials,
            """
            Apple calls a fresh token expired: this server's clock is wrong. Set the time \
            (NTP), then send again.
            """
        ),
        "Forbidden": (.fixCredentials, "Apple forbids the request. Check key, team and app."),
        "InvalidProviderToken": (
            .fixCredentials,
            """
            Apple cannot verify the token. Check that key id, team id and .p8 file belong \
            together and that the key has not been revoked.
            """
        ),
        "MissingProviderToken": (
            .fixCredentials, "Upload a .p8 key or a .p12 certificate for this app."
        ),
        "UnrelatedKeyIdInToken": (
            .fixCredentials, "The key belongs to another team than the connection's first one."
        ),
        "BadEnvironmentKeyIdInToken": (
            .fixCredentials, "The key is limited to the other environment. Use a fitting key."
        ),
        "BadEnvironmentKeyInToken": (
            .fixCredentials, "The key is limited to the other environment. Use a fitting key."
        ),
    ]
}
