import Segments

/// A chunk's occurrences of one activity by user: the seconds of each row, ascending.
///
/// What was found in rows has values besides, and is then in the order of constant value, time and
/// breakdown value.
final class OccurrenceTable {
    /// Where each row's occurrences begin; one more than rows.
    private var starts: [UInt32]
    private let times: UnsafeMutableBufferPointer<Int64>
    private let constants: UnsafeMutableBufferPointer<UInt32>
    private let groups: UnsafeMutableBufferPointer<UInt32>

    deinit {
        times.deallocate()
        constants.deallocate()
        groups.deallocate()
    }

    /// From columns.
    ///
    /// - Parameters:
    ///   - rows: How many the chunk has.
    ///   - products: Codes of the products that count; `nil` for any.
    ///   - selected: A bitmap of the rows that count; `nil` for all.
    init(
        _ series: ActivitySeries?,
        rows: Int,
        in range: Range<Int64>,
        products: Set<UInt32>?,
        selected: [UInt64]?
    ) {
        var starts = [UInt32](repeating: 0, count: rows + 1)
        let window = ActivityWindow(from: range.lowerBound, until: range.upperBound)
        // Counting first and reading twice is quicker than keeping what was read.
        starts.withUnsafeMutableBufferPointer { starts in
            Self.visit(series, in: window, products, selected) { row, _ in starts[row + 1] &+= 1 }
            for row in 0..<rows { starts[row + 1] &+= starts[row] }
        }
        let times = UnsafeMutableBufferPointer<Int64>.allocate(capacity: Int(starts[rows]))
        constants = .allocate(capacity: 0)
        groups = .allocate(capacity: 0)
        var next = starts
        next.withUnsafeMutableBufferPointer { next in
            Self.visit(series, in: window, products, selected) { row, time in
                times.initializeElement(at: Int(next[row]), to: time)
                next[row] &+= 1
            }
        }
        self.times = times
        self.starts = starts
        // What came late stands behind the rest.
        for row in Set((series?.tail ?? []).map { Int($0.row) }) {
            times[self.range(of: row)].sort()
        }
    }

    @inline(__always)
    private static func visit(
        _ series: ActivitySeries?,
        in window: ActivityWindow,
        _ products: Set<UInt32>?,
        _ selected: [UInt64]?,
        _ body: (Int, Int64) -> Void
    ) {
        guard let series else { return }
        // Who is asked when somebody did it first, ever, is told; nothing else is known of these.
        if window.from == .min {
            for sum in series.sums where sum.first < window.until {
                let row = Int(sum.row)
                if selected?.contains(row) ?? true { body(row, sum.first) }
            }
        }
        if products == nil, selected == nil { return series.forEachTime(in: window, body) }
        series.forEach(in: window) { entry in
            let row = Int(entry.row)
            if let selected, !selected.contains(row) { return }
            if let products, !products.contains(entry.product) { return }
            body(row, entry.time)
        }
    }

    /// From rows, in any order.
    init(_ found: [FoundOccurrence], rows: Int) {
        let order = FoundOccurrence.order(of: found, rows: rows) {
            ($0.constant, $0.time, $0.group) < ($1.constant, $1.time, $1.group)
        }
        starts = order.starts
        times = .allocate(capacity: found.count)
        constants = .allocate(capacity: found.count)
        groups = .allocate(capacity: found.count)
        for (place, index) in order.indices.enumerated() {
            let one = found[Int(index)]
            times.initializeElement(at: place, to: one.time)
            constants.initializeElement(at: place, to: one.constant)
            groups.initializeElement(at: place, to: one.group)
        }
    }

    private func range(of row: Int) -> Range<Int> { Int(starts[row])..<Int(starts[row + 1]) }

    func isEmpty(_ row: Int) -> Bool { starts[row] == starts[row + 1] }

    /// Valid as long as the table is.
    func times(of row: Int) -> UnsafeBufferPointer<Int64> {
        UnsafeBufferPointer(rebasing: times[range(of: row)])
    }

    /// The breakdown's values of a row; `nil` where none were read.
    func groups(of row: Int) -> UnsafeBufferPointer<UInt32>? {
        groups.isEmpty ? nil : UnsafeBufferPointer(rebasing: groups[range(of: row)])
    }

    /// Calls with each constant value of a row, its times and the breakdown's values.
    func forEachConstant(
        of row: Int,
        _ body: (UInt32, UnsafeBufferPointer<Int64>, UnsafeBufferPointer<UInt32>) -> Void
    ) {
        let range = range(of: row)
        var start = range.lowerBound
        while start < range.upperBound {
            let constant = constants[start]
            var end = start + 1
            while end < range.upperBound, constants[end] == constant { end += 1 }
            body(
                constant,
                UnsafeBufferPointer(rebasing: times[start..<end]),
                UnsafeBufferPointer(rebasing: groups[start..<end])
            )
            start = end
        }
    }

    /// The times of a row with a constant value.
    func times(of row: Int, constant: UInt32) -> UnsafeBufferPointer<Int64> {
        let range = range(of: row)
        let start = place(of: constant, in: range)
        let end = place(of: constant + 1, in: range)
        return UnsafeBufferPointer(rebasing: times[start..<end])
    }

    /// The first place whose constant value is not less.
    private func place(of constant: UInt32, in range: Range<Int>) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if constants[middle] < constant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension [UInt64] {
    /// Whether a row is in a bitmap.
    func contains(_ row: Int) -> Bool {
        let word = row >> 6
        return word < count && self[word] >> UInt64(row & 63) & 1 == 1
    }

    mutating func insert(_ row: Int) { self[row >> 6] |= 1 << UInt64(row & 63) }

    /// Calls with each row of a bitmap.
    func forEachRow(_ body: (Int) -> Void) {
        for (word, bits) in enumerated() {
            var rest = bits
            while rest != 0 {
                body(word << 6 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }
}
