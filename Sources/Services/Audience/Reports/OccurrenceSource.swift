import Model
import Ports
import Reasons
import Reports
import Segments

/// Where the occurrences of a report's activities come from: columns where they know all that is
/// asked, else a table of the properties, or rows, found by name and time.
///
/// Both know whole seconds: rows are rounded down to them, so that what happened within one second
/// has no order, wherever it comes from.
struct OccurrenceSource: Sendable {
    private enum Place: Sendable {
        case columns(activity: Int?, products: Set<UInt32>?)
        /// Found in a table or in rows, by chunk.
        case rows([[FoundOccurrence]])
    }

    private let columns: ColumnSnapshot
    private let selected: [[UInt64]]?
    private let range: Range<Int64>
    private var known: [ReportActivity: Int] = [:]
    private var places: [Place] = []
    /// The breakdown's values by number, in the order of their bytes.
    private(set) var groups: [String] = []

    /// Which activities' rows have to be read, and what for.
    struct Needs {
        /// The property that is constant.
        var constant: AttributePath?
        /// The property of the breakdown.
        var group: AttributePath?
        /// Whether amounts are needed, in this currency.
        var currency: String?

        /// The names of the properties that an activity needs.
        func names(of activity: ReportActivity) -> Set<String> {
            activity.propertyNames([constant, group], isPaid: currency != nil)
        }
    }

    /// - Parameters:
    ///   - range: Where occurrences are looked for.
    ///   - activities: With what is needed of each.
    init(
        _ engine: ReportEngine,
        in range: Range<Int64>,
        _ activities: [(ReportActivity, Needs)]
    ) async throws {
        columns = engine.columns
        selected = engine.selected
        self.range = range
        var constants = FoundValues()
        var groups = FoundValues()
        var read = 0
        for (activity, needs) in activities where known[activity] == nil {
            known[activity] = places.count
            let names = needs.names(of: activity)
            if names.isEmpty {
                places.append(Self.place(of: activity, engine.columns))
            } else if let table = engine.columns.table(of: activity.activity, names) {
                let search = TableSearch(
                    table,
                    activity,
                    needs,
                    engine,
                    range,
                    &constants,
                    &groups
                )
                places.append(.rows(try await search.found()))
            } else {
                let found = try await Self.read(
                    activity,
                    needs,
                    engine,
                    range,
                    &constants,
                    &groups,
                    &read
                )
                places.append(.rows(found))
            }
        }
        let (constantRanks, groupRanks) = (constants.sort(), groups.sort())
        self.groups = groups.texts
        for place in places.indices {
            guard case .rows(var chunks) = places[place] else { continue }
            places[place] = .rows([])
            for chunk in chunks.indices where !constantRanks.isEmpty || !groupRanks.isEmpty {
                chunks[chunk].withUnsafeMutableBufferPointer { found in
                    for index in found.indices {
                        let one = found[index]
                        if one.constant != FoundOccurrence.missing {
                            found[index].constant = constantRanks[Int(one.constant)]
                        }
                        if one.group != FoundOccurrence.missing {
                            found[index].group = groupRanks[Int(one.group)]
                        }
                    }
                }
            }
            places[place] = .rows(chunks)
        }
    }

    private static func place(of activity: ReportActivity, _ columns: ColumnSnapshot) -> Place {
        switch activity.subject {
        case .event(let name):
            return .columns(activity: columns.activities[.event(name)], products: nil)
        case .session: return .columns(activity: columns.activities[.session], products: nil)
        case .purchase(let products):
            let codes = Set(products.compactMap(columns.products.code(of:)))
            return .columns(
                activity: columns.activities[.purchase],
                products: products.isEmpty ? nil : codes
            )
        }
    }

    /// Where an activity's occurrences stand in `tables`.
    func number(of activity: ReportActivity) -> Int { known[activity] ?? 0 }

    /// The occurrences of each activity in a chunk.
    func tables(ofChunk number: Int) -> [OccurrenceTable] {
        let chunk = columns.chunks[number]
        return places.map { place in
            switch place {
            case .columns(let activity, let products):
                return OccurrenceTable(
                    activity.flatMap { $0 < chunk.series.count ? chunk.series[$0] : nil },
                    rows: chunk.count,
                    in: range,
                    products: products,
                    selected: selected?[number]
                )
            case .rows(let found): return OccurrenceTable(found[number], rows: chunk.count)
            }
        }
    }

