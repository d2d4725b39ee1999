/// `{{ expression | filter: argument | … }}`, also the right side of `assign`.
final class Output: Sendable {
    let expression: Expression
    let filters: [FilterCall]
    /// The offset in the source, for errors.
    let offset: Int

    init(expression: Expression, filters: [FilterCall], offset: Int) {
        self.expression = expression
        self.filters = filters
        self.offset = offset
    }
}

/// A filter with its arguments, looked up when the template was parsed.
struct FilterCall: Sendable {
    let name: String
    /// `nil` for an undefined filter.
    let filter: Filter?
    let arguments: [Expression]
    let keywords: [(name: LiquidName, value: Expression)]
}
