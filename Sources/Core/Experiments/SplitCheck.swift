import Foundation

/// Whether users are spread over the groups as they were drawn, at any moment: a multinomial
/// likelihood against a Dirichlet mixture around the drawn shares (Lindon and Malek, 2020).
package struct SplitCheck: Sendable, Hashable {
    /// Concentration of the mixture. The larger, the smaller the deviations that it looks for: this
    /// one for some one and a half percentage points of an even split.
    package static let concentration = 1_000.0
    /// Probability of an alarm, ever, when the split is as drawn.
    package static let alpha = 0.01

    /// At most 1; at most ``alpha`` only with that probability, in all looks together.
    package var probability: Double
    package var isAlarm: Bool { probability <= Self.alpha }

    /// - Parameters:
    ///   - users: Users of each group.
    ///   - shares: Their drawn shares, relative to each other; all are positive.
    package init(users: [Int], shares: [Double]) {
        let whole = shares.reduce(0, +)
        let all = Double(users.reduce(0, +))
        var evidence = lgamma(Self.concentration) - lgamma(Self.concentration + all)
        for (count, share) in zip(users, shares) {
            let expected = share / whole
            let prior = Self.concentration * expected
            evidence += lgamma(prior + Double(count)) - lgamma(prior)
            evidence -= Double(count) * log(expected)
        }
        probability = min(1, exp(-evidence))
    }
}
