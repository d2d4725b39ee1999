import Audience
import Experiments
import Foundation
import Model
import Reports
import WebPages

/// A saved report on the overview: its name, one figure and a small picture.
struct PinnedReport {
    let name: String
    let kind: String
    let address: String
    /// "–" where it cannot be said now.
    let value: String
    let chart: SmallChart?

    /// - Parameter since: Since when everything is there that it looks at.
    init(_ report: SavedReport, _ answer: ReportAnswer?, since: String?, words: Words) {
        name = report.content.name
        let kind = report.kind.map { words($0.wordKey) } ?? report.content.kind
        let complete = since.map { words("reports.complete_from", ["date": $0]) }
        self.kind = [kind, complete].compactMap(\.self).joined(separator: " · ")
        address = ConsolePath.savedReport(report.name).path
        func chart(_ values: [Int]) -> SmallChart {
            SmallChart(
                values,
                label: values.map { words.number($0) }.joined(separator: ", ")
            )
        }
        switch answer {
        case .funnel(let answer)?:
            let users = answer.steps.map(\.users)
            value = words.percent(users.last ?? 0, of: users.first ?? 0)
            self.chart = chart(users)
        case .retention(let answer)?:
            // Of those whose next interval has begun.
            let (returned, of) = (answer.total.returned, answer.total.of)
            value = returned.count > 1 ? words.percent(returned[1], of: of[1]) : "–"
            self.chart = chart(returned)
        case .series(let answer)?:
            let values = answer.line.intervals.map { LineChart.whole(answer.value($0)) }
            value = words.number(LineChart.whole(answer.value(answer.line.whole)))
            self.chart = chart(values)
        case .paths(let answer)?:
            // What most do next, and how many of all.
            let next = answer.steps.first?.nodes.first
            value = words.percent(next?.users ?? 0, of: answer.users)
            self.chart = chart(answer.steps.first?.nodes.map(\.users) ?? [])
        case .controlGroup(let report)?:
            value =
                report?.results.first?.experiment.comparisons.first?.lift
                .map(words.signedShare) ?? "–"
            self.chart = nil
        case nil:
            value = "–"
            self.chart = nil
        }
    }
}
