/// The occurrences of one activity in a chunk, in chronological order.
///
/// An occurrence takes two bytes for the row and usually one for the seconds since the previous
/// occurrence. Spans of 65,536 seconds start over and are listed, so that a time is found by binary
/// search over spans and a scan of one of them; windows are exact to the second. Late or small
/// additions are collected in a tail, which is merged when it has grown.
struct ActivitySeries: Sendable {
    struct Entry: Sendable {
        var time: Int64
        var row: UInt16
        var product: UInt32 = 0
        var priceInMicros: Int64 = 0
    }

    private struct Span: Sendable {
        /// The span's times shifted right by 16.
        var number: Int32
        /// The indices of its first occurrence and of its first step.
        var start: UInt32
        var stepStart: UInt32
    }

    private(set) var rows: [UInt16] = []
    /// Seconds since the previous occurrence, or since the span's start: seven bits per byte, low
    /// ones first, with the highest bit set if more follow.
    private var steps: [UInt8] = []
    private var spans: [Span] = []
    private var lastTime = Int64.min
    /// Used for purchases only.
    private(set) var products: [UInt32] = []
    private(set) var prices: [Int64] = []
    private(set) var tail: [Entry] = []
    /// What is only summed up, in the order of rows. It is before everything else.
    private(set) var sums: [ActivitySum] = []

    private static let maxTailLength = 1_024
    /// Times beyond are clamped, so that span numbers fit.
    private static let farthest: Int64 = 1 << 46

    /// Number of occurrences that are there one by one.
    var count: Int { rows.count + tail.count }

    /// Adds an occurrence; the late ones are merged into the ordered ones from time to time.
    mutating func append(_ entry: Entry, isPurchase: Bool) {
        var entry = entry
        entry.time = min(max(entry.time, -Self.farthest), Self.farthest)
        tail.append(entry)
        if tail.count >= max(Self.maxTailLength, rows.count / 16) { merge(isPurchase: isPurchase) }
    }

    /// Adds an occurrence that is not earlier than any other, directly and without the tail.
    mutating func appendInOrder(_ entry: Entry, isPurchase: Bool) {
        var entry = entry
        entry.time = min(max(entry.time, -Self.farthest), Self.farthest)
        if entry.time < lastTime {
            append(entry, isPurchase: isPurchase)
        } else {
            push(entry, isPurchase: isPurchase)
        }
    }

    private mutating func push(_ entry: Entry, isPurchase: Bool) {
        let number = Int32(entry.time >> 16)
        var step = UInt32(truncatingIfNeeded: entry.time & 0xFFFF)
        if spans.last?.number == number {
            step = UInt32(truncatingIfNeeded: entry.time - lastTime)
        } else {
            spans.append(
                Span(
                    number: number,
                    start: UInt32(rows.count),
                    stepStart: UInt32(steps.count)
                )
            )
        }
        lastTime = entry.time
        while step >= 0x80 {
            steps.append(UInt8(truncatingIfNeeded: step) | 0x80)
            step >>= 7
        }
        steps.append(UInt8(step))
        rows.append(entry.row)
        if isPurchase {
            products.append(entry.product)
            prices.append(entry.priceInMicros)
        }
    }

    /// Merges the tail into the ordered occurrences; only the spans from its earliest entry on
    /// change.
    mutating func merge(isPurchase: Bool) {
        guard let earliest = tail.map(\.time).min() else { return }
        let kept = firstSpan(atOrAfter: earliest)
        var moved: [Entry] = []
        forEachOrdered(fromSpan: kept) { _, entry in
            moved.append(entry)
            return true
        }
        moved.append(contentsOf: tail)
        moved.sort { $0.time < $1.time }
        tail = []
        keep(spans: kept)
        for entry in moved { push(entry, isPurchase: isPurchase) }
    }

    /// Removes all spans except the first `count`.
    private mutating func keep(spans count: Int) {
        guard count < spans.count else { return }
        let start = Int(spans[count].start)
        rows.removeSubrange(start...)
        steps.removeSubrange(Int(spans[count].stepStart)...)
        if !products.isEmpty {
            products.removeSubrange(start...)
            prices.removeSubrange(start...)
        }
        spans.removeSubrange(count...)
        var last = Int64.min
        if count > 0 {
            forEachOrdered(fromSpan: count - 1) { _, entry in
                last = entry.time
                return true
            }
        }
        lastTime = last
    }

