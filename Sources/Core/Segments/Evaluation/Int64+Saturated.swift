/// Sums of money are clamped instead of overflowing: 9.2 billion millions of a currency are more
/// than any condition compares with.
extension Int64 {
    package func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other > 0 ? .max : .min) : sum
    }

    package func multipliedSaturated(by other: Int64) -> Int64 {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        return overflows ? ((self > 0) == (other > 0) ? .max : .min) : product
    }
}
