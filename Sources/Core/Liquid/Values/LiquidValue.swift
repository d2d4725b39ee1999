/// A value of the language.
///
/// Values that are expensive to compute are provided by a `LiquidDrop`, which is called only for
/// the names that a template uses.
package enum LiquidValue: Sendable {
    case null
    case bool(Bool)
    case int(Int)
    /// A whole number that does not fit `Int`.
    case big(BigInteger)
    case float(Double)
    case string(String)
    case array([LiquidValue])
    case object(LiquidObject)
    case range(LiquidRange)
    case time(LiquidTime)
    case drop(any LiquidDrop)
    /// `forloop` or `tablerowloop` of a running loop.
    case loop(LiquidLoopReference)
    /// `self`: the variables of one rendering scope.
    case scope(LiquidScopeReference)

    package var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// Every value except `nil` and `false` is true.
    package var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let flag): flag
        default: true
        }
    }
}

/// `(1..5)`, including both bounds; empty if the first is greater than the last.
package struct LiquidRange: Sendable, Hashable {
    package let first: Int
    package let last: Int

    package init(first: Int, last: Int) {
        self.first = first
        self.last = last
    }

    package var count: Int {
        guard last >= first else { return 0 }
        let (distance, overflow) = last.subtractingReportingOverflow(first)
        return overflow || distance == .max ? .max : distance + 1
    }
}

/// A reference to the state of a loop inside the renderer; reads as `nil` once that loop has ended.
package struct LiquidLoopReference: Sendable, Hashable {
    let depth: Int
    let generation: Int
}

/// A reference to one of the renderer's isolated scopes.
package struct LiquidScopeReference: Sendable, Hashable {
    let depth: Int
}
