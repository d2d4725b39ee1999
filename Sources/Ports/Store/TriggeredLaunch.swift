import Foundation
import Model

/// What a request has an API-triggered campaign send.
package struct TriggeredLaunch: Sendable {
    /// The send to make; `recipients` take the place of its audience where they are given.
    package var occurrence: OccurrenceLaunch
    /// The users whom the request names; `nil` leaves the audience of the content.
    package var recipients: [LaunchRecipient]?
    /// The request's `send_id`, which belongs to this campaign from then on.
    package var trackingID: String?

    package init(
        occurrence: OccurrenceLaunch,
        recipients: [LaunchRecipient]? = nil,
        trackingID: String? = nil
    ) {
        self.occurrence = occurrence
        self.recipients = recipients
        self.trackingID = trackingID
    }
}

/// A user whom a request names, and what it says of them.
package struct LaunchRecipient: Sendable {
    package var user: UserReference
    /// Stored before the send is made; it makes a user who is unknown, if it may.
    package var item: IngestItem?
    package var properties: DispatchProperties
    /// Its place in the request.
    package var index = 0

    package init(
        user: UserReference,
        item: IngestItem? = nil,
        properties: DispatchProperties = DispatchProperties()
    ) {
        self.user = user
        self.item = item
        self.properties = properties
    }
}

package enum TriggerOutcome: Sendable {
    /// The send, and what became of each recipient's item.
    case launched(Send, [IngestOutcome?])
    /// The key made this send before; nothing was stored now.
    case known(Send)
    /// The key belongs to a request that said something else.
    case otherRequest
    /// The `send_id` belongs to another campaign.
    case trackingIDTaken
    /// The campaign is no longer active, or moved on.
    case outdated
}
