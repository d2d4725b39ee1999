import Model
import Reports
import WebPages

/// The parts of a report's form that a page draws.
struct ReportFields {
    struct Choice {
        let value: String
        let label: String
        let isChosen: Bool
    }

    struct Tab {
        let label: String
        let address: String
        let isCurrent: Bool
    }

    struct Step {
        let label: String
        let choices: [Choice]
    }

    /// What there is to choose from.
    struct Known {
        let events: [String]
        let segments: [StoredSegment]
    }

    let tabs: [Tab]
    let action: String
    let units: [Choice]
    let length: Int
    let longest: Int
    let segments: [Choice]
    let traits: [Choice]
    /// Whether the report can be taken apart.
    let hasTraits: Bool
    let steps: [Step]
    let window: Int
    let windowUnits: [Choice]
    let firsts: [Choice]
    let returnings: [Choice]
    let cohorts: [Choice]
    let modes: [Choice]
    let intervals: Int
    let figures: [Choice]
    /// The figures that are done by users.
    let activities: [Choice]
    let measures: [Choice]
    let isCompared: Bool

    init(
        _ form: ReportForm,
        _ kind: ReportKind,
        units: [ReportUnit],
        known: Known,
        words: Words
    ) {
        tabs = ReportKind.allCases.map {
            Tab(label: words($0.wordKey), address: $0.page.path, isCurrent: $0 == kind)
        }
        action = kind.page.path
        self.units = units.map {
            Choice(
                value: $0.rawValue,
                label: words($0.wordKey),
                isChosen: $0 == form.unit
            )
        }
        length = form.length
        longest = units.map(\.lengths.upperBound).max() ?? 1
        segments =
            [Choice(value: "", label: words("reports.everyone"), isChosen: form.segment.isEmpty)]
            + known.segments.map {
                Choice(
                    value: "\($0.id)",
                    label: $0.content.name,
                    isChosen: "\($0.id)" == form.segment
                )
            }
        traits = ReportForm.Trait.allCases.map {
            Choice(value: $0.rawValue, label: words($0.wordKey), isChosen: $0 == form.trait)
        }
        hasTraits = kind != .controlGroup
        func activities(_ chosen: String, others: [Choice] = []) -> [Choice] {
            var values = ["session", "purchase"] + known.events.map { "event:" + $0 }
            // What a link asks for stays, whether such an event has come or not.
            if ReportForm.activity(chosen) != nil, !values.contains(chosen) {
                values.append(chosen)
            }
            return others
                + values.map {
                    Choice(
                        value: $0,
                        label: Self.label($0, words),
                        isChosen: $0 == chosen
                    )
                }
        }
        steps = form.steps.enumerated().map { number, chosen in
            Step(
                label: words("reports.step", ["number": words.number(number + 1)]),
                choices: activities(
                    chosen,
                    others: [
                        Choice(
                            value: "",
                            label: words("reports.no_step"),
                            isChosen: chosen.isEmpty
                        )
                    ]
                )
            )
        }
        window = form.window
        windowUnits = ReportForm.WindowUnit.allCases.map {
            Choice(value: $0.rawValue, label: words($0.wordKey), isChosen: $0 == form.windowUnit)
        }
        firsts = activities(form.first)
        returnings = activities(form.returning)
        cohorts = RetentionQuestion.Cohort.allCases.map {
            Choice(
                value: $0.rawValue,
                label: words($0.wordKey),
                isChosen: $0 == form.cohort
            )
        }
        modes = RetentionQuestion.Mode.allCases.map {
            Choice(
                value: $0.rawValue,
                label: words($0.wordKey),
                isChosen: $0 == form.mode
            )
        }
        intervals = form.intervals
        figures = activities(
            form.figure,
            others: [
                Choice(
                    value: ReportForm.newUsers,
                    label: words("reports.new_users"),
                    isChosen: form.figure == ReportForm.newUsers
                )
            ]
        )
        self.activities = activities(form.figure)
        measures = [SeriesQuestion.Measure.total, .users].map {
            Choice(
                value: $0.rawValue,
                label: words($0.wordKey),
                isChosen: $0 == form.measure
            )
        }
        isCompared = form.isCompared
    }

    /// What an activity is called.
    static func label(_ activity: String, _ words: Words) -> String {
        switch activity {
        case "session": words("reports.session")
        case "purchase": words("reports.purchase")
        case ReportForm.newUsers: words("reports.new_users")
        default: String(activity.dropFirst("event:".count))
        }
    }

    /// What a part of a report is called.
    static func label(_ group: ReportGroup, _ words: Words) -> String {
        switch group {
        case .value(let text): text
        case .segment(let id): "\(id)"
        case .missing: words("reports.missing")
        case .other: words("reports.other")
        }
    }
}

/// The pages of reports.
enum ReportKind: String, CaseIterable {
    case funnel, retention, series
    case controlGroup = "control-group"

    var wordKey: String {
        switch self {
        case .funnel: "reports.funnel"
        case .retention: "reports.retention"
        case .series: "reports.series"
        case .controlGroup: "control_group.tab"
        }
    }

    var page: ConsolePath {
        switch self {
        case .funnel: .funnelReport
        case .retention: .retentionReport
        case .series: .seriesReport
        case .controlGroup: .controlGroupReport
        }
    }

    var file: ConsolePath { .reportFile(rawValue) }
}
