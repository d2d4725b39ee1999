import Foundation
import Model
import Reports
import Segments

extension ReportService {
    /// Since when everything is there that a report looks at, where the workspace keeps events or
    /// sessions for a time only; `nil` if all of it is.
    ///
    /// - Throws: `FieldProblem`, `AudienceError`.
    package func completeSince(
        _ question: ReportQuestion,
        in workspace: WorkspaceID
    ) async throws -> Date? {
        let columns = try await audience.columns(of: workspace)
        guard columns.sumsUp else { return nil }
        var seconds = try question.looks().compactMap { columns.completeSince($0) }
        seconds += try await self.seconds(
            of: question.audience,
            question.breakdown,
            columns,
            in: workspace
        )
        return seconds.max().map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// The same of users and what they are.
    ///
    /// - Throws: `AudienceError`.
    package func completeSince(
        _ question: CompositionQuestion,
        in workspace: WorkspaceID
    ) async throws -> Date? {
        let columns = try await audience.columns(of: workspace)
        guard columns.sumsUp else { return nil }
        return try await seconds(of: question.audience, question.breakdown, columns, in: workspace)
            .max().map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// Since when everything is there that the segments of a report look at.
    private func seconds(
        of query: SegmentQuery?,
        _ breakdown: ReportBreakdown?,
        _ columns: ColumnSnapshot,
        in workspace: WorkspaceID
    ) async throws -> [Int64] {
        var queries = [query].compactMap(\.self)
        if case .segments(let segments)? = breakdown?.trait {
            queries += segments.map { SegmentQuery(segments: [$0]) }
        }
        let time = try await audience.time(of: .now, in: workspace)
        var seconds: [Int64] = []
        for query in queries {
            let (rule, book) = try await audience.rule(of: query, in: workspace)
            let complete = CompleteSince(columns, at: time, directory: book)
            if let second = complete.second(of: rule) { seconds.append(second) }
        }
        return seconds
    }
}

/// What a report looks at, and from when on.
private struct ReportLook {
    /// `nil` for everything.
    var activity: ReportActivity?
    var from: Int64
    /// Whether nothing is asked but when somebody did it first.
    var isOfFirsts = false
}

extension ColumnSnapshot {
    /// Whether something is only summed up.
    fileprivate var sumsUp: Bool { keptSince.contains { $0 > .min } }

    /// `nil` where all of it is there.
    fileprivate func completeSince(_ look: ReportLook) -> Int64? {
        guard let activity = look.activity?.activity else {
            // Everything that users did; messages are not among it.
            return activities.filter { !$0.key.isInteraction }.map { keptSince[$0.value] }
                .filter { $0 > look.from }.max()
        }
        guard !look.isOfFirsts, let kept = keptSince(of: activity) else { return nil }
        return kept > look.from ? kept : nil
    }
}

extension ReportQuestion {
    fileprivate var audience: SegmentQuery? {
        switch self {
        case .funnel(let question): question.audience
        case .retention(let question): question.audience
        case .series(let question): question.audience
        case .paths(let question): question.audience
        case .controlGroup(let question): question.audience
        }
    }

    fileprivate var breakdown: ReportBreakdown? {
        switch self {
        case .funnel(let question): question.breakdown
        case .retention(let question): question.breakdown
        case .series(let question): question.breakdown
        case .paths, .controlGroup: nil
        }
    }

    fileprivate func looks() throws(FieldProblem) -> [ReportLook] {
        func looks(_ activities: [ReportActivity?], from second: Int64) -> [ReportLook] {
            activities.map { ReportLook(activity: $0, from: second) }
        }
        switch self {
        case .funnel(let question):
            return looks(
                question.steps + question.exclusions.map(\.activity),
                from: try question.period.boundaries()[0]
            )
        case .retention(let question):
            let start = try question.period.boundaries()[0]
            let isOfEver = question.cohort == .first
            let properties = question.first.propertyNames(
                [question.breakdown?.property],
                isPaid: false
            )
            return looks([question.returning], from: start) + [
                ReportLook(
                    activity: question.first,
                    from: isOfEver ? .min : start,
                    isOfFirsts: isOfEver && properties.isEmpty
                )
            ]
        case .series(let question):
            guard let activity = question.activity else { return [] }
            let before = question.isCompared ? question.period.length : 0
            return looks([activity], from: try question.period.boundaries(before: before)[0])
        case .paths(let question):
            let start = try question.period.boundaries()[0]
            let isBack = question.direction == .before
            return looks([question.start], from: start)
                + looks([nil], from: isBack ? start - Int64(question.window) : start)
        case .controlGroup(let question):
            return looks([question.activity], from: try question.period.boundaries()[0])
        }
    }
}
