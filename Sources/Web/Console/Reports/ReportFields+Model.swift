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

    /// Something that users do, with a condition on one of its properties.
    struct Activity {
        /// Of its fields.
        let name: String
        let label: String
        let choices: [Choice]
        let property: String
        let tests: [Choice]
        let value: String
        let hasCondition: Bool
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
    /// The page cannot take a report apart: it has no such choice.
    let hasTraits: Bool
    let traits: [Choice]
    let traitName: String
    let traitSegments: [Choice]
    let steps: [Activity]
    let window: Int
    let windowUnits: [Choice]
    let exclusion: Activity
    let afters: [Choice]
    let befores: [Choice]
    let constant: String
    let hasMore: Bool
    let first: Activity
    let returning: Activity
    let cohorts: [Choice]
    let modes: [Choice]
    let intervals: Int
    let start: Activity
    let directions: [Choice]
    let pathLengths: [Choice]
    /// What can be left out of paths.
    let exceptions: [Choice]
    let hasExceptions: Bool
    let figure: Activity
    /// The same without what nobody does.
    let activity: Activity
    let currency: String
    let measures: [Choice]
    let isCompared: Bool
    /// The saved report that is shown; empty for none.
    let saved: String
    /// Since when everything is there that the report looks at, where it looks further back.
    var completeSince: String?

    init(
        _ form: ReportForm,
        _ kind: ReportKind,
        units: [ReportUnit],
        known: Known,
        saved: String,
        words: Words
    ) {
        tabs = ReportTabs.all(kind, words)
        action = kind.page.path
        self.saved = saved
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
        hasTraits = kind != .controlGroup && kind != .paths
        traits = ReportForm.Trait.allCases.map {
            Choice(value: $0.rawValue, label: words($0.wordKey), isChosen: $0 == form.trait)
        }
        traitName = form.traitName
        traitSegments = known.segments.map {
            Choice(
                value: "\($0.id)",
                label: $0.content.name,
                isChosen: form.traitSegments.contains("\($0.id)")
            )
        }
        let maker = ActivityMaker(events: known.events, words: words)
        steps = form.steps.enumerated().map { number, step in
            maker.activity(
                step,
                "step",
                words("reports.step", ["number": words.number(number + 1)]),
                isOptional: true
            )
        }
        window = form.window
        windowUnits = ReportForm.WindowUnit.allCases.map {
            Choice(value: $0.rawValue, label: words($0.wordKey), isChosen: $0 == form.windowUnit)
        }
        exclusion = maker.activity(
            form.exclusion.activity,
            "exclude",
            words("reports.exclude_label"),
            isOptional: true
        )
        func numbers(_ range: ClosedRange<Int>, _ chosen: Int) -> [Choice] {
            range.map {
                Choice(value: "\($0)", label: words.number($0), isChosen: $0 == chosen)
            }
        }
        afters = numbers(1...(ReportForm.stepCount - 1), form.exclusion.after)
        befores = numbers(2...ReportForm.stepCount, form.exclusion.before)
        constant = form.constant
        hasMore = !constant.isEmpty || form.exclusion.activity.question != nil
        first = maker.activity(form.first, "first", words("reports.first_label"))
        returning = maker.activity(form.returning, "returning", words("reports.returning_label"))
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
        start = maker.activity(form.start, "start", words("reports.start_label"))
        directions = PathsQuestion.Direction.allCases.map {
            Choice(
                value: $0.rawValue,
                label: words($0.wordKey),
                isChosen: $0 == form.direction
            )
        }
        pathLengths = numbers(ReportLimits.pathSteps, form.pathLength)
        exceptions = maker.choices(and: form.leftOut).map {
            Choice(
                value: $0,
                label: Self.label($0, words),
                isChosen: form.leftOut.contains($0)
            )
        }
        hasExceptions = !form.leftOut.isEmpty
        figure = maker.activity(
            form.figure,
            "figure",
            words("reports.figure_label"),
            others: [ReportForm.newUsers, ReportForm.revenue]
        )
        activity = maker.activity(form.figure, "figure", words("reports.figure_label"))
        currency = form.currency
        measures = [SeriesQuestion.Measure.total, .users].map {
            Choice(
                value: $0.rawValue,
                label: words($0.wordKey),
                isChosen: $0 == form.measure
            )
        }
        isCompared = form.isCompared
    }

    /// Makes the choices of what users do.
    private struct ActivityMaker {
        let events: [String]
        let words: Words

        /// Everything that can be chosen, and what is chosen already.
        func choices(and chosen: [String]) -> [String] {
            let known = ["session", "purchase"] + events.map { "event:" + $0 }
            return known
                + chosen.filter {
                    !known.contains($0) && ReportActivityForm($0).question != nil
                }
        }

        func activity(
            _ form: ReportActivityForm,
            _ name: String,
            _ label: String,
            isOptional: Bool = false,
            others: [String] = []
        ) -> Activity {
            var values = others + ["session", "purchase"] + events.map { "event:" + $0 }
            // What a link asks for stays, whether such an event has come or not.
            if form.question != nil, !values.contains(form.choice),
                ![ReportForm.newUsers, ReportForm.revenue].contains(form.choice)
            {
                values.append(form.choice)
            }
            let none = Choice(
                value: "",
                label: words("reports.no_step"),
                isChosen: form.choice.isEmpty
            )
            return Activity(
                name: name,
                label: label,
                choices: (isOptional ? [none] : [])
                    + values.map {
                        Choice(
                            value: $0,
                            label: ReportFields.label($0, words),
                            isChosen: $0 == form.choice
                        )
                    },
                property: form.property,
                tests: ReportActivityForm.Test.allCases.map {
                    Choice(
                        value: $0.rawValue,
                        label: words($0.wordKey),
                        isChosen: $0 == form.test
                    )
                },
                value: form.value,
                hasCondition: !form.property.isEmpty
            )
        }
    }

    /// What an activity is called.
    static func label(_ activity: String, _ words: Words) -> String {
        switch activity {
        case "session": words("reports.session")
        case "purchase": words("reports.purchase")
        case ReportForm.newUsers: words("reports.new_users")
        case ReportForm.revenue: words("reports.revenue")
        default: activity.split(separator: ":", maxSplits: 1).last.map(String.init) ?? activity
        }
    }

    /// What a part of a report is called.
    ///
    /// - Parameter segments: The workspace's segments.
    static func label(
        _ group: ReportGroup,
        _ segments: [StoredSegment],
        _ words: Words
    ) -> String {
        switch group {
        case .value(let text): text
        case .segment(let id): segments.first { $0.id == id }?.content.name ?? "\(id)"
        case .missing: words("reports.missing")
        case .other: words("reports.other")
        }
    }
}

