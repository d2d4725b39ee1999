import Foundation

/// A send of an API-triggered campaign that a request asks for.
package struct TriggeredLaunch: Sendable {
    /// The send to create; `recipients` replace its audience if they are given.
    package var occurrence: LaunchRequest
    /// The users whom the request names; `nil` uses the audience of the content.
    package var recipients: [LaunchRecipient]?
    /// The request's `send_id`, which is assigned to this campaign.
    package var trackingID: String?

    package init(
        occurrence: LaunchRequest,
        recipients: [LaunchRecipient]? = nil,
        trackingID: String? = nil
    ) {
        self.occurrence = occurrence
        self.recipients = recipients
        self.trackingID = trackingID
    }
}
