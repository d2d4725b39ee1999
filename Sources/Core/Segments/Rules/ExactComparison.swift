/// Whole numbers that a floating-point number cannot represent, such as 9007199254740993, are
/// compared exactly, so that two different numbers are never equal.
extension Int64 {
    /// Whether no floating-point number equals this number.
    package var isBeyondDouble: Bool { Int64(exactly: Double(self)) != self }
}

extension Comparison {
    /// Compares a whole number exactly with a floating-point one.
    package func holds(_ left: Int64, _ right: Double) -> Bool {
        let nearest = Double(left)
        // Rounding preserves the order, so only a tie needs a closer look.
        guard nearest == right else { return holds(nearest, right) }
        if let whole = Int64(exactly: right) { return holds(left, whole) }
        // Every whole number here is less than 2 to the power of 63.
        return self == .less || self == .lessOrEqual || self == .notEqual
    }

    /// The comparison with its operands swapped: `a < b` is `b > a`.
    package var mirrored: Comparison {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .equal, .notEqual: self
        }
    }

    /// The equivalent comparison of floating-point numbers with a whole number that they cannot
    /// represent; `nil` for equality, which never holds.
    package func amongDoubles(_ bound: Int64) -> (comparison: Comparison, bound: Double)? {
        let nearest = Double(bound)
        let isAbove = Comparison.less.holds(bound, nearest)
        switch self {
        case .less, .lessOrEqual: return (isAbove ? .less : .lessOrEqual, nearest)
        case .greater, .greaterOrEqual: return (isAbove ? .greaterOrEqual : .greater, nearest)
        case .equal, .notEqual: return nil
        }
    }
}
