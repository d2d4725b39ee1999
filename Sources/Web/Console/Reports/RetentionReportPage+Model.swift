import Reports
import WebPages

/// A retention: its form, and who of each cohort came back when.
struct RetentionReportPage {
    struct Cell {
        let text: String
        /// From 0 to 10, for the depth of its ground.
        let depth: Int
        let isKnown: Bool
        let isRunning: Bool
    }

    struct Row {
        let name: String
        let users: String
        let cells: [Cell]
    }

    struct Result {
        /// `nil` as long as nobody could have come back.
        let chart: LineChart?
        let intervals: [String]
        let total: Row
        let rows: [Row]
        let groups: [Row]
        let hasGroups: Bool
        let isEmpty: Bool
        let fileAddress: String
    }

    let fields: ReportFields
    let result: Result?
    let problem: String?

    let saveAddress: String

    init(_ desk: ReportDesk, answer: RetentionAnswer?, problem: String?, context: ConsoleContext) {
        let words = context.words
        fields = desk.fields
        saveAddress = desk.saveAddress
        self.problem = answer == nil ? problem ?? words("reports.choose_events") : nil
        result = answer.map { answer in
            let intervals = answer.total.returned.indices.map { words.number($0) }
            let shares = zip(answer.total.returned, answer.total.of).filter { $1 > 0 }
                .map { Int((Double($0) / Double($1) * 100).rounded()) }
            return Result(
                chart: shares.count < 2
                    ? nil
                    : LineChart(
                        name: words("reports.came_back"),
                        labels: Array(intervals.prefix(shares.count)),
                        series: [
                            .init(
                                name: words("reports.came_back_percent"),
                                style: "strong",
                                values: shares
                            )
                        ],
                        previous: [],
                        columnName: words("reports.interval"),
                        words: words
                    ),
                intervals: intervals,
                total: Self.row(words("reports.everybody"), answer.total, words),
                rows: answer.cohorts.map { cohort in
                    Row(
                        name: words.name(of: cohort.interval),
                        users: words.number(cohort.users),
                        cells: cohort.returned.enumerated().map { number, returned in
                            Self.cell(
                                returned,
                                of: cohort.users,
                                isRunning: number >= cohort.complete,
                                words
                            )
                        }
                    )
                },
                groups: answer.groups.map { curve in
                    Self.row(
                        curve.group.map(desk.name) ?? "",
                        curve,
                        words
                    )
                },
                hasGroups: !answer.groups.isEmpty,
                isEmpty: answer.total.users == 0,
                fileAddress: ReportKind.retention.file.query(context.query)
            )
        }
    }

    private static func row(
        _ name: String,
        _ curve: RetentionAnswer.Curve,
        _ words: Words
    ) -> Row {
        Row(
            name: name,
            users: words.number(curve.users),
            cells: zip(curve.returned, curve.of).map { returned, whole in
                cell(whole == 0 ? nil : returned, of: whole, isRunning: false, words)
            }
        )
    }

    private static func cell(
        _ returned: Int?,
        of users: Int,
        isRunning: Bool,
        _ words: Words
    ) -> Cell {
        guard let returned, users > 0 else {
            return Cell(text: "", depth: 0, isKnown: false, isRunning: false)
        }
        return Cell(
            text: words.percent(returned, of: users),
            depth: Int((Double(returned) / Double(users) * 10).rounded()),
            isKnown: true,
            isRunning: isRunning
        )
    }
}
