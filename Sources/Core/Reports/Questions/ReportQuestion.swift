import Foundation
import Model

/// A question of any kind of report.
package enum ReportQuestion: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
        case funnel, retention, series, paths
        case controlGroup = "control_group"
    }

    case funnel(FunnelQuestion)
    case retention(RetentionQuestion)
    case series(SeriesQuestion)
    case paths(PathsQuestion)
    case controlGroup(ControlGroupQuestion)

    package func check() throws(FieldProblem) {
        switch self {
        case .funnel(let question): try question.check()
        case .retention(let question): try question.check()
        case .series(let question): try question.check()
        case .paths(let question): try question.check()
        case .controlGroup(let question): try question.check()
        }
    }

    /// The same with another end of its period.
    package func ending(at date: Date) -> ReportQuestion {
        switch self {
        case .funnel(var question):
            question.period.end = date
            return .funnel(question)
        case .retention(var question):
            question.period.end = date
            return .retention(question)
        case .series(var question):
            question.period.end = date
            return .series(question)
        case .paths(var question):
            question.period.end = date
            return .paths(question)
        case .controlGroup(var question):
            question.period.end = date
            return .controlGroup(question)
        }
    }
}
