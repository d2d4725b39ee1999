/// A range of values that the data do not speak against.
package struct Interval: Sendable, Hashable {
    package var low: Double
    /// `nil` if nothing bounds it from above.
    package var high: Double?

    package init(low: Double, high: Double?) {
        self.low = low
        self.high = high
    }

    package func contains(_ value: Double) -> Bool {
        low <= value && high.map { value <= $0 } ?? true
    }

    /// Whether the whole interval lies between −`margin` and +`margin`.
    package func isWithin(_ margin: Double) -> Bool {
        low >= -margin && high.map { $0 <= margin } ?? false
    }
}
