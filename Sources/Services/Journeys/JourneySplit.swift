import Experiments
import Foundation
import Model
import Ports

/// What the shares of a random split say so far: who took which one, and who reached the goal after
/// it.
///
/// Each user counts once, with the first passage under the present shares.
package struct JourneySplit: Sendable, Hashable {
    package struct Group: Sendable, Hashable {
        /// The index of the share.
        package var index: Int
        package var name: String
        package var identity: ExperimentGroup
        /// The part of all users, relative to the others.
        package var weight: Int
        package var users: Int
        package var converted: Int
    }

    /// The control share first, if there is one; shares without a weight are left out.
    package var groups: [Group]
    package var smallestLift: Double
    /// Rates of users who reached the goal.
    package var experiment: Experiment
    /// Whether users are spread over the shares as drawn; `nil` where there is nobody.
    package var split: SplitCheck?

    init(_ shares: [JourneyShare], _ counts: [Int: JourneySplitCount], smallestLift: Double) {
        // The others are compared with the first control share.
        let control = shares.firstIndex(where: \.isControl)
        var groups = shares.indices.filter { shares[$0].weight > 0 }.map { index in
            Group(
                index: index,
                name: shares[index].name,
                identity: index == control ? .control : .variant(index),
                weight: shares[index].weight,
                users: counts[index]?.users ?? 0,
                converted: counts[index]?.converted ?? 0
            )
        }
        if let place = groups.firstIndex(where: { $0.identity == .control }) {
            groups.insert(groups.remove(at: place), at: 0)
        }
        self.groups = groups
        self.smallestLift = smallestLift
        experiment = Experiment(
            arms: groups.map { group in
                ExperimentArm(
                    group: group.identity,
                    share: Double(group.weight),
                    sample: GroupSample(users: group.users, successes: group.converted)
                )
            },
            isRate: true,
            smallestLift: smallestLift
        )
        let hasUsers = groups.contains { $0.users > 0 }
        split =
            hasUsers && groups.count > 1
            ? SplitCheck(users: groups.map(\.users), shares: groups.map { Double($0.weight) })
            : nil
    }

    /// Users of all shares together that find the smallest lift with 80 % probability; `nil` if that
    /// cannot be said.
    package func requiredUsers(baseline: Double) -> RequiredSize.Users? {
        Experiment.requiredUsers(
            shares: groups.map { Double($0.weight) },
            baseline: baseline,
            smallestLift: smallestLift
        )
    }
}

extension JourneyService {
    /// What the shares of a split in the present version say; `nil` if the step is no split.
    ///
    /// - Parameter smallestLift: The smallest relative lift that is worth knowing, above 0.
    package func split(
        at step: JourneyStepID,
        of journey: Journey,
        smallestLift: Double = Experiment.usualLift
    ) async throws -> JourneySplit? {
        // The newest first: those with the present shares, since they were changed last.
        let versions = try await store.journeyVersions(of: journey.id)
        guard let shares = versions.first?.definition.shares(of: step) else { return nil }
        let same = versions.prefix { version in
            version.definition.shares(of: step).map { $0.map(\.drawn) } == shares.map(\.drawn)
        }
        return JourneySplit(
            shares,
            try await store.splitCounts(of: journey.id, at: step, in: same.map(\.number)),
            smallestLift: smallestLift
        )
    }
}

extension JourneyDefinition {
    fileprivate func shares(of step: JourneyStepID) -> [JourneyShare]? {
        guard case .split(let shares)? = self.step(step)?.kind else { return nil }
        return shares
    }
}

extension JourneyShare {
    fileprivate struct Drawn: Hashable {
        var weight: Int
        var isControl: Bool
    }

    /// What must be as it was for users to be comparable.
    fileprivate var drawn: Drawn { Drawn(weight: weight, isControl: isControl) }
}
