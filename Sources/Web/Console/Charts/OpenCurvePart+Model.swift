import Foundation
import Model
import WebPages

/// How soon a message is opened: a rising curve, and the time of half of the opens in words.
struct OpenCurvePart {
    let halfTime: String?
    let chart: LineChart

    /// `nil` until there is more than a moment to draw.
    init?(_ curve: OpenCurve?, words: Words) {
        guard let curve, curve.opens.count > 1 else { return nil }
        halfTime = curve.halfTime.map { seconds in
            words("funnel.half_time", ["time": words.duration(max(1, seconds))])
        }
        chart = LineChart(
            name: words("funnel.opens"),
            labels: curve.opens.indices.map { words.duration(Int64($0) * curve.unit) },
            series: [
                LineChart.Series(name: words("push.opened"), style: "strong", values: curve.opens)
            ],
            previous: [],
            columnName: words("funnel.since"),
            words: words
        )
    }
}
