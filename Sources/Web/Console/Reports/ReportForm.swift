import Experiments
import Foundation
import Model
import Reports
import Segments
import WebPages

/// What a member asks of a report, as a form of strings that an address holds.
///
/// What cannot be asked is left out or brought within its bounds, so that every address shows a page.
struct ReportForm {
    /// How many steps a funnel's form has.
    static let stepCount = 6

    /// What a choice of an activity says: `session`, `purchase`, or `event:` and a name.
    static func activity(_ text: String) -> ReportActivity? {
        switch text {
        case "session": return ReportActivity(.session)
        case "purchase": return ReportActivity(.purchase(products: []))
        default:
            guard text.hasPrefix("event:") else { return nil }
            let name = String(text.dropFirst("event:".count))
            return name.isEmpty || name.hasPrefix("$") ? nil : ReportActivity(.event(name))
        }
    }

    enum Trait: String, CaseIterable {
        case none, platform, app, country, language

        var wordKey: String {
            switch self {
            case .none: "reports.by.none"
            case .platform: "reports.by.platform"
            case .app: "reports.by.app"
            case .country: "reports.by.country"
            case .language: "reports.by.language"
            }
        }

        var trait: ReportBreakdown.Trait? {
            switch self {
            case .none: nil
            case .platform: .platform
            case .app: .app
            case .country: .attribute(.standard(.country))
            case .language: .attribute(.standard(.language))
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

    static let newUsers = "new_users"

    let unit: ReportUnit
    let length: Int
    let segment: String
    let trait: Trait
    let steps: [String]
    let window: Int
    let windowUnit: WindowUnit
    let first: String
    let returning: String
    let cohort: RetentionQuestion.Cohort
    let mode: RetentionQuestion.Mode
    let intervals: Int
    let figure: String
    let measure: SeriesQuestion.Measure
    let isCompared: Bool

    init(fields: FormFields, units: [ReportUnit], usually length: [ReportUnit: Int]) {
        let unit = Self.choice(fields["unit"], units) ?? units.first ?? .day
        self.unit = unit
        self.length = Self.number(fields["length"], unit.lengths) ?? length[unit] ?? 1
        segment = fields["segment"]
        trait = Self.choice(fields["by"], Trait.allCases) ?? .none
        let named = fields.all("step")
        steps = (0..<Self.stepCount).map { $0 < named.count ? named[$0] : "" }
        let windowUnit = Self.choice(fields["windowUnit"], WindowUnit.allCases) ?? .day
        self.windowUnit = windowUnit
        let most = ReportLimits.longestWindow / windowUnit.seconds
        window = Self.number(fields["window"], 1...most) ?? 7
        first = fields.value("first") ?? "session"
        returning = fields.value("returning") ?? "session"
        cohort = Self.choice(fields["cohort"], RetentionQuestion.Cohort.allCases) ?? .recurring
        mode = Self.choice(fields["mode"], RetentionQuestion.Mode.allCases) ?? .nDay
        intervals = Self.number(fields["intervals"], 1...30) ?? 8
        figure = fields.value("figure") ?? "session"
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

    // MARK: Questions

    /// Whom and what all reports are asked about.
    struct Scope {
        let end: Date
        let zone: TimeZone
        /// The workspace's segments, so that no other is asked for.
        let segments: Set<SegmentID>
    }

    private func period(_ scope: Scope) -> ReportPeriod {
        ReportPeriod(unit, length: length, endingAt: scope.end, in: scope.zone)
    }

    private func audience(_ scope: Scope) -> SegmentQuery? {
        guard let id = Int64(segment).map({ SegmentID($0) }), scope.segments.contains(id) else {
            return nil
        }
        return SegmentQuery(segments: [id])
    }

    private var breakdown: ReportBreakdown? { trait.trait.map { ReportBreakdown($0) } }

    /// `nil` while too few steps are chosen.
    func funnel(_ scope: Scope) -> FunnelQuestion? {
        let steps = steps.compactMap(Self.activity)
        guard steps.count >= ReportLimits.steps.lowerBound else { return nil }
        return FunnelQuestion(
            period: period(scope),
            steps: steps,
            window: window * windowUnit.seconds,
            audience: audience(scope),
            breakdown: breakdown
        )
    }

    func retention(_ scope: Scope) -> RetentionQuestion? {
        guard let first = Self.activity(first), let returning = Self.activity(returning) else {
            return nil
        }
        return RetentionQuestion(
            period: period(scope),
            cohort: cohort,
            mode: mode,
            intervals: intervals,
            first: first,
            returning: returning,
            audience: audience(scope),
            breakdown: breakdown
        )
    }

    /// - Parameter currency: In which purchases are compared.
    func controlGroup(_ scope: Scope, currency: String) -> ControlGroupQuestion? {
        guard let activity = Self.activity(figure) else { return nil }
        return ControlGroupQuestion(
            period: period(scope),
            activity: activity,
            currency: figure == "purchase" ? currency : nil,
            audience: audience(scope),
            smallestLift: Experiment.usualLift
        )
    }

    func series(_ scope: Scope) -> SeriesQuestion? {
        let figure: SeriesQuestion.Figure
        if self.figure == Self.newUsers {
            figure = .newUsers
        } else if let activity = Self.activity(self.figure) {
            figure = .activity(activity)
        } else {
            return nil
        }
        return SeriesQuestion(
            period: period(scope),
            figure: figure,
            measure: measure,
            isCompared: isCompared,
            audience: audience(scope),
            breakdown: breakdown
        )
    }
}
