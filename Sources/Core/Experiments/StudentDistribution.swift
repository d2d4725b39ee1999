import Foundation

/// Student's distribution with any positive number of degrees of freedom.
package struct StudentDistribution: Sendable {
    private let freedom: Double

    package init(degreesOfFreedom: Double) {
        freedom = degreesOfFreedom
    }

    /// The probability of a value further from 0 than `value`, on both sides.
    package func twoSidedTail(_ value: Double) -> Double {
        Self.incompleteBeta(
            freedom / (freedom + value * value),
            complement: value * value / (freedom + value * value),
            freedom / 2,
            0.5
        )
    }

    /// The positive value from which 0 is further away, on either side, with a probability between 0
    /// and 1.
    package func value(exceededOnBothSidesWith probability: Double) -> Double {
        var high = 1.0
        while twoSidedTail(high) > probability { high *= 2 }
        return Bisection.root(between: 0, and: high) { twoSidedTail($0) <= probability }
    }

    /// The regularized incomplete beta function, by its continued fraction (DLMF 8.17.22), which
    /// converges fast on the side of the mean that is chosen here.
    ///
    /// - Parameter complement: 1 − `x`, given apart because it loses digits as a difference.
    private static func incompleteBeta(
        _ x: Double,
        complement: Double,
        _ a: Double,
        _ b: Double
    ) -> Double {
        guard x > 0 else { return 0 }
        guard complement > 0 else { return 1 }
        let front = exp(
            a * log(x) + b * log(complement) + lgamma(a + b) - lgamma(a) - lgamma(b)
        )
        guard x > (a + 1) / (a + b + 2) else { return front / a * continuedFraction(x, a, b) }
        return 1 - front / b * continuedFraction(complement, b, a)
    }

    /// Evaluated from the front by Lentz's method.
    private static func continuedFraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
        let tiny = 1e-300
        func awayFromZero(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
        var numerator = 1.0
        var denominator = 1 / awayFromZero(1 - (a + b) * x / (a + 1))
        var result = denominator
        for number in 1...10_000 {
            let m = Double(number)
            let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            denominator = 1 / awayFromZero(1 + even * denominator)
            numerator = awayFromZero(1 + even / numerator)
            result *= denominator * numerator
            let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            denominator = 1 / awayFromZero(1 + odd * denominator)
            numerator = awayFromZero(1 + odd / numerator)
            let factor = denominator * numerator
            result *= factor
            if abs(factor - 1) < 1e-16 { break }
        }
        return result
    }
}
