import Foundation

/// What one look, fixed before the start, says of two groups. Whoever looks every day and stops when
/// it says something is misled by it; ``SequentialComparison`` is for that.
package enum FixedComparison {
    /// Wilson's score interval (1927) of a rate.
    package static func rate(successes: Int, users: Int, confidence: Double = 0.95) -> Interval {
        guard users > 0 else { return Interval(low: 0, high: 1) }
        let z = deviate(confidence)
        let n = Double(users)
        let rate = Double(successes) / n
        let middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
        let half =
            z / (1 + z * z / n)
            * (rate * (1 - rate) / n + z * z / (4 * n * n)).squareRoot()
        return Interval(
            low: successes == 0 ? 0 : max(0, middle - half),
            high: successes == users ? 1 : min(1, middle + half)
        )
    }

    /// The difference of two rates with Newcombe's interval (1998, method 10), which is made of
    /// Wilson's.
    package static func difference(
        _ group: GroupSample,
        from reference: GroupSample,
        confidence: Double = 0.95
    ) -> Interval? {
        guard group.users > 0, reference.users > 0 else { return nil }
        let own = rate(successes: Int(group.sum), users: group.users, confidence: confidence)
        let other = rate(
            successes: Int(reference.sum),
            users: reference.users,
            confidence: confidence
        )
        guard let ownHigh = own.high, let otherHigh = other.high else { return nil }
        let difference = group.mean - reference.mean
        return Interval(
            low: difference
                - (square(group.mean - own.low) + square(otherHigh - reference.mean)).squareRoot(),
            high: difference
                + (square(ownHigh - group.mean) + square(reference.mean - other.low)).squareRoot()
        )
    }

    /// The two-sided probability of a difference at least this large between two rates that are
    /// equal: Pearson's chi-squared test of the 2 × 2 table, without a correction for continuity.
    /// `nil` where nobody, or everybody, has done it.
    package static func probability(
        _ group: GroupSample,
        and reference: GroupSample
    ) -> Double? {
        guard group.users > 0, reference.users > 0 else { return nil }
        let users = Double(group.users + reference.users)
        let pooled = (group.sum + reference.sum) / users
        let variance =
            pooled * (1 - pooled) * (1 / Double(group.users) + 1 / Double(reference.users))
        guard variance > 0 else { return nil }
        let z = (group.mean - reference.mean) / variance.squareRoot()
        return min(1, 2 * NormalDistribution.upperTail(abs(z)))
    }

    /// The relative lift of a rate, (rate ÷ reference) − 1, with the interval of Katz and others
    /// (1978), which is symmetric in the logarithm. `nil` where a group has no success.
    package static func lift(
        _ group: GroupSample,
        over reference: GroupSample,
        confidence: Double = 0.95
    ) -> Interval? {
        guard group.sum > 0, reference.sum > 0 else { return nil }
        let ratio = group.mean / reference.mean
        let deviation = max(
            0,
            1 / group.sum - 1 / Double(group.users) + 1 / reference.sum
                - 1 / Double(reference.users)
        ).squareRoot()
        let factor = exp(deviate(confidence) * deviation)
        return Interval(low: ratio / factor - 1, high: ratio * factor - 1)
    }

    /// The difference of two means, its interval and its two-sided probability after Welch (1947).
    package struct Means: Sendable, Hashable {
        package var difference: Double
        package var interval: Interval
        package var probability: Double
    }

    /// `nil` for groups of fewer than two users, or without any difference between users.
    package static func means(
        _ group: GroupSample,
        and reference: GroupSample,
        confidence: Double = 0.95
    ) -> Means? {
        guard let own = group.variance, let other = reference.variance, own + other > 0 else {
            return nil
        }
        let parts = [own / Double(group.users), other / Double(reference.users)]
        let error = (parts[0] + parts[1]).squareRoot()
        let student = StudentDistribution(
            degreesOfFreedom: square(parts[0] + parts[1])
                / (square(parts[0]) / Double(group.users - 1)
                    + square(parts[1]) / Double(reference.users - 1))
        )
        let difference = group.mean - reference.mean
        let half = student.value(exceededOnBothSidesWith: 1 - confidence) * error
        return Means(
            difference: difference,
            interval: Interval(low: difference - half, high: difference + half),
            probability: student.twoSidedTail(difference / error)
        )
    }

    private static func deviate(_ confidence: Double) -> Double {
        NormalDistribution.value(exceededWith: (1 - confidence) / 2)
    }

    private static func square(_ value: Double) -> Double { value * value }
}
