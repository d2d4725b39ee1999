/// Groups of users that were drawn by chance, compared in one measure.
package struct Experiment: Sendable, Hashable {
    /// Probability that anything is ever said of groups without a difference.
    package static let alpha = 0.05
    /// The smallest relative lift that is worth knowing, where nobody says another.
    package static let usualLift = 0.1

    /// What the experiment says.
    package enum Verdict: Sendable, Hashable {
        /// There are no two groups with users.
        case nothingToCompare
        /// Better than each of the others.
        case winner(ExperimentGroup)
        /// No two groups differ by more than what is worth knowing.
        case noDifference
        /// More users may tell. `missing` is how many more the experiment is likely to need; `nil`
        /// if that cannot be said.
        case unknown(missing: Int?)
    }

    package var arms: [ExperimentArm]
    /// Every group against every group before it.
    package var comparisons: [GroupComparison]
    package var verdict: Verdict

    /// - Parameters:
    ///   - arms: The control group first, if there is one.
    ///   - isRate: Whether the values are 1 and 0.
    ///   - smallestLift: The smallest relative lift that is worth knowing, above 0.
    package init(arms: [ExperimentArm], isRate: Bool, smallestLift: Double = usualLift) {
        self.arms = arms
        let pairs = Self.pairs(arms.count)
        let comparisons = pairs.map { first, second in
            GroupComparison(
                of: arms[second],
                against: arms[first],
                comparisons: pairs.count,
                smallestLift: smallestLift,
                isRate: isRate
            )
        }
        self.comparisons = comparisons
        if arms.count < 2 || arms.contains(where: { $0.sample.users == 0 }) {
            verdict = .nothingToCompare
        } else if let winner = arms.first(where: { Self.isBest($0.group, comparisons) }) {
            verdict = .winner(winner.group)
        } else if comparisons.allSatisfy({ $0.outcome == .noDifference }) {
            verdict = .noDifference
        } else {
            let users = arms.map(\.sample.users).reduce(0, +)
            let required =
                isRate
                ? Self.requiredUsers(
                    shares: arms.map(\.share),
                    baseline: arms[0].sample.mean,
                    smallestLift: smallestLift
                ) : nil
            verdict = .unknown(
                missing: required.flatMap { $0.sequential > users ? $0.sequential - users : nil }
            )
        }
    }

    private static func pairs(_ count: Int) -> [(Int, Int)] {
        (0..<count).flatMap { first in ((first + 1)..<max(count, first + 1)).map { (first, $0) } }
    }

    /// Whether a variant is better than each of the other variants, whatever the control group does;
    /// never, where there is no other.
    package func isBestVariant(_ group: ExperimentGroup) -> Bool {
        let amongVariants = comparisons.filter { $0.group != .control && $0.reference != .control }
        return amongVariants.contains { $0.group == group || $0.reference == group }
            && Self.isBest(group, amongVariants)
    }

    private static func isBest(
        _ group: ExperimentGroup,
        _ comparisons: [GroupComparison]
    ) -> Bool {
        comparisons.allSatisfy { comparison in
            if comparison.group == group { return comparison.outcome == .better }
            if comparison.reference == group { return comparison.outcome == .worse }
            return true
        }
    }

    /// Users of the whole experiment, so that a lift between any two groups is found with the power
    /// of ``RequiredSize``.
    ///
    /// - Parameters:
    ///   - shares: The groups' shares, relative to each other.
    ///   - baseline: The rate without the lift.
    /// - Returns: `nil` if there are no two groups, or no size can be said.
    package static func requiredUsers(
        shares: [Double],
        baseline: Double,
        smallestLift: Double = usualLift
    ) -> RequiredSize.Users? {
        let pairs = pairs(shares.count)
        let whole = shares.reduce(0, +)
        var required: RequiredSize.Users?
        for (first, second) in pairs {
            let both = shares[first] + shares[second]
            guard
                let users = RequiredSize.users(
                    baseline: baseline,
                    lift: smallestLift,
                    share: shares[second] / both,
                    alpha: alpha / Double(pairs.count)
                )
            else { return nil }
            func scaled(_ users: Int) -> Int { Int((Double(users) * whole / both).rounded(.up)) }
            required = RequiredSize.Users(
                sequential: max(required?.sequential ?? 0, scaled(users.sequential)),
                fixed: max(required?.fixed ?? 0, scaled(users.fixed))
            )
        }
        return required
    }
}
