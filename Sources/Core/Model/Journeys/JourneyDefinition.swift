import Foundation

/// What a journey does: who enters, the steps, and what ends it early. A published version keeps a
/// copy that never changes.
package struct JourneyDefinition: Sendable, Hashable, Codable {
    package var name: String
    package var note: String
    package var tags: [String]
    package var entry: JourneyEntryRule
    /// Only users who match at that moment enter; `nil` means all of them.
    package var audience: SegmentQuery?
    /// Whether somebody who was in the journey before can enter it again, from the last entry on.
    /// Nobody is in one journey twice at the same time.
    package var reentry: Reeligibility
    /// Whoever meets one of them leaves; looked at before each step is taken, and events at once.
    package var exits: [JourneyExitRule]
    /// What the journey aims for, counted from the entry on, also after its end; `nil` if nothing is
    /// counted.
    package var goal: ConversionEvent?
    /// Whether whoever reaches the goal leaves.
    package var endsAtGoal: Bool
    /// Whether its messages ignore the workspace's frequency caps and do not count toward them.
    package var isExemptFromCaps: Bool
    package var quietHours: QuietHoursHandling
    /// In the order in which they are shown; everybody begins with the first one.
    package var steps: [JourneyStep]

    package init(name: String, entry: JourneyEntryRule, steps: [JourneyStep] = []) {
        self.name = name
        self.entry = entry
        self.steps = steps
        note = ""
        tags = []
        audience = nil
        reentry = .never
        exits = []
        goal = nil
        endsAtGoal = false
        isExemptFromCaps = false
        quietHours = .delay
    }

    package func step(_ id: JourneyStepID) -> JourneyStep? { steps.first { $0.id == id } }
}

/// How people enter a journey.
package enum JourneyEntryRule: Sendable, Hashable, Codable {
    /// Who performs this after the journey was started.
    case event(EventMatch)
    /// Everybody who is in the segment at `at`, once; `nil` means when the journey is started.
    case members(SegmentQuery, at: Date?)
    /// Who comes into the segment after the journey was started.
    case entering(SegmentQuery)
    /// Whom a request of the REST API names.
    case api
    /// Who passes a step of another journey that leads here.
    case journey
}

/// What ends a journey for a person before the last step.
package enum JourneyExitRule: Sendable, Hashable, Codable {
    case event(EventMatch)
    case segment(SegmentQuery)
}
