import Ports
import Segments

/// Conditions that need rows: properties of events, conversions, and attributes without a column.
extension AudiencePlanner {
    func rowNode(_ condition: ActivityCondition) async throws -> QueryNode {
        guard let source else {
            throw Self.needsRows(.activity(condition))
        }
        if let activity = condition.subject.activity, !condition.properties.isEmpty,
            let table = columns.table(of: activity, condition.propertyNames())
        {
            return try await tableNode(condition, table)
        }
        var evaluator = SegmentEvaluator(at: time)
        var summaries: [Int: ActivitySummary] = [:]
        let questions = calendars.all.map { ActivityQuestion(condition, $0) }
        let query = AudienceEventQuery(
            subject: condition.subject,
            from: condition.from == nil ? nil : questions.map(\.window.from).min(),
            until: condition.until == nil ? nil : questions.map(\.window.until).max(),
            needsProperties: true
        )
        try await source.scanEvents(query) { events in
            for event in events where condition.subject.includes(event) {
                guard let (chunk, row) = columns.place(of: event.profile) else { continue }
                let zone = columns.timeZone(chunk: chunk, row: row)
                guard try evaluator.counts(event, for: condition, in: zone) else { continue }
                summaries[chunk * AudienceChunk.capacity + row, default: .init()].add(event)
            }
        }
        // Users without an occurrence have no summary; mark those who differ from them.
        let usual = condition.holdsWithoutOccurrences
        var rows = Array(repeating: RowBitmap(), count: columns.chunks.count)
        for (index, summary) in summaries {
            let (chunk, row) = index.quotientAndRemainder(dividingBy: AudienceChunk.capacity)
            let calendar = evaluator.calendar(inZone: columns.timeZone(chunk: chunk, row: row))
            guard summary.satisfies(condition.measure, on: calendar) != usual else { continue }
            rows[chunk].insert(row)
        }
        return usual ? .not(.rows(rows)) : .rows(rows)
    }

    func rowNode(_ condition: SegmentCondition) async throws -> QueryNode {
        guard let source else { throw Self.needsRows(condition) }
        var evaluator = SegmentEvaluator(at: time)
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

extension ColumnSnapshot {
    /// The name of the time zone of the user in a row.
    func timeZone(chunk: Int, row: Int) -> String? {
        guard let number = number(of: .timeZone), number < chunks[chunk].attributes.count,
            let code = chunks[chunk].attributes[number].strings?.value(at: row)
        else { return nil }
        return catalog.dictionaries[number].values[Int(code)]
    }
}

extension ActivityCondition {
    /// Columns store no properties, and conversions depend on later events and messages, so both
    /// need rows.
    var needsRows: Bool {
        if case .message(.converted, _) = subject { return true }
        return !properties.isEmpty
    }
}
