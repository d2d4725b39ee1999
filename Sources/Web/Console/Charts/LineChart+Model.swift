import Foundation
import WebPages

/// A line chart, drawn in a box of 1000 by 240 that is stretched to its container; the texts are
/// separate HTML elements, so that they keep their size.
struct LineChart {
    struct Series {
        let name: String
        /// The line's class: `strong` or `quiet-line`.
        let style: String
        let values: [Int]
    }

    /// How the values of a series are drawn: lines for what goes on from one to the next, columns
    /// for what is counted anew in each.
    enum Shape {
        case lines, columns
    }

    struct Line {
        let style: String
        let path: String
        let area: String
        /// The columns; empty for a line.
        let bars: String
        let isColumns: Bool
    }

    struct Value {
        let style: String
        let name: String
        let text: String
    }

    struct Column {
        let label: String
        let values: [Value]
        /// Whether the box with the values opens to the left, near the right edge.
        let isLate: Bool
    }

    private static let width = 1000.0
    private static let height = 240.0

    let name: String
    /// What the columns are.
    let columnName: String
    let legend: [Value]
    let lines: [Line]
    let previousPath: String?
    /// From the top to zero.
    let scale: [String]
    let columns: [Column]
    let firstLabel: String
    let middleLabel: String
    let lastLabel: String

    /// - Parameter columnName: What the columns are; days without it.
    init(
        name: String,
        labels: [String],
        series: [Series],
        previous: [Int],
        columnName: String? = nil,
        shape: Shape = .lines,
        words: Words
    ) {
        self.name = name
        self.columnName = columnName ?? words("overview.day")
        let highest = min(Self.most, (series.flatMap(\.values) + previous).max() ?? 0)
        let top = Self.niceTop(highest)
        scale = [4, 3, 2, 1, 0].map { words.number(top * $0 / 4) }
        lines = series.enumerated().map { index, series in
            guard shape == .lines else {
                let bars = Self.bars(series.values, top: top, isInFront: index > 0)
                return Line(
                    style: series.style,
                    path: "",
                    area: "",
                    bars: bars,
                    isColumns: true
                )
            }
            let path = Self.path(series.values, top: top)
            return Line(
                style: series.style,
                path: path,
                area: path.isEmpty
                    ? "" : path + Self.closing(count: series.values.count),
                bars: "",
                isColumns: false
            )
        }
        previousPath = previous.contains { $0 > 0 } ? Self.path(previous, top: top) : nil
        legend = series.map { Value(style: $0.style, name: $0.name, text: "") }
        columns = labels.enumerated().map { index, label in
            Column(
                label: label,
                values: series.map { series in
                    let value = index < series.values.count ? series.values[index] : 0
                    return Value(
                        style: series.style,
                        name: series.name,
                        text: words.number(value)
                    )
                },
                isLate: index * 2 >= labels.count
            )
        }
        firstLabel = labels.first ?? ""
        middleLabel = labels.isEmpty ? "" : labels[labels.count / 2]
        lastLabel = labels.last ?? ""
    }

    /// More than any count; beyond it a scale could not be written as whole numbers.
    private static let most = 1_000_000_000_000_000

    /// An amount as a whole number that can be drawn.
    static func whole(_ value: Double?) -> Int {
        Int(max(-Double(most), min(Double(most), value ?? 0)))
    }

    /// The smallest "round" number divisible by four that is at least the highest value.
    static func niceTop(_ highest: Int) -> Int {
        var step = 4
        while step < highest {
            let tops = [step, step * 2, step * 5 / 2, step * 5].filter { $0.isMultiple(of: 4) }
            if let top = tops.first(where: { $0 >= highest }) { return top }
            step *= 10
        }
        return step
    }

    private static func path(_ values: [Int], top: Int) -> String {
        guard values.count > 1 else { return "" }
        let points = values.enumerated().map { index, value in
            // What was given back is told beside the line, which does not leave its frame.
            let y = height - Double(max(0, value)) / Double(top) * height
            return "\(x(of: index, count: values.count)) \((y * 10).rounded() / 10)"
        }
        return "M" + points.joined(separator: "L")
    }

    /// A column for each value; those of the series in front are narrower.
    private static func bars(_ values: [Int], top: Int, isInFront: Bool) -> String {
        guard !values.isEmpty else { return "" }
        func text(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
        let step = width / Double(values.count)
        let share = isInFront ? 0.4 : 0.8
        return values.enumerated().filter { $1 > 0 }.map { index, value in
            // Whatever is not nothing can be seen.
            let bar = max(2, Double(value) / Double(top) * height)
            let left = (Double(index) + (1 - share) / 2) * step
            return "M\(text(left)) \(height)v-\(text(bar))h\(text(step * share))v\(text(bar))z"
        }
        .joined()
    }

    /// From the last point down to zero and back to the first.
    private static func closing(count: Int) -> String {
        "L\(x(of: count - 1, count: count)) \(height)L\(x(of: 0, count: count)) \(height)Z"
    }

    /// The middle of a column.
    private static func x(of index: Int, count: Int) -> Double {
        ((Double(index) + 0.5) * width / Double(count) * 10).rounded() / 10
    }
}
