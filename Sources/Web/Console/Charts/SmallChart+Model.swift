import Foundation
import WebPages

/// A row of bars without a scale, for a table cell; adjacent text states the numbers.
struct SmallChart {
    private static let height = 32.0
    private static let step = 6.0

    let path: String
    let width: Int
    /// The description for screen readers.
    let label: String

    init(_ values: [Int], label: String) {
        let highest = Double(max(values.max() ?? 0, 1))
        path = values.enumerated().map { index, value in
            // A day with any value is visible.
            let bar = value == 0 ? 0 : max(2, (Double(value) / highest * Self.height).rounded())
            return "M\(Double(index) * Self.step + 2) \(Self.height)v-\(bar)"
        }
        .joined()
        width = values.count * Int(Self.step)
        self.label = label
    }
}
