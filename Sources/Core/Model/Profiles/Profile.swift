import Foundation
import NoroshiWire

/// A user: one row with the standard and custom attributes.
package struct Profile: Sendable, Hashable {
    package var id: ProfileID
    package var workspace: WorkspaceID
    /// The identifier assigned by the server; `braze_id` in the REST API.
    package var publicID: UUID
    package var externalID: String?
    /// The id of the installation whose anonymous user this is or was.
    package var anonymousID: UUID?
    package var standard: [StandardAttribute: JSONValue]
    package var custom: [String: JSONValue]
    package var sessionCount: Int
    package var firstSessionAt: Date?
    package var lastSessionAt: Date?
    package var createdAt: Date
    package var updatedAt: Date

    package init(
        id: ProfileID,
        workspace: WorkspaceID,
        publicID: UUID,
        externalID: String?,
        anonymousID: UUID?,
        createdAt: Date
    ) {
        self.id = id
        self.workspace = workspace
        self.publicID = publicID
        self.externalID = externalID
        self.anonymousID = anonymousID
        standard = [:]
        custom = [:]
        sessionCount = 0
        firstSessionAt = nil
        lastSessionAt = nil
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// Whether the user agrees to pushes; the default is yes.
    package var pushSubscription: SubscriptionState {
        standard[.pushSubscription]?.stringValue.flatMap(SubscriptionState.init) ?? .subscribed
    }
}

/// Whether a user agrees to a channel.
package enum SubscriptionState: String, Sendable, Hashable, Codable {
    case subscribed
    case optedIn = "opted_in"
    case unsubscribed
}
