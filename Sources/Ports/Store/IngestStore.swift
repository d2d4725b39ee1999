import Foundation
import Model
import NoroshiWire

/// Where data comes in.
package protocol IngestStore: Sendable {
    /// Stores many requests in one transaction and answers for each item of each request.
    ///
    /// An item whose record id is known is acknowledged and not stored again. An item that cannot
    /// be stored is answered with its reason; the others count.
    func ingest(_ requests: [IngestRequest], now: Date) async throws -> [[IngestOutcome]]
}

/// What one client has to tell.
package struct IngestRequest: Sendable {
    package enum Source: Sendable {
        /// An installation of an app; the user of the last item is the one who is logged in.
        case device(SDKDevice, app: AppID)
        case api
    }

    package var workspace: WorkspaceID
    package var source: Source
    package var items: [IngestItem]
    /// The user whom a signed token that came along names; the device is proved to be this user's.
    package var provedUser: UserReference?
    /// The size of the request it came in; what waits is limited by it too.
    package var bytes: Int

    package init(
        workspace: WorkspaceID,
        source: Source,
        items: [IngestItem],
        provedUser: UserReference? = nil,
        bytes: Int = 0
    ) {
        self.workspace = workspace
        self.source = source
        self.items = items
        self.provedUser = provedUser
        self.bytes = bytes
    }
}

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

/// What became of one item.
package enum IngestOutcome: Sendable, Hashable {
    /// Stored, but for the attributes that are named.
    case stored(except: [AttributeProblem])
    /// Was stored before under the same record id.
    case duplicate
    /// Will never be stored.
    case rejected(field: String, message: String)
}
