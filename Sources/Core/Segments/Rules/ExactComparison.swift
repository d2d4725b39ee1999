/// Whole numbers that a floating-point number cannot hold, such as 9007199254740993, are kept as
/// they are: two of them are never taken for one.
extension Int64 {
    /// Whether no floating-point number is this number.
    package var isBeyondDouble: Bool { Int64(exactly: Double(self)) != self }
}

extension Comparison {
    /// Compares a whole number exactly with a floating-point one.
    package func holds(_ left: Int64, _ right: Double) -> Bool {
        let nearest = Double(left)
        // Rounding keeps the order, so only a tie leaves something to ask.
        guard nearest == right else { return holds(nearest, right) }
        if let whole = Int64(exactly: right) { return holds(left, whole) }
        // Every whole number here is less than 2 to the power of 63.
        return self == .less || self == .lessOrEqual || self == .notEqual
    }

    /// The same question the other way round: `a < b` is `b > a`.
    package var mirrored: Comparison {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .equal, .notEqual: self
        }
    }

    /// What to ask of floating-point numbers to compare them with a whole number beyond them;
    /// `nil` for equality, which none has.
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