    /// The only activity's series in a chunk, in the order of time; `nil` where other than its rows and
    /// times has to be looked at.
    func series(inChunk number: Int) -> ActivitySeries? {
        guard case .columns(let activity, nil) = places[0] else { return nil }
        let chunk = columns.chunks[number]
        guard let activity, activity < chunk.series.count else { return ActivitySeries() }
        var series = chunk.series[activity]
        // A copy: what came late takes its place.
        if !series.tail.isEmpty { series.merge(isPurchase: columns.isPurchase[activity]) }
        return series
    }

    /// Calls with the occurrences of the only activity in a chunk, those of columns in the order of
    /// time, those of rows in that of users.
    func forEach(inChunk number: Int, _ body: (FoundOccurrence) -> Void) {
        let chunk = columns.chunks[number]
        switch places[0] {
        case .rows(let found):
            let found = found[number]
            let order = FoundOccurrence.order(of: found, rows: chunk.count) { $0.time < $1.time }
            for index in order.indices { body(found[Int(index)]) }
        case .columns(let activity, let products):
            guard let activity, activity < chunk.series.count else { return }
            var series = chunk.series[activity]
            // A copy: what came late takes its place.
            if !series.tail.isEmpty { series.merge(isPurchase: columns.isPurchase[activity]) }
            let window = ActivityWindow(from: range.lowerBound, until: range.upperBound)
            let selected = selected?[number]
            series.forEach(in: window) { entry in
                if let selected, !selected.contains(Int(entry.row)) { return }
                if let products, !products.contains(entry.product) { return }
                body(
                    FoundOccurrence(
                        time: entry.time,
                        amount: 0,
                        pieces: 1,
                        constant: FoundOccurrence.missing,
                        group: FoundOccurrence.missing,
                        row: entry.row
                    )
                )
            }
        }
    }

    // MARK: Rows

    private static func read(
        _ activity: ReportActivity,
        _ needs: Needs,
        _ engine: ReportEngine,
        _ range: Range<Int64>,
        _ constants: inout FoundValues,
        _ groups: inout FoundValues,
        _ read: inout Int
    ) async throws -> [[FoundOccurrence]] {
        let columns = engine.columns
        let condition = activity.condition
        var evaluator = SegmentEvaluator(at: engine.time)
        var found = Array(repeating: [FoundOccurrence](), count: columns.chunks.count)
        let query = AudienceEventQuery(
            subject: condition.subject,
            from: range.lowerBound == .min ? nil : range.lowerBound,
            until: range.upperBound == .max ? nil : range.upperBound,
            needsProperties: true
        )
        try await engine.source.scanEvents(query) { events in
            try Task.checkCancellation()
            read += events.count
            guard read <= engine.mostRows else {
                throw FieldProblem("length", .tooManyRows, ["count": "\(engine.mostRows)"])
            }
            for event in events where range.contains(event.time) {
                guard condition.subject.includes(event),
                    let (chunk, row) = columns.place(of: event.profile)
                else { continue }
                if let selected = engine.selected, !selected[chunk].contains(row) { continue }
                let zone = columns.timeZone(chunk: chunk, row: row)
                guard try evaluator.counts(event, for: condition, in: zone) else { continue }
                var one = FoundOccurrence(
                    time: event.time,
                    amount: 0,
                    pieces: UInt32(clamping: event.quantity),
                    constant: FoundOccurrence.missing,
                    group: FoundOccurrence.missing,
                    row: UInt16(row)
                )
                if let path = needs.constant {
                    one.constant = constants.number(of: value(at: path, event))
                    guard one.constant != FoundOccurrence.missing else { continue }
                }
                if let path = needs.group { one.group = groups.number(of: value(at: path, event)) }
                if let currency = needs.currency {
                    guard event.properties[ActivityProperties.currency] == .string(currency) else {
                        continue
                    }
                    one.amount = amount(event.properties[ActivityProperties.price], event.quantity)
                }
                found[chunk].append(one)
            }
        }
        return found
    }

    private static func value(at path: AttributePath, _ event: AudienceEvent) -> String? {
        path.values(in: event.properties).first.flatMap(ReportValue.text)
    }

    /// What was paid for all pieces, rounded to a millionth, as all figures of revenue are.
    static func amount(_ price: AttributeValue?, _ quantity: Int) -> Double {
        guard case .number(let price)? = price else { return 0 }
        return (price * Double(quantity) * 1_000_000).rounded()
    }
}
