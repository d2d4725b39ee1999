import Reports
import Segments

/// Finds an activity's occurrences in a table of its properties.
///
/// Values are looked at by their codes: each different one is tested once, however many occurrences
/// have it.
struct TableSearch: Sendable {
    private let table: PropertyTable
    private let engine: ReportEngine
    private let range: Range<Int64>
    private let activity: ReportActivity
    private let currency: String?
    private let constant: Numbers?
    private let group: Numbers?

    /// What the codes of a property are in the report: the numbers of the texts of their values.
    private struct Numbers: Sendable {
        let place: Int
        private(set) var numbers: [UInt32]

        init?(_ table: PropertyTable, _ path: AttributePath?, _ found: inout FoundValues) {
            guard let path, let place = table.place(of: path.name) else { return nil }
            self.place = place
            let values = table.values[place]
            numbers = []
            numbers.reserveCapacity(values.count)
            for code in 0..<values.count {
                let value = values.value(of: UInt32(code)).flatMap { path.first(in: $0) }
                numbers.append(found.number(of: value.flatMap(ReportValue.text)))
            }
        }
    }

    init(
        _ table: PropertyTable,
        _ activity: ReportActivity,
        _ needs: OccurrenceSource.Needs,
        _ engine: ReportEngine,
        _ range: Range<Int64>,
        _ constants: inout FoundValues,
        _ groups: inout FoundValues
    ) {
        self.table = table
        self.activity = activity
        self.engine = engine
        self.range = range
        currency = needs.currency
        constant = Numbers(table, needs.constant, &constants)
        group = Numbers(table, needs.group, &groups)
    }

    /// The occurrences of each chunk.
    ///
    /// - Throws: `PatternError`.
    func found() async throws -> [[FoundOccurrence]] {
        try await WorkerPool.map(engine.columns.chunks.count, workers: engine.workers) {
            PropertyFilter(table, activity.condition, currency, engine.time)
        } each: { filter, number in
            Result { () throws(PatternError) in try occurrences(inChunk: number, &filter) }
        }.map { try $0.get() }
    }

    private func occurrences(
        inChunk number: Int,
        _ filter: inout PropertyFilter
    ) throws(PatternError) -> [FoundOccurrence] {
        guard let chunk = table.chunk(number) else { return [] }
        let columns = engine.columns
        var indices = chunk.indices(in: range)
        if let selected = engine.selected?[number] {
            indices.removeAll { !selected.contains(Int(chunk.rows[Int($0)])) }
        }
        try filter.keepPassing(&indices, of: chunk) { index in
            columns.timeZone(chunk: number, row: Int(chunk.rows[index]))
        }
        // A property that has to be constant has to be there.
        if let constant {
            let codes = chunk.codes[constant.place]
            indices.removeAll {
                constant.numbers[Int(codes[Int($0)])] == FoundOccurrence.missing
            }
        }
        var found = indices.map { index in
            FoundOccurrence(
                time: chunk.times[Int(index)],
                amount: 0,
                pieces: chunk.quantities.isEmpty ? 1 : chunk.quantities[Int(index)],
                constant: FoundOccurrence.missing,
                group: FoundOccurrence.missing,
                row: chunk.rows[Int(index)]
            )
        }
        filter.addAmounts(to: &found, indices, of: chunk)
        if let constant {
            let codes = chunk.codes[constant.place]
            for (place, index) in indices.enumerated() {
                found[place].constant = constant.numbers[Int(codes[Int(index)])]
            }
        }
        if let group {
            let codes = chunk.codes[group.place]
            for (place, index) in indices.enumerated() {
                found[place].group = group.numbers[Int(codes[Int(index)])]
            }
        }
        return found
    }
}

extension AttributePath {
    /// The first value that the path reaches in the property with which it begins.
    fileprivate func first(in property: AttributeValue) -> AttributeValue? {
        steps.count == 1 ? property : values(in: [name: property]).first
    }
}
