import Foundation
import NoroshiWire

package struct IngestItem: Sendable {
    package enum Content: Sendable {
        case event(name: String, properties: EventProperties)
        case purchase(
            product: String,
            currency: String,
            price: Double,
            quantity: Int,
            properties: EventProperties
        )
        case attributes(AttributeChanges)
        /// A purchase, a session or the like as a server has stored it.
        case storedEvent(name: String, properties: EventProperties)
        case alias(name: String, label: String)
        case userChanged(previous: UserReference)
        case sessionStarted
        case sessionEnded(duration: Double)
        case pushRegistered(PushRegistration)
        case pushCleared
        case pushInteraction(SDKRecord.PushInteraction)
        case inAppMessage(SDKRecord.InAppMessageInteraction)
    }

    /// The identity of the record, where the client gives one; a known one is not stored again.
    package var recordID: UUID?
    package var user: UserReference
    /// Never makes a profile: an unknown user is a rejection.
    package var updatesExistingOnly: Bool
    package var time: Date
    package var content: Content
    /// Push tokens that come with the content.
    package var pushTokens: [ImportedPushToken] = []
    /// Tokens of nobody in particular: one that is known already changes nothing.
    package var isTokenImport = false
    /// The app in which it happened, where a server says so: its SDK key or bundle identifier.
    package var app: String?
    /// Another name that the user gets with the content.
    package var alias: UserAlias?
    /// What is known of a user who is brought back from an export.
    package var restored: RestoredUser?
    /// What of the element was left out when it was read; the outcome names it.
    package var leftOut: [AttributeProblem] = []

    package init(
        recordID: UUID?,
        user: UserReference,
        updatesExistingOnly: Bool = false,
        time: Date,
        content: Content
    ) {
        self.recordID = recordID
        self.user = user
        self.updatesExistingOnly = updatesExistingOnly
        self.time = time
        self.content = content
    }
}