/// The tabs above all pages of reports.
enum ReportTabs {
    static func all(_ current: ReportKind, _ words: Words) -> [ReportFields.Tab] {
        ReportKind.allCases.map {
            ReportFields.Tab(
                label: words($0.wordKey),
                address: $0.page.path,
                isCurrent: $0 == current
            )
        }
    }
}

/// The pages of reports.
enum ReportKind: String, CaseIterable {
    case funnel, retention, series, paths
    case controlGroup = "control_group"
    case saved

    /// What it asks; `nil` for the list of saved reports.
    var question: ReportQuestion.Kind? { ReportQuestion.Kind(rawValue: rawValue) }

    var wordKey: String {
        switch self {
        case .funnel: "reports.funnel"
        case .retention: "reports.retention"
        case .series: "reports.series"
        case .paths: "reports.paths"
        case .controlGroup: "control_group.tab"
        case .saved: "reports.saved"
        }
    }

    var page: ConsolePath {
        switch self {
        case .funnel: .funnelReport
        case .retention: .retentionReport
        case .series: .seriesReport
        case .paths: .pathsReport
        case .controlGroup: .controlGroupReport
        case .saved: .savedReports
        }
    }

    var file: ConsolePath { .reportFile(rawValue) }

    /// The units of its period, the usual one first.
    var units: [ReportUnit] {
        switch self {
        case .retention: [.week, .day, .month]
        case .funnel, .series, .paths, .controlGroup, .saved: [.day, .week, .month, .hour]
        }
    }
}
