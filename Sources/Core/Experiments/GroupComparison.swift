/// Two groups compared in one measure.
package struct GroupComparison: Sendable, Hashable {
    /// What may be said of the group, from intervals that survive looking every day.
    package enum Outcome: String, Sendable, Hashable, CaseIterable {
        case better, worse
        /// The whole interval of the lift is smaller than what is worth knowing.
        case noDifference = "no_difference"
        case unknown
    }

    /// What one look that was fixed before the start would say.
    package struct FixedLook: Sendable, Hashable {
        package var difference: Interval?
        package var lift: Interval?
        package var probability: Double?
    }

    package var group: ExperimentGroup
    package var reference: ExperimentGroup
    package var difference: Double
    package var differenceInterval: Interval?
    /// Relative: 0.12 for 12 % more. `nil` if the reference has nothing.
    package var lift: Double?
    package var liftInterval: Interval?
    /// Valid at any moment, and for all comparisons together.
    package var probability: Double?
    package var outcome: Outcome
    package var fixedLook: FixedLook

    /// - Parameters:
    ///   - comparisons: Number of comparisons that are made, among which the probability of a false
    ///     alarm is divided (Bonferroni).
    ///   - isRate: Whether the values are 1 and 0.
    init(
        of arm: ExperimentArm,
        against other: ExperimentArm,
        comparisons: Int,
        smallestLift: Double,
        isRate: Bool
    ) {
        let sequential = SequentialComparison(
            arm.sample,
            against: other.sample,
            alpha: Experiment.alpha / Double(comparisons)
        )
        group = arm.group
        reference = other.group
        difference = arm.sample.mean - other.sample.mean
        differenceInterval = sequential.difference
        lift = other.sample.mean > 0 ? arm.sample.mean / other.sample.mean - 1 : nil
        liftInterval = sequential.lift
        probability = sequential.probability.map { min(1, $0 * Double(comparisons)) }
        if let low = differenceInterval?.low, low > 0 {
            outcome = .better
        } else if let high = differenceInterval?.high, high < 0 {
            outcome = .worse
        } else if liftInterval?.isWithin(smallestLift) == true {
            outcome = .noDifference
        } else {
            outcome = .unknown
        }
        if isRate {
            fixedLook = FixedLook(
                difference: FixedComparison.difference(arm.sample, from: other.sample),
                lift: FixedComparison.lift(arm.sample, over: other.sample),
                probability: FixedComparison.probability(arm.sample, and: other.sample)
            )
        } else {
            let means = FixedComparison.means(arm.sample, and: other.sample)
            fixedLook = FixedLook(
                difference: means?.interval,
                lift: nil,
                probability: means?.probability
            )
        }
    }
}
