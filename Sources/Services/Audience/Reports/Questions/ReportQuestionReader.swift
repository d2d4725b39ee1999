import Foundation
import Model
import NoroshiWire
import Reasons
import Reports

/// Reads what is asked of a report, and looks up what it refers to. Whether it may be asked says the
/// question's own check.
package struct ReportQuestionReader: Sendable {
    let reports: ReportService
    let segments: SegmentService
    let audience: SegmentationService
    let now: @Sendable () -> Date

    package init(
        reports: ReportService,
        segments: SegmentService,
        audience: SegmentationService,
        now: @escaping @Sendable () -> Date
    ) {
        self.reports = reports
        self.segments = segments
        self.audience = audience
        self.now = now
    }

    package func question(
        _ kind: ReportQuestion.Kind,
        _ body: RequestReader,
        in workspace: WorkspaceID
    ) async throws -> ReportQuestionForm.Asked {
        let audience = try await audience(body, in: workspace)
        return try await form(body, audience, in: workspace).question(kind, body)
    }

    /// What is asked of the users who match now, and what its parts are called.
    package func composition(
        _ body: RequestReader,
        in workspace: WorkspaceID
    ) async throws -> (question: CompositionQuestion, breakdown: ReportQuestionForm.Breakdown) {
        let audience = try await audience(body, in: workspace)
        let breakdown = try await form(body, audience, in: workspace).breakdown(body)
        guard let part = breakdown.breakdown else { throw body.problem("breakdown", .required) }
        return (CompositionQuestion(audience: audience, breakdown: part), breakdown)
    }

    private func form(
        _ body: RequestReader,
        _ audience: SegmentQuery?,
        in workspace: WorkspaceID
    ) async throws -> ReportQuestionForm {
        var known: [UUID: SegmentID] = [:]
        for id in ReportQuestionForm.segments(named: body) where known[id] == nil {
            known[id] = try await segments.segment(apiID: id, in: workspace)?.id
        }
        return ReportQuestionForm(
            zone: try await reports.zone(of: workspace),
            now: now(),
            audience: audience,
            segments: known
        )
    }

    private func audience(
        _ reader: RequestReader,
        in workspace: WorkspaceID
    ) async throws -> SegmentQuery? {
        try await AudienceRequestReader(segments: segments, audience: audience)
            .query(reader, in: workspace)
    }
}
