import Foundation

/// A request of the REST API for users to enter a journey.
package struct JourneyRequest: Sendable {
    package var journey: JourneyID
    /// Each with the data that is stored first.
    package var recipients: [LaunchRecipient]
    /// Further users, whom it does not name.
    package var members: [ProfileID: MessageProperties]
    package var key: IdempotencyKey?

    package init(
        journey: JourneyID,
        recipients: [LaunchRecipient],
        members: [ProfileID: MessageProperties] = [:],
        key: IdempotencyKey? = nil
    ) {
        self.journey = journey
        self.recipients = recipients
        self.members = members
        self.key = key
    }
}

package enum JourneyRequestOutcome: Sendable {
    /// The outcomes of the recipients' data, in their order, and the number of users who are to
    /// enter.
    case accepted([IngestOutcome?], users: Int)
    /// The same request was accepted before, for this number of users.
    case known(users: Int)
    /// The key belongs to another request.
    case otherRequest
    /// The journey lets nobody in.
    case closed
}
