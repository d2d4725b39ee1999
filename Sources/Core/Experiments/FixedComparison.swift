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

    /// The difference of two rates with the score interval of Miettinen and Nurminen (1985): every
    /// difference that a test of it would not reject. It holds also where few have done it, when
    /// intervals that are made of each rate's own are too wide.
    package static func difference(
        _ group: GroupSample,
        from reference: GroupSample,
        confidence: Double = 0.95
    ) -> Interval? {
        guard group.users > 0, reference.users > 0 else { return nil }
        let z = deviate(confidence)
        let difference = group.mean - reference.mean
        // The score falls as the assumed difference grows, and is 0 at the one that was found.
        return Interval(
            low: Bisection.root(between: -1, and: difference) {
                score(ofAssuming: $0, group, reference) <= z
            },
            high: Bisection.root(between: difference, and: 1) {
                score(ofAssuming: $0, group, reference) <= -z
            }
        )
    }

    /// How many standard errors the difference that was found is above an assumed one, with the
    /// variance of the likeliest rates that are so far apart.
    private static func score(
        ofAssuming assumed: Double,
        _ group: GroupSample,
        _ reference: GroupSample
    ) -> Double {
        let distance = group.mean - reference.mean - assumed
        guard distance != 0 else { return 0 }
        let users = Double(group.users + reference.users)
        let rate = likeliestRate(apartBy: assumed, group, reference)
        let other = rate - assumed
        let variance =
            (rate * (1 - rate) / Double(group.users)
                + other * (1 - other) / Double(reference.users)) * users / (users - 1)
        return variance > 0 ? distance / variance.squareRoot() : distance * .infinity
    }

    /// The rate of the group that makes what was seen likeliest, if that of the reference is by
    /// `difference` less: a root of a cubic equation, in the form of Farrington and Manning (1990).
    private static func likeliestRate(
        apartBy difference: Double,
        _ group: GroupSample,
        _ reference: GroupSample
    ) -> Double {
        let ratio = Double(reference.users) / Double(group.users)
        let a = 1 + ratio
        let b = -(a + group.mean + ratio * reference.mean + difference * (ratio + 2))
        let c =
            difference * difference + difference * (2 * group.mean + a) + group.mean
            + ratio * reference.mean
        let d = -group.mean * difference * (1 + difference)
        let v = b * b * b / (27 * a * a * a) - b * c / (6 * a * a) + d / (2 * a)
        let size = max(0, b * b / (9 * a * a) - c / (3 * a)).squareRoot()
        let u = v < 0 ? -size : size
        let cosine = u == 0 ? 0 : min(1, max(-1, v / (u * u * u)))
        var rate = 2 * u * cos((.pi + acos(cosine)) / 3) - b / (3 * a)
        let least = max(0, difference)
        let most = max(least, min(1, 1 + difference))
        // What the cosine loses where two roots are close, two steps of Newton's method bring back.
        for _ in 0..<2 {
            let slope = (3 * a * rate + 2 * b) * rate + c
            let next = rate - (((a * rate + b) * rate + c) * rate + d) / slope
            if next >= least, next <= most { rate = next }
        }
        return min(most, max(least, rate))
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
