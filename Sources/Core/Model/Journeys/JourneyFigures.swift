import Foundation

/// How many people are and were in a journey.
package struct JourneyFigures: Sendable, Hashable {
    /// Entries, also of one person several times.
    package var entered: Int
    /// Who is in it now.
    package var inside: Int
    /// Entries whose goal was reached.
    package var converted: Int
    /// Entries that have ended, by reason.
    package var ended: [JourneyEnd: Int]
    /// By step; steps to which nobody has come yet are missing.
    package var steps: [JourneyStepID: JourneyStepFigures]

    package init(
        entered: Int = 0,
        inside: Int = 0,
        converted: Int = 0,
        ended: [JourneyEnd: Int] = [:],
        steps: [JourneyStepID: JourneyStepFigures] = [:]
    ) {
        self.entered = entered
        self.inside = inside
        self.converted = converted
        self.ended = ended
        self.steps = steps
    }
}

/// The figures of a journey in a list.
package struct JourneyTotals: Sendable, Hashable {
    /// Entries, also of one person several times.
    package var entered: Int
    /// Who is in it now.
    package var inside: Int
    /// Entries whose goal was reached.
    package var converted: Int

    package init(entered: Int = 0, inside: Int = 0, converted: Int = 0) {
        self.entered = entered
        self.inside = inside
        self.converted = converted
    }
}

/// How many people are and were at a step. `entered = waiting + passed + late + left`.
package struct JourneyStepFigures: Sendable, Hashable {
    package var waiting: Int
    package var passed: Int
    package var late: Int
    /// For whom the journey ended here.
    package var left: Int
    /// How many took each path or share, by index; whoever took the step's `next` is in none.
    package var paths: [Int: Int]
    /// Entries that have come here and whose goal was reached afterwards.
    package var converted: Int
    /// Webhooks that were given up.
    package var failed: Int

    package var entered: Int { waiting + passed + late + left }

    package init(
        waiting: Int = 0,
        passed: Int = 0,
        late: Int = 0,
        left: Int = 0,
        paths: [Int: Int] = [:],
        converted: Int = 0,
        failed: Int = 0
    ) {
        self.waiting = waiting
        self.passed = passed
        self.late = late
        self.left = left
        self.paths = paths
        self.converted = converted
        self.failed = failed
    }
}

/// The users who took one share of a split.
package struct JourneySplitCount: Sendable, Hashable {
    package var users: Int
    package var converted: Int

    package init(users: Int, converted: Int) {
        self.users = users
        self.converted = converted
    }
}

/// The people behind a figure of a step.
package enum JourneyStepGroup: String, Sendable, Hashable, CaseIterable {
    case entered, waiting, passed, late, left, converted, failed
}
