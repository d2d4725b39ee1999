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
        /// An event such as a purchase or a session, in the form in which a server stores it.
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

    /// The identity of the record, if the client gives one; a stored record is not stored again.
    package var recordID: UUID?
    package var user: UserReference
    /// Whether an unknown user is rejected instead of created.
    package var updatesExistingOnly: Bool
    package var time: Date
    package var content: Content
    /// Push tokens included with the content.
    package var pushTokens: [ImportedPushToken] = []
    /// Whether the tokens are not attributed to a user. A token that is already stored is left
    /// unchanged.
    package var isTokenImport = false
    /// The app in which it occurred, if a server names it: its SDK key or bundle identifier.
    package var app: String?
    /// An alias that the user gets with the content.
    package var alias: UserAlias?
    /// The data of a user who is restored from an export.
    package var restored: RestoredUser?
    /// What of the element was left out when it was read; the outcome names it.
    package var leftOut: [FieldProblem] = []

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
