import Foundation
import Model

/// Hands pushes to one provider.
///
/// An implementation manages its own connections, limits and credentials. `send` never throws,
/// because every result of a push is an expected outcome to be recorded.
package protocol PushTransport: Sendable {
    /// Sends one push and waits for the provider's response, at most until `push.deadline`.
    func send(_ push: OutgoingPush) async -> PushOutcome
}

/// One push, addressed and rendered, ready for a provider.
package struct OutgoingPush: Sendable {
    package var dispatch: DispatchID
    package var sendID: SendID
    package var address: PushDestination
    /// When the device registered its token, which decides whether a "gone" response still applies.
    package var registeredAt: Date
    /// The message with all templates rendered.
    package var message: PushMessage
    package var options: DeliveryOptions
    /// Maximum time to wait for the provider's response.
    package var deadline: Duration

    package init(
        dispatch: DispatchID,
        sendID: SendID,
        address: PushDestination,
        registeredAt: Date,
        message: PushMessage,
        options: DeliveryOptions,
        deadline: Duration = .seconds(30)
    ) {
        self.dispatch = dispatch
        self.sendID = sendID
        self.address = address
        self.registeredAt = registeredAt
        self.message = message
        self.options = options
        self.deadline = deadline
    }
}

/// The result of one push, from the sender's point of view.
package enum PushOutcome: Sendable, Hashable {
    /// The provider has accepted the push; `providerID` is its own id for it.
    case accepted(providerID: String?)
    /// The provider rejected the push.
    case rejected(PushRejection)
    /// The push was not accepted and may be retried, no earlier than `after` if it is given.
    case retry(reason: String, after: Duration?)
    /// The push may or may not have been accepted: the connection ended before the response.
    case unknown(reason: String)
}

/// A rejection and its consequence.
package struct PushRejection: Sendable, Hashable {
    package enum Consequence: String, Sendable, Hashable {
        /// The token is invalid: stop using it.
        case retireToken
        /// This push cannot reach the device as it is registered, which does not prove that the
        /// token is invalid: keep it and do not retry.
        case keepToken
        /// The message breaks a rule: it would be rejected for every recipient.
        case fixMessage
        /// The credentials are wrong, expired or not for this app: stop the app's sends.
        case fixCredentials
        /// The app's settings (topic, environment) do not fit the token.
        case fixApp
    }

    /// The provider's own code, such as `BadDeviceToken`.
    package var reason: String
    package var consequence: Consequence
    /// How a person can fix the problem.
    package var advice: String

    package init(reason: String, consequence: Consequence, advice: String) {
        self.reason = reason
        self.consequence = consequence
        self.advice = advice
    }
}
