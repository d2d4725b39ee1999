/// A value of the language.
///
/// Whatever is expensive to make stays behind a `LiquidDrop`, which is asked only for the names a
/// template uses.
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

    /// Everything but `nil` and `false` is true.
    package var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let flag): flag
        default: true
        }
    }
}

/// `(1..5)`: both ends belong to it; it is empty when the first end is above the last.
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

/// Points at the state of a loop inside the renderer; reads as `nil` once that loop has ended.
package struct LiquidLoopReference: Sendable, Hashable {
    let depth: Int
    let generation: Int
}

/// Points at one of the renderer's isolated scopes.
package struct LiquidScopeReference: Sendable, Hashable {
    let depth: Int
}
