/// Sums of money are clamped instead of overflowing: 9.2 billion millions of a currency are more
/// than any condition compares with.
extension Int64 {
    package func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        // An overflow has turned the sign.
        return overflows ? (sum < 0 ? .max : .min) : sum
    }

    package func multipliedSaturated(by other: Int64) -> Int64 {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        return overflows ? (signum() == other.signum() ? .max : .min) : product
    }
}
