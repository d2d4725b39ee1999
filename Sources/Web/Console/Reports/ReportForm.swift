import Foundation
import Model
import Reports
import WebPages

/// What a member asks of a report, as a form of strings that an address holds.
///
/// What cannot be asked is left out or brought within its bounds, so that every address shows a page.
/// What it says is a question in the terms of the REST API, which is asked and saved.
struct ReportForm {
    /// How many steps a funnel's form has.
    static let stepCount = 6
    static let newUsers = "new_users"
    static let revenue = "revenue"

    enum Trait: String, CaseIterable {
        case none, platform, app, country, language, attribute
        case customAttribute = "custom_attribute"
        case property, segments

        var wordKey: String {
            switch self {
            case .none: "reports.by.none"
            case .platform: "reports.by.platform"
            case .app: "reports.by.app"
            case .country: "reports.by.country"
            case .language: "reports.by.language"
            case .attribute: "reports.by.attribute"
            case .customAttribute: "reports.by.custom_attribute"
            case .property: "reports.by.property"
            case .segments: "reports.by.segments"
            }
        }
    }

    enum WindowUnit: String, CaseIterable {
        case minute, hour, day

        var wordKey: String {
            switch self {
            case .minute: "reports.window.minute"
            case .hour: "reports.window.hour"
            case .day: "reports.window.day"
            }
        }

        var seconds: Int {
            switch self {
            case .minute: 60
            case .hour: 3_600
            case .day: 86_400
            }
        }
    }

    /// What ends an attempt between two steps, which count from 1.
    struct Exclusion: Hashable {
        var activity: ReportActivityForm
        var after: Int
        var before: Int
    }

    let unit: ReportUnit
    let length: Int
    let segment: String
    let trait: Trait
    /// The name of the attribute or the property.
    let traitName: String
    /// The numbers of the segments of a breakdown.
    let traitSegments: [String]
    let steps: [ReportActivityForm]
    let window: Int
    let windowUnit: WindowUnit
    let exclusion: Exclusion
    /// The property that is the same at every step.
    let constant: String
    let first: ReportActivityForm
    let returning: ReportActivityForm
    let cohort: RetentionQuestion.Cohort
    let mode: RetentionQuestion.Mode
    let intervals: Int
    /// What a path begins with.
    let start: ReportActivityForm
    let direction: PathsQuestion.Direction
    let pathLength: Int
    /// What is no step of a path, as choices of activities.
    let leftOut: [String]
    let figure: ReportActivityForm
    let currency: String
    let measure: SeriesQuestion.Measure
    let isCompared: Bool

    init(
        fields: FormFields,
        units: [ReportUnit],
        usually length: [ReportUnit: Int],
        currency usual: String
    ) {
        let unit = Self.choice(fields["unit"], units) ?? units.first ?? .day
        self.unit = unit
        self.length = Self.number(fields["length"], unit.lengths) ?? length[unit] ?? 1
        segment = fields["segment"]
        trait = Self.choice(fields["by"], Trait.allCases) ?? .none
        traitName = fields.trimmed("byName")
        traitSegments = Array(fields.all("bySegment").prefix(ReportLimits.segments.upperBound))
        steps = (0..<Self.stepCount).map { ReportActivityForm(fields, "step", at: $0) }
        let windowUnit = Self.choice(fields["windowUnit"], WindowUnit.allCases) ?? .day
        self.windowUnit = windowUnit
        let most = ReportLimits.longestWindow / windowUnit.seconds
        window = Self.number(fields["window"], 1...most) ?? 7
        let after = Self.number(fields["excludeAfter"], 1...(Self.stepCount - 1)) ?? 1
        let before = Self.number(fields["excludeBefore"], 2...Self.stepCount) ?? after + 1
        exclusion = Exclusion(
            activity: ReportActivityForm(fields, "exclude"),
            after: after,
            before: max(after + 1, before)
        )
        constant = fields.trimmed("constant")
        first = ReportActivityForm(fields, "first", usually: "session")
        returning = ReportActivityForm(fields, "returning", usually: "session")
        cohort = Self.choice(fields["cohort"], RetentionQuestion.Cohort.allCases) ?? .recurring
        mode = Self.choice(fields["mode"], RetentionQuestion.Mode.allCases) ?? .nDay
        intervals = Self.number(fields["intervals"], 1...30) ?? 8
        start = ReportActivityForm(fields, "start", usually: "session")
        direction = Self.choice(fields["direction"], PathsQuestion.Direction.allCases) ?? .after
        pathLength = Self.number(fields["pathLength"], ReportLimits.pathSteps) ?? 3
        leftOut = Array(fields.all("leaveOut").prefix(ReportLimits.pathExceptions))
        figure = ReportActivityForm(fields, "figure", usually: "session")
        let typed = fields.trimmed("currency").uppercased()
        currency = WorkspaceSettings.currencies.contains(typed) ? typed : usual
        // Averages have fractions, which the picture has not.
        measure = fields["measure"] == SeriesQuestion.Measure.users.rawValue ? .users : .total
        isCompared = fields["compare"] == "yes"
    }

    private static func choice<Choice: RawRepresentable<String>>(
        _ text: String,
        _ choices: [Choice]
    ) -> Choice? {
        choices.first { $0.rawValue == text }
    }

    private static func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        Int(text.trimmingCharacters(in: .whitespaces))
            .map { min(max($0, range.lowerBound), range.upperBound) }
    }
}
