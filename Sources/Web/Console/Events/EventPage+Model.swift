import Analytics
import Foundation
import Model
import Reports
import WebPages

/// One event: how often it occurs, its properties, who did it last, and the code that logs it.
struct EventPage {
    struct Result {
        let figures: [OverviewPage.Figure]
        let chart: LineChart
        let groups: [Group]
        let hasGroups: Bool
    }

    struct Group {
        let name: String
        let value: String
        let users: String
    }

    struct Property {
        let name: String
        let types: String
        let share: String
        let values: String
    }

    struct Occurrence {
        let user: String
        let address: String
        let moment: Moment
    }

    struct Code {
        let name: String
        let text: String
    }

    let name: String
    let isBlocked: Bool
    let periods: [OverviewPage.Period]
    let result: Result?
    /// Why there is no result.
    let problem: String?
    let properties: [Property]
    let hasProperties: Bool
    let latest: [Occurrence]
    let hasLatest: Bool
    let codes: [Code]
    let pushAddress: String?
    let reportAddress: String
    let listAddress: String

    init(
        _ name: String,
        _ event: EventDetail,
        isBlocked: Bool,
        answer: SeriesAnswer?,
        days: Int,
        context: ConsoleContext
    ) {
        let words = context.words
        self.name = name
        self.isBlocked = isBlocked
        periods = OverviewPage.periods(days, words) { length in
            ConsolePath.eventDetail.query(FormFields([("name", name), ("days", length)]))
        }
        result = answer.map { Self.result($0, words) }
        problem = answer == nil ? words("reports.not_ready") : nil
        properties = event.properties.map { property in
            Property(
                name: property.name,
                types: property.types.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                    .compactMap { ValueKind(rawValue: $0.key).map { words($0.wordKey) } }
                    .joined(separator: ", "),
                share: words.percent(property.events, of: event.sample),
                values: property.values.map { "\($0.json) (\(words.number($0.events)))" }
                    .joined(separator: ", ")
            )
        }
        hasProperties = !properties.isEmpty
        latest = event.latest.map { occurrence in
            Occurrence(
                user: occurrence.userName,
                address: ConsolePath.user(String(occurrence.profile.rawValue)).path,
                moment: context.moment(occurrence.time)
            )
        }
        hasLatest = !latest.isEmpty
        codes = EventCode(name, event.properties).codes
        pushAddress =
            context.hasRole(atLeast: .marketer)
            ? ConsolePath.newPush.query(
                FormFields([
                    ("audience", "contacts"), ("eventName", name), ("eventDone", "done"),
                ])
            ) : nil
        reportAddress = ConsolePath.seriesReport.query(FormFields([("figure", "event:" + name)]))
        listAddress = ConsolePath.events.path
    }

    private static func result(_ answer: SeriesAnswer, _ words: Words) -> Result {
        func values(_ line: SeriesAnswer.Line?) -> [Int] {
            (line?.intervals ?? []).map { LineChart.whole(answer.value($0)) }
        }
        func figure(_ key: String, _ value: (SeriesAnswer.Amount) -> Double) -> OverviewPage.Figure
        {
            let now = value(answer.line.whole)
            let before = answer.previous.map { value($0.whole) } ?? 0
            return OverviewPage.Figure(
                label: words(key),
                value: words.amount(now),
                change: words.change(from: before, to: now),
                isRise: now >= before,
                hint: words.counted("overview.last_days", answer.intervals.count)
            )
        }
        return Result(
            figures: [
                figure("reports.measure.total") { Double($0.total) },
                figure("reports.measure.users") { Double($0.users) },
                figure("events.per_user") {
                    $0.users == 0 ? 0 : Double($0.total) / Double($0.users)
                },
            ],
            chart: LineChart(
                name: words("reports.over_time"),
                labels: answer.intervals.map(words.name(of:)),
                series: [
                    .init(
                        name: words("reports.measure.total"),
                        style: "strong",
                        values: values(answer.line)
                    )
                ],
                previous: values(answer.previous),
                shape: .columns,
                words: words
            ),
            groups: answer.groups.map { group in
                Group(
                    name: ReportFields.label(group.group, [], words),
                    value: words.number(LineChart.whole(answer.value(group.line.whole))),
                    users: words.number(group.line.whole.users)
                )
            },
            hasGroups: !answer.groups.isEmpty
        )
    }
}

/// How apps and servers log an event, with its most frequent properties.
struct EventCode {
    /// Number of properties in the examples.
    private static let shown = 3

    let codes: [EventPage.Code]

    init(_ name: String, _ properties: [EventPropertySummary]) {
        let name = Self.literal(name)
        let pairs = properties.prefix(Self.shown).compactMap { property in
            property.values.first.map { (name: Self.literal(property.name), value: $0.json) }
        }
        let swift = pairs.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        let json = "{" + swift + "}"
        codes = [
            EventPage.Code(
                name: "Swift",
                text: pairs.isEmpty
                    ? "noroshi.logCustomEvent(name: \(name))"
                    : "noroshi.logCustomEvent(name: \(name), properties: [\(swift)])"
            ),
            EventPage.Code(
                name: "JavaScript",
                text: pairs.isEmpty
                    ? "await noroshi.logCustomEvent(\(name));"
                    : "await noroshi.logCustomEvent(\(name), \(json));"
            ),
            EventPage.Code(
                name: "POST /users/track",
                text: """
                    {"events": [{"external_id": "…", "name": \(name), "time": "…"\(
                        pairs.isEmpty ? "" : ", \"properties\": " + json)}]}
                    """
            ),
        ]
    }

    private static func literal(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
