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
        let change: String?
        let isRise: Bool
        let hint: String
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
    let figures: [Figure]
    let chart: LineChart
    let underway: [PushRow]
    let hasUnderway: Bool
    let recent: [PushRow]
    let hasRecent: Bool
    let mayWrite: Bool
    let newPushAddress: String
    let historyAddress: String
    let changesAddress: String

    init(
        _ overview: Overview,
        underway: [SendReport],
        recent: [SendReport],
        warnings: [(app: App, reason: Reason)],
        phones: String?,
        visit: Visit
    ) {
        self.warnings = warnings.map { "\($0.app.name): \(visit.words($0.reason))" }
        hasWarnings = !warnings.isEmpty
        appsAddress = ConsolePath.apps.path
        let words = visit.words
        self.underway = underway.map { PushRow($0, visit: visit) }
        self.recent = recent.map { PushRow($0, visit: visit) }
        hasUnderway = !underway.isEmpty
        hasRecent = !recent.isEmpty
        isEmpty = underway.isEmpty && recent.isEmpty
        mayWrite = visit.may(.marketer)
        newPushAddress = ConsolePath.newPush.path
        historyAddress = ConsolePath.pushHistory.path
        changesAddress = ConsolePath.pushChanges.path
        figures = Self.figures(overview, words)
        chart = Self.chart(overview, visit)
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

    private static func figures(_ overview: Overview, _ words: Words) -> [Figure] {
        func sum(_ days: [PeriodCounts], _ value: (PeriodCounts) -> Int) -> Int {
            days.reduce(0) { $0 + value($1) }
        }
        func compared(
            _ label: String,
            _ hint: String,
            _ value: (PeriodCounts) -> Int
        ) -> Figure {
            let now = sum(overview.days, value)
            let before = sum(overview.previousDays, value)
            return Figure(
                label: label,
                value: words.number(now),
                change: before > 0 ? Self.change(from: before, to: now, words) : nil,
                isRise: now >= before,
                hint: hint
            )
        }
        let recently = words.counted("overview.last_days", overview.days.count)
        return [
            Figure(
                label: words("overview.users"),
                value: words.number(overview.users),
                change: nil,
                isRise: true,
                hint: words("overview.users_hint")
            ),
            Figure(
                label: words("overview.reachable"),
                value: words.number(overview.reachableDevices),
                change: nil,
                isRise: true,
                hint: words("overview.reachable_hint")
            ),
            compared(words("overview.sessions"), recently) { $0.sessions },
            compared(words("overview.delivered"), recently) { $0.delivered },
            compared(words("overview.opened"), recently) { $0.opened },
        ]
    }

    private static func change(from before: Int, to now: Int, _ words: Words) -> String {
        let share = Double(now - before) / Double(before)
        return share.formatted(
            .percent.precision(.fractionLength(0)).sign(strategy: .never)
                .locale(words.language.locale)
        )
    }

    private static func chart(_ overview: Overview, _ visit: Visit) -> LineChart {
        LineChart(
            name: visit.words("overview.chart"),
            labels: overview.days.map { visit.words.day($0.start, in: visit.zone) },
            series: [
                LineChart.Series(
                    name: visit.words("overview.delivered"),
                    style: "quiet-line",
                    values: overview.days.map(\.delivered)
                ),
                LineChart.Series(
                    name: visit.words("overview.opened"),
                    style: "strong",
                    values: overview.days.map(\.opened)
                ),
            ],
            previous: overview.previousDays.map(\.opened),
            words: visit.words
        )
    }
}
