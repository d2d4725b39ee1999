import Foundation

/// A request of the REST API for users to enter a journey.
package struct JourneyRequest: Sendable {
    package var journey: JourneyID
    /// Each with the data that is stored first.
    package var recipients: [LaunchRecipient]
    /// Further users, whom it does not name.
    package var members: [ProfileID: MessageProperties]
    package var key: IdempotencyKey?
    /// When they are to enter; `nil` means at once.
    package var schedule: JourneySchedule?

    package init(
        journey: JourneyID,
        recipients: [LaunchRecipient],
        members: [ProfileID: MessageProperties] = [:],
        key: IdempotencyKey? = nil,
        schedule: JourneySchedule? = nil
    ) {
        self.journey = journey
        self.recipients = recipients
        self.members = members
        self.key = key
        self.schedule = schedule
    }
}

/// A time at which the users of a request enter.
package struct JourneySchedule: Sendable, Hashable {
    /// The identifier of the REST API (`schedule_id`).
    package var id: UUID
    package var at: Date

    package init(id: UUID, at: Date) {
        self.id = id
        self.at = at
    }
}

/// What became of a change of a ``JourneySchedule``.
package enum JourneyScheduleOutcome: Sendable, Hashable {
    case done
    case unknown
    /// Its time has come.
    case begun
    case cancelled
}

package enum JourneyRequestOutcome: Sendable {
    /// The outcomes of the recipients' data, in their order, and the number of users who are to
    /// enter.
    case accepted([IngestOutcome?], users: Int)
    /// The same request was accepted before, for this number of users and perhaps for a time.
    case known(users: Int, schedule: UUID?)
    /// The key belongs to another request.
    case otherRequest
    /// The journey lets nobody in.
    case closed
}
