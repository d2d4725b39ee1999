import Foundation
import Model
import Reports
import WebPages

/// A series: its form, and how much there was in each interval.
struct SeriesReportPage {
    struct Group {
        let name: String
        let value: String
        let chart: SmallChart
    }

    struct Result {
        let chart: LineChart
        let value: String
        let previous: String?
        let groups: [Group]
        let hasGroups: Bool
        let fileAddress: String
    }

    let fields: ReportFields
    let result: Result?
    let problem: String?

    let saveAddress: String

    init(_ desk: ReportDesk, answer: SeriesAnswer?, problem: String?, context: ConsoleContext) {
        let words = context.words
        fields = desk.fields
        saveAddress = desk.saveAddress
        self.problem = answer == nil ? problem ?? words("reports.choose_events") : nil
        result = answer.map { answer in
            func values(_ line: SeriesAnswer.Line?) -> [Int] {
                (line?.intervals ?? []).map { LineChart.whole(answer.value($0)) }
            }
            func whole(_ line: SeriesAnswer.Line) -> String {
                words.number(LineChart.whole(answer.value(line.whole)))
            }
            let label = ReportFields.label(desk.form.figure.choice, words)
            let name = answer.currency.map { "\(label) (\($0))" } ?? label
            return Result(
                chart: LineChart(
                    name: name,
                    labels: answer.intervals.map(words.name(of:)),
                    series: [.init(name: name, style: "strong", values: values(answer.line))],
                    previous: values(answer.previous),
                    columnName: words("reports.interval"),
                    shape: .columns,
                    words: words
                ),
                value: whole(answer.line),
                previous: answer.previous.map(whole),
                groups: answer.groups.map { group in
                    Group(
                        name: desk.name(of: group.group),
                        value: whole(group.line),
                        chart: SmallChart(
                            values(group.line),
                            label: values(group.line).map { words.number($0) }
                                .joined(separator: ", ")
                        )
                    )
                },
                hasGroups: !answer.groups.isEmpty,
                fileAddress: ReportKind.series.file.query(context.query)
            )
        }
    }
}
