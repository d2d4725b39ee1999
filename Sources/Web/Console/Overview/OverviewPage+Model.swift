import Analytics
import Foundation
import Model
import Reasons
import Sends
import WebPages

/// The start page: counts, the trend of the last days, and running sends.
struct OverviewPage {
    struct Figure {
        let label: String
        let value: String
        /// In comparison with the period before; `nil` where it is the same or cannot be said.
        var change: String?
        var isRise: Bool
        let hint: String
        /// Day by day; `nil` where the page draws that elsewhere, or there is one day.
        var chart: SmallChart?
    }

    struct Period {
        let label: String
        let address: String
        let isCurrent: Bool
    }

    struct Step {
        let number: Int
        let title: String
        let text: String
        let address: String
        let action: String
    }

    /// Required actions on keys and certificates.
    let warnings: [String]
    let hasWarnings: Bool
    let appsAddress: String
    let isEmpty: Bool
    let steps: [Step]
    let periods: [Period]
    let span: OverviewSpan
    let isOfSpan: Bool
    let overviewAddress: String
    /// The rate that says most, and what it is made of.
    let answer: [Figure]
    let figures: [Figure]
    let chart: LineChart
    struct PlannedCampaign {
        let address: String
        let name: String
        let timing: String
        let next: Moment
    }

    let underway: [PushRow]
    let planned: [PlannedCampaign]
    let hasUnderway: Bool
    /// The saved reports that members want to see here.
    let reports: [PinnedReport]
    let hasReports: Bool
    let recent: [PushRow]
    let hasRecent: Bool
    let mayWrite: Bool
    let newPushAddress: String
    let historyAddress: String
    let changesAddress: String

    init(
        _ overview: Overview,
        span: OverviewSpan,
        underway: [SendReport],
        planned: [Campaign],
        recent: [SendReport],
        reports: [PinnedReport],
        warnings: [(app: App, reason: Reason)],
        phones: String?,
        context: ConsoleContext
    ) {
        self.warnings = warnings.map { "\($0.app.name): \(context.words($0.reason))" }
        hasWarnings = !warnings.isEmpty
        appsAddress = ConsolePath.apps.path
        let words = context.words
        self.underway = underway.map { PushRow($0, context: context) }
        self.recent = recent.map { PushRow($0, context: context) }
        self.planned = planned.compactMap { campaign in
            guard let next = campaign.nextRunAt else { return nil }
            return PlannedCampaign(
                address: ConsolePath.campaign(String(campaign.id.rawValue)).path,
                name: campaign.content.name,
                timing: words(CampaignForm.Timing(campaign.content.delivery).wordKey),
                next: context.moment(next)
            )
        }
        self.reports = reports
        hasReports = !reports.isEmpty
        hasUnderway = !underway.isEmpty || !planned.isEmpty
        hasRecent = !recent.isEmpty
        isEmpty = !hasUnderway && recent.isEmpty
        mayWrite = context.hasRole(atLeast: .marketer)
        newPushAddress = ConsolePath.newPush.path
        historyAddress = ConsolePath.pushHistory.path
        changesAddress = ConsolePath.pushChanges.path
        self.span = span
        isOfSpan = span.last != nil
        overviewAddress = ConsolePath.overview.path
        periods = Self.periods(span.last == nil ? span.days : 0, words) { length in
            ConsolePath.overview.query(FormFields([("days", length)]))
        }
        let figures = OverviewFigures(overview, words, period: Self.period(overview, span, context))
        answer = figures.answer
        self.figures = figures.activity
        chart = Self.chart(overview, context)
        var steps: [(title: String, text: String, address: String, action: String)] = []
        if let phones {
            steps.append(
                (
                    words("overview.step.phone.title"), words("overview.step.phone.text"), phones,
                    words("overview.step.phone.action")
                )
            )
        }
        steps.append(
            (
                words("overview.step.push.title"), words("overview.step.push.text"),
                ConsolePath.newPush.path, words("overview.step.push.action")
            )
        )
        steps.append(
            (
                words("overview.step.watch.title"), words("overview.step.watch.text"),
                ConsolePath.pushHistory.path, words("overview.step.watch.action")
            )
        )
        self.steps = steps.enumerated().map { index, step in
            Step(
                number: index + 1,
                title: step.title,
                text: step.text,
                address: step.address,
                action: step.action
            )
        }
    }

    /// The days in words; `nil` for the last ones.
    private static func period(
        _ overview: Overview,
        _ span: OverviewSpan,
        _ context: ConsoleContext
    ) -> String? {
        guard span.last != nil, let first = overview.days.first, let last = overview.days.last
        else {
            return nil
        }
        return context.words(
            "overview.span",
            [
                "from": context.words.day(first.start, in: context.zone),
                "until": context.words.day(last.start, in: context.zone),
            ]
        )
    }

    /// The periods that can be chosen, in days.
    private static let lengths = [7, 30, 90]

    static func periods(
        _ current: Int,
        _ words: Words,
        address: (String) -> String
    ) -> [Period] {
        lengths.map { length in
            Period(
                label: words.counted("overview.days", length),
                address: address(String(length)),
                isCurrent: length == current
            )
        }
    }

    /// The number of days that an address asks for; 30 without it.
    static func days(_ query: FormFields) -> Int {
        lengths.first { String($0) == query["days"] } ?? 30
    }

    private static func chart(_ overview: Overview, _ context: ConsoleContext) -> LineChart {
        LineChart(
            name: context.words("overview.chart"),
            labels: overview.days.map { context.words.day($0.start, in: context.zone) },
            series: [
                LineChart.Series(
                    name: context.words("overview.delivered"),
                    style: "quiet-line",
                    values: overview.days.map(\.delivered)
                ),
                LineChart.Series(
                    name: context.words("overview.opened"),
                    style: "strong",
                    values: overview.days.map(\.opened)
                ),
            ],
            previous: overview.previousDays.map(\.opened),
            shape: .columns,
            words: context.words
        )
    }
}
