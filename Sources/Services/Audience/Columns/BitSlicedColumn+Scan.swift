/// Scans over many rows at once.
extension BitSlicedColumn {
    func forEach(_ body: (Int, Int64) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { distances in
            for word in 0..<wordCount {
                var rows = presentWord(word)
                guard rows != 0 else { continue }
                decode(word, into: distances)
                while rows != 0 {
                    let row = rows.trailingZeroBitCount
                    body(word * 64 + row, base &+ Int64(bitPattern: distances[row]))
                    rows &= rows - 1
                }
            }
        }
    }

    /// A byte of 0 or 1 for each of eight bits, for each combination of them.
    private static let spread: [UInt64] = (0..<256).map { bits in
        (0..<8).reduce(0) { $0 | (bits >> $1 & 1 == 1 ? 1 << UInt64($1 * 8) : 0) }
    }

    /// Decodes the distances of a word's 64 rows, eight planes and eight rows at a time.
    @inline(__always)
    private func decode(_ word: Int, into distances: UnsafeMutableBufferPointer<UInt64>) {
        distances.update(repeating: 0)
        Self.spread.withUnsafeBufferPointer { spread in
            var first = 0
            while first < planes.count {
                withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 8) { packed in
                    packed.update(repeating: 0)
                    for plane in first..<min(first + 8, planes.count) {
                        let bits = planes[plane][word]
                        guard bits != 0 else { continue }
                        for eight in 0..<8 {
                            let byte = Int(truncatingIfNeeded: bits >> UInt64(eight * 8) & 0xFF)
                            packed[eight] |= spread[byte] << UInt64(plane - first)
                        }
                    }
                    for eight in 0..<8 where packed[eight] != 0 {
                        for row in 0..<8 {
                            distances[eight * 8 + row] |=
                                (packed[eight] >> UInt64(row * 8) & 0xFF) << UInt64(first)
                        }
                    }
                }
                first += 8
            }
        }
    }

    func addPresent(into target: UnsafeMutablePointer<UInt64>) {
        for word in 0..<wordCount { target[word] |= presentWord(word) }
    }

    /// Rows whose value a predicate accepts.
    func addWhere(into target: UnsafeMutablePointer<UInt64>, _ holds: (Int64) -> Bool) {
        forEach { row, value in
            if holds(value) { target[row >> 6] |= 1 << UInt64(row & 63) }
        }
    }

    /// Rows whose value is within the range.
    func addRange(_ range: ClosedRange<Int64>, into target: UnsafeMutablePointer<UInt64>) {
        guard range.upperBound >= base else { return }
        let most: UInt64 = planes.count >= 64 ? .max : (1 << UInt64(planes.count)) - 1
        let low =
            range.lowerBound <= base ? 0 : UInt64(bitPattern: range.lowerBound &- base)
        let high = min(most, UInt64(bitPattern: range.upperBound &- base))
        guard low <= high else { return }
        let words = wordCount
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words * 2 + 1) { memory in
            guard let less = memory.baseAddress else { return }
            let equal = less + words
            if low == high {
                compare(with: low, less: nil, equal: equal)
                for word in 0..<words { target[word] |= equal[word] & presentWord(word) }
                return
            }
            withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words + 1) { accepted in
                guard let accepted = accepted.baseAddress else { return }
                for word in 0..<words { accepted[word] = presentWord(word) }
                if low > 0 {
                    compare(with: low, less: less, equal: equal)
                    for word in 0..<words { accepted[word] &= ~less[word] }
                }
                if high < most {
                    compare(with: high, less: less, equal: equal)
                    for word in 0..<words { accepted[word] &= less[word] | equal[word] }
                }
                for word in 0..<words { target[word] |= accepted[word] }
            }
        }
    }

    /// Marks the rows less than and equal to a distance, from the highest plane down.
    @inline(__always)
    private func compare(
        with distance: UInt64,
        less: UnsafeMutablePointer<UInt64>?,
        equal: UnsafeMutablePointer<UInt64>
    ) {
        let words = wordCount
        equal.update(repeating: .max, count: words)
        less?.update(repeating: 0, count: words)
        for plane in planes.indices.reversed() {
            planes[plane].withUnsafeBufferPointer { bits in
                guard let bits = bits.baseAddress else { return }
                if distance >> UInt64(plane) & 1 == 0 {
                    for word in 0..<words { equal[word] &= ~bits[word] }
                } else if let less {
                    for word in 0..<words {
                        less[word] |= equal[word] & ~bits[word]
                        equal[word] &= bits[word]
                    }
                } else {
                    for word in 0..<words { equal[word] &= bits[word] }
                }
            }
        }
    }

    private static let fewCodes = 12

    /// Rows of a code column whose code is marked with 1 in the table.
    func addTable(_ table: CodeTable, into target: UnsafeMutablePointer<UInt64>) {
        if table.marked.count <= Self.fewCodes {
            for code in table.marked { addRange(Int64(code)...Int64(code), into: target) }
            return
        }
        let size = table.marks.count
        table.marks.withUnsafeBufferPointer { marks in
            withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { codes in
                for word in 0..<wordCount {
                    let rows = presentWord(word)
                    guard rows != 0 else { continue }
                    decode(word, into: codes)
                    var found: UInt64 = 0
                    for row in 0..<64 {
                        let code = Int(truncatingIfNeeded: codes[row])
                        let mark: UInt8 = code < size ? marks[code] : 0
                        found |= UInt64(mark) << UInt64(row)
                    }
                    target[word] |= found & rows
                }
            }
        }
    }

    /// The sum of a code column's values over the marked rows.
    func sum(where rows: UnsafePointer<UInt64>, words: Range<Int>) -> Int {
        let words = words.clamped(to: 0..<wordCount)
        var total = 0
        for plane in planes.indices {
            var bits = 0
            for word in words { bits += (planes[plane][word] & rows[word]).nonzeroBitCount }
            total += bits << plane
        }
        return total
    }

    /// The sum of a code column's values over a range of rows within a few words.
    func sum(from start: Int, to end: Int) -> Int {
        var total = 0
        for plane in planes.indices {
            var bits = 0
            for word in (start >> 6)..<((end + 63) >> 6) where word < planes[plane].count {
                var mask = UInt64.max
                if word == start >> 6 { mask <<= UInt64(start & 63) }
                if word == end >> 6 { mask &= (1 << UInt64(end & 63)) - 1 }
                bits += (planes[plane][word] & mask).nonzeroBitCount
            }
            total += bits << plane
        }
        return total
    }
}

/// The codes of a dictionary that pass a test.
struct CodeTable: Sendable {
    /// 1 for codes that pass, in code order.
    let marks: [UInt8]
    let marked: [UInt32]

    init(marks: [UInt8]) {
        self.marks = marks
        marked = marks.indices.compactMap { marks[$0] == 1 ? UInt32($0) : nil }
    }
}
