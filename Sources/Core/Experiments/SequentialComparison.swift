import Foundation

/// What two groups say at any moment, however often somebody looks and whenever they stop.
///
/// The difference of the means, weighted so that it is a martingale both while users come and while
/// the users who are there act, is held against the boundary of a normal mixture (Robbins, 1970). In
/// all looks together, the intervals miss the true value with at most the probability `alpha`, as far
/// as means are normal (asymptotic confidence sequences: Waudby-Smith and others, 2021). Where there
/// are too few successes for that, two things keep it on the safe side: the variance is the larger
/// of the groups' own and that of both together, and the mixture is tuned to some 160 users with a
/// success (``tuning``), so that a handful proves nothing.
package struct SequentialComparison: Sendable {
    /// The mixture's parameter ρ, in users with a success. Intervals are the shortest, compared with
    /// those of one look, at about eight times as many.
    package static let tuning = 20.0

    private let group: GroupSample
    private let reference: GroupSample
    private let alpha: Double

    /// - Parameter alpha: The probability of a false alarm, divided by the number of comparisons.
    package init(_ group: GroupSample, against reference: GroupSample, alpha: Double = 0.05) {
        self.group = group
        self.reference = reference
        self.alpha = alpha
    }

    /// The interval of group − reference; `nil` if a group has no user.
    package var difference: Interval? {
        guard let scale else { return nil }
        let middle = group.mean - reference.mean
        let variance = standardized(at: 1, scale).variance
        let half = Self.boundary(variance, alpha: alpha) / scale.perMean
        return Interval(low: middle - half, high: middle + half)
    }

    /// The interval of the relative lift, (group ÷ reference) − 1, for values that are not negative:
    /// those ratios θ for which group − θ × reference is not too far from 0 (Fieller). It lies above 0
    /// when ``difference`` does. `nil` if a group has no user or the reference no success.
    package var lift: Interval? {
        guard let scale, reference.mean > 0, group.mean >= 0 else { return nil }
        func isExcluded(_ ratio: Double) -> Bool {
            let (distance, variance) = standardized(at: ratio, scale)
            return abs(distance) > Self.boundary(variance, alpha: alpha)
        }
        let middle = group.mean / reference.mean
        let low =
            isExcluded(0)
            ? -Bisection.root(between: -middle, and: 0) { isExcluded(-$0) } : 0
        // A reference that cannot be told from 0 bounds no ratio.
        let most = 1e6 * max(1, middle)
        let high =
            isExcluded(most) ? Bisection.root(between: middle, and: most, isExcluded) : nil
        return Interval(low: low - 1, high: high.map { $0 - 1 })
    }

    /// A probability that is valid at any moment: the chance that groups without a difference ever
    /// look at least as different as now. It is 1 ÷ the mixture's likelihood ratio, and at most 1.
    package var probability: Double? {
        guard let scale else { return nil }
        let (distance, variance) = standardized(at: 1, scale)
        let total = variance + Self.tuning
        let evidence =
            distance * distance / (2 * total) - 0.5 * log(total / Self.tuning)
        return min(1, exp(-evidence))
    }

    // MARK: The boundary

    /// How far the standardized difference goes at most, by its variance so far.
    static func boundary(_ variance: Double, alpha: Double) -> Double {
        let total = variance + tuning
        return (total * (log(total / tuning) - 2 * log(alpha))).squareRoot()
    }

    /// What turns a difference of means into successes.
    private struct Scale {
        /// n₁n₀ ÷ (n₁ + n₀).
        var weight: Double
        var perMean: Double
    }

    /// `nil` if a group has no user.
    private var scale: Scale? {
        guard group.users > 0, reference.users > 0 else { return nil }
        let users = Double(group.users) + Double(reference.users)
        let weight = Double(group.users) * Double(reference.users) / users
        // The size of a success: 1 for a rate; for revenue what keeps the number of successes that
        // the sum is worth (Kish's effective size), so that one large purchase counts as one.
        let squares = group.squares + reference.squares
        let sum = group.sum + reference.sum
        let successes = squares > 0 ? max(1, sum * sum / squares) : 1
        let size = squares > 0 ? (squares / successes).squareRoot() : 1
        let share = Double(group.users) / users
        return Scale(
            weight: weight,
            perMean: weight / ((share * (1 - share)).squareRoot() * size)
        )
    }

    /// How far the data are from group = `ratio` × reference, in successes, and the variance of that.
    ///
    /// The variance is the larger of the groups' own and that of both together as if they were one,
    /// which is the safer one where a small group happens to have no success.
    private func standardized(
        at ratio: Double,
        _ scale: Scale
    ) -> (distance: Double, variance: Double) {
        let n1 = Double(group.users)
        let n0 = Double(reference.users)
        let own = group.spread
        let other = reference.spread * ratio * ratio
        let difference = group.mean - reference.mean
        let separate = own / n1 + other / n0
        let together =
            (n1 * own + n0 * other + scale.weight * difference * difference) / (n1 + n0)
            / scale.weight
        // In successes of the larger one, so that the tuning is the same for each ratio.
        let unit = scale.perMean / max(1, ratio)
        return (
            (group.mean - ratio * reference.mean) * unit, max(separate, together) * unit * unit
        )
    }
}
