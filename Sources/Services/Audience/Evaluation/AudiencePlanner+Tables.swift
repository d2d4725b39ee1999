import Model
import Ports
import Segments

/// Conditions on the properties of what users did, where a table holds them.
extension AudiencePlanner {
    func tableNode(
        _ condition: ActivityCondition,
        _ table: PropertyTable
    ) async throws -> QueryNode {
        let windows = calendars.all.map { ActivityQuestion(condition, $0).window }
        let from = windows.map(\.from).min() ?? .min
        let until = windows.map(\.until).max() ?? .max
        let search = TableCondition(
            condition: condition,
            table: table,
            columns: columns,
            range: from..<max(from, until)
        )
        let time = time
        let rows = try await WorkerPool.map(columns.chunks.count, workers: workers) {
            TableCondition.State(search, time)
        } each: { state, number in
            Result { () throws(PatternError) in try search.rows(inChunk: number, &state) }
        }.map { try $0.get() }
        return condition.holdsWithoutOccurrences ? .not(.rows(rows)) : .rows(rows)
    }
}

/// Which rows of a chunk differ from users without an occurrence.
private struct TableCondition: Sendable {
    let condition: ActivityCondition
    let table: PropertyTable
    let columns: ColumnSnapshot
    /// The times that count for any user.
    let range: Range<Int64>

    struct State {
        var filter: PropertyFilter
        var evaluator: SegmentEvaluator

        init(_ search: TableCondition, _ time: EvaluationTime) {
            filter = PropertyFilter(search.table, search.condition, nil, time)
            evaluator = SegmentEvaluator(at: time)
        }
    }

    func rows(inChunk number: Int, _ state: inout State) throws(PatternError) -> RowBitmap {
        var rows = RowBitmap()
        guard let chunk = table.chunk(number) else { return rows }
        func zone(_ row: UInt16) -> String? { columns.timeZone(chunk: number, row: Int(row)) }
        var indices = chunk.indices(in: range)
        try state.filter.keepPassing(&indices, of: chunk) { zone(chunk.rows[$0]) }
        // What is left to ask is the time, on each user's calendar.
        var timed = condition
        timed.properties = []
        if case .purchase = timed.subject { timed.subject = .purchase(products: []) }
        let isTimed = condition.from != nil || condition.until != nil
        // Only what was bought has a price; an event's property of that name is no money.
        let price = table.activity == .purchase ? table.place(of: ActivityProperties.price) : nil
        var event = AudienceEvent(profile: 0, activity: table.activity, time: 0)
        var summaries: [UInt16: ActivitySummary] = [:]
        for index in indices.map(Int.init) {
            let row = chunk.rows[index]
            event.time = chunk.times[index]
            if isTimed, try !state.evaluator.counts(event, for: timed, in: zone(row)) { continue }
            if !chunk.quantities.isEmpty { event.quantity = Int(chunk.quantities[index]) }
            if let price,
                case .number(let paid) = table.values[price].value(
                    of: chunk.codes[price][index]
                )
            {
                // The rows' reader has refused prices that are beyond all amounts.
                event.priceInMicros = Int64(exactly: (paid * 1_000_000).rounded()) ?? 0
            } else {
                event.priceInMicros = 0
            }
            summaries[row, default: .init()].add(event)
        }
        let usual = condition.holdsWithoutOccurrences
        for (row, summary) in summaries {
            let calendar = state.evaluator.calendar(inZone: zone(row))
            guard summary.satisfies(condition.measure, on: calendar) != usual else { continue }
            rows.insert(Int(row))
        }
        return rows
    }
}
