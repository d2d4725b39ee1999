import Foundation
import Model
import Ports
import Reasons
import Reports
import Segments

/// Answers reports of what users do: funnels, retention, series and paths, exact at the moment of the answer.
///
/// Users are who they are now: what a merged user did is the other one's, what a deleted one did is
/// gone.
package struct ReportService: Sendable {
    let audience: SegmentationService
    private let now: @Sendable () -> Date
    /// Reports that look at properties come one after another, because each holds many occurrences
    /// in memory.
    private let turns = SingleFlight()

    package init(audience: SegmentationService, now: @escaping @Sendable () -> Date) {
        self.audience = audience
        self.now = now
    }

    /// The zone of a workspace's days.
    package func zone(of workspace: WorkspaceID) async throws -> TimeZone {
        try await audience.store.timeZone(of: workspace)
    }

    /// - Throws: `FieldProblem`, `AudienceError`.
    package func funnel(
        _ question: FunnelQuestion,
        in workspace: WorkspaceID
    ) async throws -> FunnelAnswer {
        try question.check()
        return try await answer(
            in: workspace,
            question.audience,
            question.breakdown,
            properties: question.properties
        ) { try await $0.funnel(question) }
    }

    /// - Throws: `FieldProblem`, `AudienceError`.
    package func retention(
        _ question: RetentionQuestion,
        in workspace: WorkspaceID
    ) async throws -> RetentionAnswer {
        try question.check()
        let now = Int64(now().timeIntervalSince1970.rounded(.down))
        return try await answer(
            in: workspace,
            question.audience,
            question.breakdown,
            properties: question.properties
        ) { try await $0.retention(question, now: now) }
    }

    /// - Throws: `FieldProblem`, `AudienceError`.
    package func series(
        _ question: SeriesQuestion,
        in workspace: WorkspaceID
    ) async throws -> SeriesAnswer {
        try question.check()
        return try await answer(
            in: workspace,
            question.audience,
            question.breakdown,
            properties: question.properties
        ) { try await $0.series(question) }
    }

    /// - Throws: `FieldProblem`, `AudienceError`.
    package func paths(
        _ question: PathsQuestion,
        in workspace: WorkspaceID
    ) async throws -> PathsAnswer {
        try question.check()
        return try await answer(
            in: workspace,
            question.audience,
            nil,
            properties: question.properties
        ) { try await $0.paths(question) }
    }

    /// - Throws: `FieldProblem`, `AudienceError`.
    package func composition(
        _ question: CompositionQuestion,
        in workspace: WorkspaceID
    ) async throws -> CompositionAnswer {
        try question.check()
        return try await answer(
            in: workspace,
            question.audience,
            question.breakdown,
            properties: ActivityProperties()
        ) { try await $0.composition(question) }
    }

    func answer<Answer: Sendable>(
        in workspace: WorkspaceID,
        _ query: SegmentQuery?,
        _ breakdown: ReportBreakdown?,
        properties: ActivityProperties,
        _ work: @escaping @Sendable (ReportEngine) async throws -> Answer
    ) async throws -> Answer {
        try await audience.makeTables(for: properties, in: workspace)
        let make: @Sendable () async throws -> Answer = {
            do {
                return try await work(
                    try await engine(in: workspace, query, breakdown, properties)
                )
            } catch let error as PatternError {
                throw AudienceError(
                    .invalidFilter,
                    .matching,
                    ["reason": .reason(error.reason)]
                )
            }
        }
        return properties.isEmpty ? try await make() : try await turns.take(make)
    }

    /// Everything of one snapshot of the columns. Rows are read later and show at least what it does.
    private func engine(
        in workspace: WorkspaceID,
        _ query: SegmentQuery?,
        _ breakdown: ReportBreakdown?,
        _ properties: ActivityProperties
    ) async throws -> ReportEngine {
        let columns = try await audience.columns(of: workspace)
        let time = try await audience.time(of: .now, in: workspace)
        let workers = audience.settings.workers
        let late = LazyRowSource(store: audience.store, workspace: workspace)
        func users(_ query: SegmentQuery) async throws -> [[UInt64]] {
            let (rule, book) = try await audience.rule(of: query, in: workspace)
            return try await columns.select(
                rule,
                at: time,
                directory: book,
                source: late,
                workers: workers
            ).bitmaps(workers: workers)
        }
        var selected: [[UInt64]]?
        if let query { selected = try await users(query) }
        var segments: [[[UInt64]]] = []
        if case .segments(let named)? = breakdown?.trait {
            for segment in named {
                segments.append(try await users(SegmentQuery(segments: [segment])))
            }
        }
        // One view for all activities of a report.
        var source: any UserRowReader = late
        if !columns.holds(properties) {
            source = try await audience.store.audienceView().rows(of: workspace)
        }
        return ReportEngine(
            columns: columns,
            selected: selected,
            segments: segments,
            source: source,
            time: time,
            workers: workers
        )
    }
}
