import Foundation

/// One person's way through a journey: an entry, the position in it, and its end.
package struct JourneyEntry: Sendable, Hashable {
    package var id: JourneyEntryID
    package var journey: JourneyID
    package var profile: ProfileID
    /// The number of entries of this person into this journey before it.
    package var number: Int
    /// The version that the person goes through.
    package var version: Int
    package var enteredAt: Date
    /// What the person brought along; it reaches every template and branch.
    package var properties: MessageProperties
    /// Where the person waits; `nil` after the end.
    package var position: JourneyPosition?
    package var end: JourneyEnd?
    package var endedAt: Date?
    /// The first time that the goal was reached.
    package var convertedAt: Date?

    package init(
        id: JourneyEntryID,
        journey: JourneyID,
        profile: ProfileID,
        number: Int,
        version: Int,
        enteredAt: Date,
        properties: MessageProperties = MessageProperties(),
        position: JourneyPosition? = nil,
        end: JourneyEnd? = nil,
        endedAt: Date? = nil,
        convertedAt: Date? = nil
    ) {
        self.id = id
        self.journey = journey
        self.profile = profile
        self.number = number
        self.version = version
        self.enteredAt = enteredAt
        self.properties = properties
        self.position = position
        self.end = end
        self.endedAt = endedAt
        self.convertedAt = convertedAt
    }
}

/// Where a person is in a journey, and what moves them on.
package struct JourneyPosition: Sendable, Hashable {
    package var step: JourneyStepID
    /// The number of steps of this entry before it: together with the entry it names the passage.
    package var passage: Int
    package var arrivedAt: Date
    /// When the person goes on, at the latest; `nil` if only a change of their profile or of the
    /// journey moves them.
    package var dueAt: Date?
    package var awaits: Awaited

    /// What besides the time moves a person on.
    package enum Awaited: Int, Sendable, Hashable, CaseIterable {
        case time = 0
        case event = 1
        /// A change of the profile after which the person matches.
        case match = 2
        /// The step was not taken yet.
        case arrival = 3
        /// The person was moved to another version, whose wait counts from the arrival.
        case settling = 4
    }

    package init(
        step: JourneyStepID,
        passage: Int,
        arrivedAt: Date,
        dueAt: Date?,
        awaits: Awaited = .time
    ) {
        self.step = step
        self.passage = passage
        self.arrivedAt = arrivedAt
        self.dueAt = dueAt
        self.awaits = awaits
    }
}

/// Why a person is in a journey no more.
package enum JourneyEnd: String, Sendable, Hashable, Codable, CaseIterable {
    /// Came to the end of the steps.
    case completed
    /// Came to a step `exit`.
    case exited
    /// Met an exit rule.
    case exitRule = "exit_rule"
    /// Reached the goal of a journey that ends there.
    case goal
    /// The journey was stopped.
    case stopped
    /// The step at which they were is not in the version to which they were moved.
    case removedStep = "removed_step"
    /// Was merged into a user who is in the journey too.
    case merged
    /// Went through too many steps without a wait.
    case tooManySteps = "too_many_steps"
}
