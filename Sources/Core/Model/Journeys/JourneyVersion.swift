import Foundation

/// A published definition, which never changes.
package struct JourneyVersion: Sendable, Hashable {
    package var journey: JourneyID
    /// From 1.
    package var number: Int
    package var definition: JourneyDefinition
    package var publishedAt: Date
    /// The name of the member or API key.
    package var publisher: String

    package init(
        journey: JourneyID,
        number: Int,
        definition: JourneyDefinition,
        publishedAt: Date,
        publisher: String
    ) {
        self.journey = journey
        self.number = number
        self.definition = definition
        self.publishedAt = publishedAt
        self.publisher = publisher
    }
}

/// What a new version means for the people who are in the journey.
package enum JourneyMigration: Sendable, Hashable, Codable {
    /// Everybody goes on with the version in which they are.
    case keep
    /// Everybody is moved to the new version. Whoever waits at a step that it still has stays there,
    /// and waits as it says now, counted from their arrival; whoever waits at another one goes on at
    /// the step named here, and leaves where none is named.
    case move(removed: [JourneyStepID: JourneyStepID])
}

/// What a migration would do with the people at one step.
package struct JourneyMigrationPreview: Sendable, Hashable {
    package var step: JourneyStepID
    /// Everybody who is there now, in all versions.
    package var waiting: Int
    /// Who waits on with the version in which they are.
    package var keeping: Int
    /// Who waits on at this step, as the new version says.
    package var staying: Int
    /// Who goes on at once, because the new version waits shorter, not at all or lacks the step.
    package var goingOn: Int
    /// Who leaves because the new version lacks the step.
    package var leaving: Int

    package init(
        step: JourneyStepID,
        waiting: Int = 0,
        keeping: Int = 0,
        staying: Int = 0,
        goingOn: Int = 0,
        leaving: Int = 0
    ) {
        self.step = step
        self.waiting = waiting
        self.keeping = keeping
        self.staying = staying
        self.goingOn = goingOn
        self.leaving = leaving
    }
}
