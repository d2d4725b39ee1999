import Foundation

/// The standard normal distribution.
package enum NormalDistribution {
    /// The probability of a value above `value`.
    package static func upperTail(_ value: Double) -> Double {
        0.5 * erfc(value / 2.0.squareRoot())
    }

    /// The value that is exceeded with a probability between 0 and 1.
    package static func value(exceededWith probability: Double) -> Double {
        Bisection.root(between: -40, and: 40) { upperTail($0) <= probability }
    }
}

/// Finds where a condition that holds from some value on begins to hold.
enum Bisection {
    /// - Parameter holds: False below the result and true above it.
    static func root(
        between low: Double,
        and high: Double,
        _ holds: (Double) -> Bool
    ) -> Double {
        // As exact as numbers can be written, beside the width of where it began.
        let precision = (high - low) * 1e-16
        var low = low
        var high = high
        while high - low > precision {
            let middle = low + (high - low) / 2
            guard middle > low, middle < high else { break }
            if holds(middle) { high = middle } else { low = middle }
        }
        return high
    }
}
