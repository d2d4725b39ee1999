import Ports
import Segments

/// What only rows know: properties of events, conversions, and attributes without a column.
extension AudiencePlanner {
    func rowNode(_ condition: ActivityCondition) async throws -> AudienceNode {
        guard let source else {
            throw AudienceError.needsRows(SegmentWriter.text(.activity(condition)))
        }
        var evaluator = SegmentEvaluator(now: now)
        var summaries: [Int: ActivitySummary] = [:]
        let query = AudienceEventQuery(
            subject: condition.subject,
            from: condition.from?.seconds(now: now),
            until: condition.until?.seconds(now: now),
            needsProperties: true
        )
        try await source.scanEvents(query) { events in
            for event in events where try evaluator.counts(event, for: condition) {
                guard let (chunk, row) = columns.place(of: event.profile) else { continue }
                summaries[chunk * AudienceChunk.capacity + row, default: .init()].add(event)
            }
        }
        // Users without an occurrence have no summary; mark those who differ from them.
        let usual = condition.holdsWithoutOccurrences
        var rows = Array(repeating: RowBitmap(), count: columns.chunks.count)
        for (index, summary) in summaries
        where summary.satisfies(condition.measure, now: now) != usual {
            rows[index / AudienceChunk.capacity].insert(index % AudienceChunk.capacity)
        }
        return usual ? .not(.rows(rows)) : .rows(rows)
    }

    func rowNode(_ condition: SegmentCondition) async throws -> AudienceNode {
        guard let source else { throw AudienceError.needsRows(SegmentWriter.text(condition)) }
        var evaluator = SegmentEvaluator(now: now)
        var rows = Array(repeating: RowBitmap(), count: columns.chunks.count)
        try await source.scanProfiles { profiles in
            for profile in profiles
            where try evaluator.holds(condition, for: profile, events: []) {
                guard let (chunk, row) = columns.place(of: profile.rowID) else { continue }
                rows[chunk].insert(row)
            }
        }
        return .rows(rows)
    }
}

extension ActivityCondition {
    /// Columns keep no properties; conversions are found in the rows, because later events and
    /// messages decide them.
    var needsRows: Bool {
        if case .message(.converted, _) = subject { return true }
        return !properties.isEmpty
    }
}
