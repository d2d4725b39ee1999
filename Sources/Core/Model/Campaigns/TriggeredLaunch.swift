import Foundation

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