    /// Calls `body` with the ordered occurrences from the start of a span until it returns `false`.
    private func forEachOrdered(fromSpan first: Int, _ body: (Int, Entry) -> Bool) {
        for index in first..<max(first, spans.count) {
            let end = index + 1 < spans.count ? Int(spans[index + 1].start) : rows.count
            var time = Int64(spans[index].number) << 16
            var position = Int(spans[index].stepStart)
            for place in Int(spans[index].start)..<end {
                var shift: Int64 = 0
                while steps[position] >= 0x80 {
                    time += Int64(steps[position] & 0x7F) << shift
                    shift += 7
                    position += 1
                }
                time += Int64(steps[position]) << shift
                position += 1
                var entry = Entry(time: time, row: rows[place])
                if !products.isEmpty {
                    entry.product = products[place]
                    entry.priceInMicros = prices[place]
                }
                if !body(place, entry) { return }
            }
        }
    }

    /// The first span whose number is at least that of `time`.
    private func firstSpan(atOrAfter time: Int64) -> Int {
        let number = Int32(min(max(time, -Self.farthest), Self.farthest) >> 16)
        var low = 0
        var high = spans.count
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The index of the first ordered occurrence at or after `time`.
    private func firstIndex(atOrAfter time: Int64) -> Int {
        let span = firstSpan(atOrAfter: time)
        var found = rows.count
        forEachOrdered(fromSpan: span) { place, entry in
            guard entry.time >= time else { return true }
            found = place
            return false
        }
        return found
    }

    /// The ordered occurrences within a window; those of the tail are checked one by one.
    func range(in window: ActivityWindow) -> Range<Int> {
        let lower = window.from == .min ? 0 : firstIndex(atOrAfter: window.from)
        let upper = window.until == .max ? rows.count : firstIndex(atOrAfter: window.until)
        return lower..<max(lower, upper)
    }

    /// Calls `body` for each occurrence in the window.
    func forEach(in window: ActivityWindow, _ body: (Entry) -> Void) {
        let first = window.from == .min ? 0 : firstSpan(atOrAfter: window.from)
        forEachOrdered(fromSpan: first) { _, entry in
            if window.contains(entry.time) { body(entry) }
            return entry.time < window.until
        }
        for entry in tail where window.contains(entry.time) { body(entry) }
    }

    /// The same without anything else than row and time, for loops over millions.
    @inline(__always)
    func forEachTime(in window: ActivityWindow, _ body: (_ row: Int, _ time: Int64) -> Void) {
        let first = window.from == .min ? 0 : firstSpan(atOrAfter: window.from)
        rows.withUnsafeBufferPointer { rows in
            steps.withUnsafeBufferPointer { steps in
                for index in first..<max(first, spans.count) {
                    var time = Int64(spans[index].number) << 16
                    guard time < window.until else { return }
                    let end = index + 1 < spans.count ? Int(spans[index + 1].start) : rows.count
                    var position = Int(spans[index].stepStart)
                    for place in Int(spans[index].start)..<end {
                        var step = Int64(steps[position])
                        if step >= 0x80 {
                            step &= 0x7F
                            var shift: Int64 = 7
                            while true {
                                position += 1
                                step += Int64(steps[position] & 0x7F) << shift
                                guard steps[position] >= 0x80 else { break }
                                shift += 7
                            }
                        }
                        position += 1
                        time += step
                        guard time < window.until else { return }
                        if time >= window.from { body(Int(rows[place]), time) }
                    }
                }
            }
        }
        for entry in tail where window.contains(entry.time) { body(Int(entry.row), entry.time) }
    }

    /// Removes and returns a row's occurrences, of a profile that was merged away or removed; its sum
    /// is taken by `takeSum`.
    mutating func take(_ row: UInt16, isPurchase: Bool) -> [Entry] {
        guard rows.contains(row) || tail.contains(where: { $0.row == row }) else { return [] }
        merge(isPurchase: isPurchase)
        var all: [Entry] = []
        forEachOrdered(fromSpan: 0) { _, entry in
            all.append(entry)
            return true
        }
        keep(spans: 0)
        for entry in all where entry.row != row { push(entry, isPurchase: isPurchase) }
        return all.filter { $0.row == row }
    }

    mutating func compact(isPurchase: Bool) {
        merge(isPurchase: isPurchase)
        rows = rows.withExactCapacity
        steps = steps.withExactCapacity
        spans = spans.withExactCapacity
        products = products.withExactCapacity
        prices = prices.withExactCapacity
        sums = sums.withExactCapacity
    }

    var memory: Int {
        rows.capacity * 2 + steps.capacity + spans.capacity * MemoryLayout<Span>.stride
            + products.capacity * 4 + prices.capacity * 8
            + tail.capacity * MemoryLayout<Entry>.stride
            + sums.capacity * MemoryLayout<ActivitySum>.stride
    }

    // MARK: Sums

    /// Adds a sum to that of its row.
    mutating func add(_ sum: ActivitySum) {
        let place = place(ofSum: sum.row)
        if place < sums.count, sums[place].row == sum.row {
            sums[place].add(sum)
        } else {
            sums.insert(sum, at: place)
        }
    }

    /// Removes and returns the sum of a row.
    mutating func takeSum(_ row: UInt16) -> ActivitySum? {
        let place = place(ofSum: row)
        guard place < sums.count, sums[place].row == row else { return nil }
        return sums.remove(at: place)
    }

    /// The first sum whose row is not less.
    private func place(ofSum row: UInt16) -> Int {
        // Loading adds them in this order.
        if let last = sums.last, last.row < row { return sums.count }
        var (low, high) = (0, sums.count)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle].row < row { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Sums up everything before a second.
    ///
    /// - Parameter rows: How many rows the chunk has.
    mutating func sumUp(before second: Int64, rows count: Int) {
        var all: [ActivitySum?] = Array(repeating: nil, count: count)
        for sum in sums { all[Int(sum.row)] = sum }
        func add(_ row: UInt16, _ time: Int64) {
            let sum = ActivitySum(row: row, time: time)
            if all[Int(row)]?.add(sum) == nil { all[Int(row)] = sum }
        }
        for entry in tail where entry.time < second { add(entry.row, entry.time) }
        tail.removeAll { $0.time < second }
        let (end, rest) = cut(before: second, add)
        rows.removeSubrange(..<end.place)
        steps.removeSubrange(..<end.step)
        spans.removeSubrange(..<end.span)
        for index in spans.indices {
            spans[index].start -= UInt32(end.place)
            spans[index].stepStart -= UInt32(end.step)
        }
        if !rest.isEmpty { putFirst(rest) }
        if rows.isEmpty { lastTime = .min }
        sums = all.compactMap(\.self)
    }

    /// Calls with the ordered occurrences before a second.
    ///
    /// - Returns: Where the first span begins that has only later ones, and the later ones of the
    ///   span before it.
    private func cut(
        before second: Int64,
        _ add: (UInt16, Int64) -> Void
    ) -> (end: (span: Int, place: Int, step: Int), rest: [Entry]) {
        var span = firstSpan(atOrAfter: second)
        if span < spans.count, Int64(spans[span].number) << 16 < second { span += 1 }
        let isEnd = span == spans.count
        let end = isEnd ? rows.count : Int(spans[span].start)
        var rest: [Entry] = []
        forEachOrdered(fromSpan: 0) { place, entry in
            guard place < end else { return false }
            if entry.time < second { add(entry.row, entry.time) } else { rest.append(entry) }
            return true
        }
        return ((span, end, isEnd ? steps.count : Int(spans[span].stepStart)), rest)
    }

    /// Puts occurrences of one span before all others, which are in later ones.
    private mutating func putFirst(_ entries: [Entry]) {
        var first = ActivitySeries()
        for entry in entries { first.push(entry, isPurchase: false) }
        for index in spans.indices {
            spans[index].start += UInt32(first.rows.count)
            spans[index].stepStart += UInt32(first.steps.count)
        }
        let isLast = rows.isEmpty
        rows.insert(contentsOf: first.rows, at: 0)
        steps.insert(contentsOf: first.steps, at: 0)
        spans.insert(contentsOf: first.spans, at: 0)
        if isLast { lastTime = first.lastTime }
    }
}

/// A range of times, including its start but not its end.
struct ActivityWindow: Sendable, Hashable {
    var from: Int64 = .min
    var until: Int64 = .max

    func contains(_ time: Int64) -> Bool { time >= from && time < until }
}

extension Array {
    /// A copy without spare capacity.
    var withExactCapacity: [Element] {
        var exact: [Element] = []
        exact.reserveCapacity(count)
        exact.append(contentsOf: self)
        return exact
    }
}
