/// What is known of a row's occurrences of an activity that are only summed up.
struct ActivitySum: Sendable, Hashable {
    var row: UInt16
    var count: UInt32
    /// Unix seconds.
    var first: Int64
    var last: Int64

    init(row: UInt16, count: UInt32 = 1, first: Int64, last: Int64) {
        self.row = row
        self.count = count
        self.first = first
        self.last = last
    }

    /// One occurrence.
    init(row: UInt16, time: Int64) {
        self.init(row: row, first: time, last: time)
    }

    mutating func add(_ other: ActivitySum) {
        count = UInt32(clamping: UInt64(count) + UInt64(other.count))
        first = min(first, other.first)
        last = max(last, other.last)
    }

    /// Calls with the times at which they count, and how many: the last one at its own, all others at
    /// that of the first. `RemovedOccurrences.events(of:)` says the same of rows.
    @inline(__always)
    func forEachTime(_ body: (_ time: Int64, _ count: Int) -> Void) {
        if count > 1 { body(first, Int(count) - 1) }
        body(last, 1)
    }
}
