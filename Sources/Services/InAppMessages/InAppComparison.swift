import Experiments
import Foundation
import Model

/// What the contents of an in-app message say so far: who saw which one first, who tapped, and who
/// reached the goal.
///
/// There is nothing to tap in the control group, so that it is compared by the goal only.
package struct InAppComparison: Sendable, Hashable {
    package struct Group: Sendable, Hashable {
        /// A variant is identified by the number of its content.
        package var identity: ExperimentGroup
        /// `nil` for the control group.
        package var content: InAppVariantRecord?
        /// The part of all users that is drawn for it, from 0 to 1.
        package var share: Double
        package var users: Int
        package var clicked: Int
        /// Users who reached the goal; 0 without one.
        package var converted: Int
    }

    /// The control group first, if there is one; contents without a weight are left out.
    package var groups: [Group]
    /// Users of the workspace's control group to whom it would have been shown. They get no other
    /// message either, and so are no group of this comparison.
    package var withheld: InAppGroupCounts
    package var smallestLift: Double
    /// Rates of users who tapped the message or a button.
    package var experiment: Experiment
    /// Rates of users who reached the goal, the control group among them; `nil` without a goal.
    package var conversions: Experiment?
    /// Whether users are spread over the groups as they are drawn now; `nil` where there is nobody.
    package var split: SplitCheck?
    /// Since when users who saw the message for the first time are compared, where the goal was
    /// chosen after showings were summed up.
    package var completeSince: Date?

    init(
        _ message: InAppMessageDefinition,
        _ contents: [InAppVariantRecord],
        _ counts: [Int?: InAppGroupCounts],
        withheld: InAppGroupCounts,
        smallestLift: Double,
        completeSince: Date?
    ) {
        let experiment = message.experiment
        let control = Double(experiment.controlShare) / 100
        let weights = Double(experiment.weights.reduce(0, +))
        func group(
            _ identity: ExperimentGroup,
            _ content: InAppVariantRecord?,
            _ share: Double
        ) -> Group {
            let found = counts[content?.number]
            return Group(
                identity: identity,
                content: content,
                share: share,
                users: found?.users ?? 0,
                clicked: found?.clicked ?? 0,
                converted: found?.converted ?? 0
            )
        }
        var groups = control > 0 ? [group(.control, nil, control)] : []
        // Where everybody is in the control group, no variant is drawn.
        groups += zip(contents, experiment.weights).filter { $1 > 0 && control < 1 }
            .map { content, weight in
                group(.variant(content.number), content, (1 - control) * Double(weight) / weights)
            }
        self.groups = groups
        self.withheld = withheld
        self.smallestLift = smallestLift
        self.completeSince = completeSince
        func compared(_ groups: [Group], _ successes: KeyPath<Group, Int>) -> Experiment {
            Experiment(
                arms: groups.map { group in
                    ExperimentArm(
                        group: group.identity,
                        share: group.share,
                        sample: GroupSample(
                            users: group.users,
                            successes: group[keyPath: successes]
                        )
                    )
                },
                isRate: true,
                smallestLift: smallestLift
            )
        }
        self.experiment = compared(groups.filter { $0.identity != .control }, \.clicked)
        conversions = message.goal == nil ? nil : compared(groups, \.converted)
        split =
            groups.count > 1 && groups.contains { $0.users > 0 }
            ? SplitCheck(users: groups.map(\.users), shares: groups.map(\.share)) : nil
    }

    /// Users of all compared contents together that find the smallest lift with 80 % probability;
    /// `nil` if that cannot be said.
    package func requiredUsers(baseline: Double) -> RequiredSize.Users? {
        Experiment.requiredUsers(
            shares: experiment.arms.map(\.share),
            baseline: baseline,
            smallestLift: smallestLift
        )
    }
}
