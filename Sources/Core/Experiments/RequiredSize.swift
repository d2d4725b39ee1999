import Foundation

/// How many users an experiment needs before it can say something.
package enum RequiredSize {
    package static let power = 0.8

    /// The two sizes differ by the price of looking every day.
    package struct Users: Sendable, Hashable {
        /// Users of both groups, when the intervals are looked at as often as wanted.
        package var sequential: Int
        /// Users of both groups, for one look at the end.
        package var fixed: Int
    }

    private static let most = 1e12

    /// Users of two groups together, so that a lift is found with the probability ``power``.
    ///
    /// - Parameters:
    ///   - baseline: The reference's rate, above 0 and below 1.
    ///   - lift: The relative lift, above 0, as 0.1 for 10 %.
    ///   - share: The share of the first group in both.
    ///   - alpha: The probability of a false alarm.
    /// - Returns: `nil` if the rate with the lift would not be below 1, or nobody has so many users.
    package static func users(
        baseline: Double,
        lift: Double,
        share: Double = 0.5,
        alpha: Double = 0.05
    ) -> Users? {
        let raised = baseline * (1 + lift)
        guard baseline > 0, lift > 0, raised < 1, share > 0, share < 1 else { return nil }
        let difference = raised - baseline
        let variances = [raised * (1 - raised), baseline * (1 - baseline)]
        let deviate = NormalDistribution.value(exceededWith: 1 - power)

        // Per user of both groups, in the unit of the boundary.
        let drift = (share * (1 - share)).squareRoot() * difference
        let separate = (1 - share) * variances[0] + share * variances[1]
        let together =
            share * variances[0] + (1 - share) * variances[1]
            + share * (1 - share) * difference * difference
        func suffices(_ users: Double) -> Bool {
            let limit = SequentialComparison.boundary(
                users * max(separate, together),
                alpha: alpha
            )
            return users * drift - limit >= deviate * (users * separate).squareRoot()
        }
        guard suffices(most) else { return nil }
        let sequential = Bisection.root(between: 0, and: most, suffices).rounded(.up)

        let pooled = share * raised + (1 - share) * baseline
        let null = (pooled * (1 - pooled) / (share * (1 - share))).squareRoot()
        let alternative = (variances[0] / share + variances[1] / (1 - share)).squareRoot()
        let limit = NormalDistribution.value(exceededWith: alpha / 2)
        let root = (limit * null + deviate * alternative) / difference
        return Users(sequential: Int(sequential), fixed: Int((root * root).rounded(.up)))
    }
}
