import Foundation
import Model

/// Where a person is in a journey, since when and why, and what comes next.
package struct JourneyExplanation: Sendable, Hashable {
    package var journey: Journey
    /// The version through which the person goes.
    package var definition: JourneyDefinition
    package var entry: JourneyEntry
    /// The steps that were left, in this order.
    package var passages: [JourneyPassage]

    package init(
        journey: Journey,
        definition: JourneyDefinition,
        entry: JourneyEntry,
        passages: [JourneyPassage]
    ) {
        self.journey = journey
        self.definition = definition
        self.entry = entry
        self.passages = passages
    }

    /// The step at which the person is; `nil` after the end.
    package var step: JourneyStep? { entry.position.flatMap { definition.step($0.step) } }

    /// What moves the person on, and to which step.
    package var next: Next {
        guard let position = entry.position else {
            return .over(entry.end ?? .completed, at: entry.endedAt ?? entry.enteredAt)
        }
        if journey.state == .paused { return .whenResumed }
        guard let step else { return .atOnce(nil) }
        switch (step.kind, position.awaits) {
        case (_, .arrival), (_, .settling): return .atOnce(step.id)
        case (.wait(.event(let match, _, let late)), _):
            return .event(match, to: step.next, until: position.dueAt, late: late)
        case (.wait(.match(let query, _, let late)), _):
            return .match(query, to: step.next, until: position.dueAt, late: late)
        default: return .time(position.dueAt ?? position.arrivedAt, to: step.next)
        }
    }

    /// `to` and `late` are steps; `nil` completes the journey.
    package enum Next: Sendable, Hashable {
        case time(Date, to: JourneyStepID?)
        case event(EventMatch, to: JourneyStepID?, until: Date?, late: JourneyStepID?)
        case match(SegmentQuery, to: JourneyStepID?, until: Date?, late: JourneyStepID?)
        /// With the next round of the runner: this step is taken, or its wait counted anew.
        case atOnce(JourneyStepID?)
        case whenResumed
        case over(JourneyEnd, at: Date)
    }
}
