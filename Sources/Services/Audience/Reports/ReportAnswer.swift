import Model
import Reports

/// The answer to a report of any kind.
package enum ReportAnswer: Sendable {
    case funnel(FunnelAnswer)
    case retention(RetentionAnswer)
    case series(SeriesAnswer)
    case paths(PathsAnswer)
    /// `nil` if the workspace has no control group.
    case controlGroup(ControlGroupReport?)

    /// - Parameter name: What a part of the report is called.
    package func table(_ name: ReportTable.Name) -> ReportTable {
        switch self {
        case .funnel(let answer): answer.table(name)
        case .retention(let answer): answer.table(name)
        case .series(let answer): answer.table(name)
        case .paths(let answer): answer.table()
        case .controlGroup(let report): ControlGroupReport.table(report)
        }
    }
}

extension ReportService {
    /// - Throws: `FieldProblem`, `AudienceError`.
    package func answer(
        _ question: ReportQuestion,
        in workspace: WorkspaceID
    ) async throws -> ReportAnswer {
        switch question {
        case .funnel(let question): .funnel(try await funnel(question, in: workspace))
        case .retention(let question): .retention(try await retention(question, in: workspace))
        case .series(let question): .series(try await series(question, in: workspace))
        case .paths(let question): .paths(try await paths(question, in: workspace))
        case .controlGroup(let question):
            .controlGroup(try await controlGroup(question, in: workspace))
        }
    }
}
