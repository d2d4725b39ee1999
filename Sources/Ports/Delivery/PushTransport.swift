import Foundation
import Model

/// Hands pushes to one provider.
///
/// An implementation keeps its own connections, limits and credentials; `send` never throws,
/// because every ending of a push is an expected outcome that the ledger records.
package protocol PushTransport: Sendable {
    /// Sends one push and waits for the provider's answer, at most until `push.deadline`.
    func send(_ push: OutgoingPush) async -> PushOutcome
}

/// One push, addressed and rendered, ready for a provider.
package struct OutgoingPush: Sendable {
    package var dispatch: DispatchID
    package var sendID: SendID
    package var address: PushAddress
    /// When the device registered its token; decides whether a "gone" answer is still true.
    package var registeredAt: Date
    /// The message with all templates rendered.
    package var message: PushMessage
    package var options: DeliveryOptions
    /// How long to wait for the provider's answer.
    package var deadline: Duration

    package init(
        dispatch: DispatchID,
        sendID: SendID,
        address: PushAddress,
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

/// How one push ended, from the sender's point of view.
package enum PushOutcome: Sendable, Hashable {
    /// The provider has taken the push over; `providerID` is its own name for it.
    case accepted(providerID: String?)
    /// The provider refused the push.
    case rejected(PushRejection)
    /// The push was not taken and may be tried again, not before `after` where it is given.
    case retry(reason: String, after: Duration?)
    /// The push may or may not have been taken: the connection ended before the answer.
    case unknown(reason: String)
}

/// A refusal, and what follows from it.
package struct PushRejection: Sendable, Hashable {
    package enum Consequence: String, Sendable, Hashable {
        /// The token is dead: stop using it.
        case retireToken
        /// This push cannot reach the device as it is registered, which does not prove that the
        /// token is dead: keep it, send nothing again.
        case keepToken
        /// The message breaks a rule: every recipient would be refused.
        case fixMessage
        /// The credentials are wrong, expired or not for this app: stop the app's sends.
        case fixCredentials
        /// The app's settings (topic, environment) do not fit the token.
        case fixApp
    }

    /// The provider's own word, such as `BadDeviceToken`.
    package var reason: String
    package var consequence: Consequence
    /// What a person can do about it.
    package var advice: String

    package init(reason: String, consequence: Consequence, advice: String) {
        self.reason = reason
        self.consequence = consequence
        self.advice = advice
    }
}
