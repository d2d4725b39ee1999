import Segments

/// Whole numbers of a chunk's rows, one bit plane for each bit of the distance from `base`.
///
/// A column takes as many bits a row as its range of values needs, and comparing 64 rows with a
/// constant takes a few operations a plane, however the bits are spread. Columns without gaps
/// need no bitmap of present rows; a constant column needs no plane at all.
struct SlicedColumn: Sendable {
    private(set) var base: Int64 = 0
    private(set) var count = 0
    /// Lowest bit first; each plane has a word for each 64 rows.
    private(set) var planes: [[UInt64]] = []
    /// Rows that have a value; `nil` while all do.
    private var present: [UInt64]?
    /// Codes count from zero, so their base stays there.
    private let isCode: Bool

    /// Larger magnitudes cannot be kept, because distances must fit.
    static let limit: Int64 = 1 << 61

    init(isCode: Bool) {
        self.isCode = isCode
    }

    private var wordCount: Int { (count + 63) / 64 }

    // MARK: Single rows

    func isPresent(_ row: Int) -> Bool {
        guard row < count else { return false }
        return present.map { $0[row >> 6] >> UInt64(row & 63) & 1 == 1 } ?? true
    }

    func value(at row: Int) -> Int64? {
        guard isPresent(row) else { return nil }
        return base &+ Int64(bitPattern: distance(at: row))
    }

    private func distance(at row: Int) -> UInt64 {
        let word = row >> 6
        let shift = UInt64(row & 63)
        var distance: UInt64 = 0
        for plane in planes.indices {
            distance |= (planes[plane][word] >> shift & 1) << UInt64(plane)
        }
        return distance
    }

    mutating func set(_ value: Int64?, at row: Int) {
        guard let value else {
            guard isPresent(row) else { return }
            makePresent()
            clear(row)
            present?[row >> 6] &= ~(1 << UInt64(row & 63))
            return
        }
        makeRoom(for: value)
        if row >= count {
            extend(to: row + 1)
        } else if isPresent(row) {
            clear(row)
        }
        present?[row >> 6] |= 1 << UInt64(row & 63)
        write(UInt64(bitPattern: value &- base), at: row)
    }

    private mutating func write(_ distance: UInt64, at row: Int) {
        var rest = distance
        let bit: UInt64 = 1 << UInt64(row & 63)
        while rest != 0 {
            planes[rest.trailingZeroBitCount][row >> 6] |= bit
            rest &= rest - 1
        }
    }

    private mutating func clear(_ row: Int) {
        let mask: UInt64 = ~(1 << UInt64(row & 63))
        for plane in planes.indices { planes[plane][row >> 6] &= mask }
    }

    private mutating func makePresent() {
        guard present == nil else { return }
        present = (0..<wordCount).map(presentWord)
    }

    /// Adds rows up to `newCount`, of which all but the last stay absent.
    private mutating func extend(to newCount: Int) {
        if newCount > count + 1 { makePresent() }
        let missing = (newCount + 63) / 64 - wordCount
        if missing > 0 {
            for plane in planes.indices {
                planes[plane].append(contentsOf: repeatElement(0, count: missing))
            }
            present?.append(contentsOf: repeatElement(0, count: missing))
        }
        count = newCount
    }

    // MARK: Range of values

    private mutating func makeRoom(for value: Int64) {
        if count == 0, !isCode, planes.isEmpty { base = value }
        if value < base {
            // Room below lets a column that grows downwards move its base only a few times.
            let most = bounds?.most ?? value
            let spare = min(most &- value, 1 << 40)
            rebase(to: value &- spare, most: most)
        }
        let distance = UInt64(bitPattern: value &- base)
        while planes.count < 64 - distance.leadingZeroBitCount {
            planes.append(Array(repeating: 0, count: wordCount))
        }
    }

    private var bounds: (least: Int64, most: Int64)? {
        guard let least = extreme(isLeast: true), let most = extreme(isLeast: false) else {
            return nil
        }
        return (base &+ Int64(bitPattern: least), base &+ Int64(bitPattern: most))
    }

    /// The least or the greatest distance, decided bit by bit for all rows at once.
    private func extreme(isLeast: Bool) -> UInt64? {
        var candidates = (0..<wordCount).map(presentWord)
        guard candidates.contains(where: { $0 != 0 }) else { return nil }
        var distance: UInt64 = 0
        for plane in planes.indices.reversed() {
            let bits = planes[plane]
            var found: UInt64 = 0
            for word in candidates.indices {
                found |= candidates[word] & (isLeast ? ~bits[word] : bits[word])
            }
            let isWanted = found != 0
            if isWanted {
                for word in candidates.indices {
                    candidates[word] &= isLeast ? ~bits[word] : bits[word]
                }
            }
            if isWanted != isLeast { distance |= 1 << UInt64(plane) }
        }
        return distance
    }

    /// Moves the base: adds the difference to all distances at once, plane by plane with carry.
    private mutating func rebase(to newBase: Int64, most: Int64) {
        let bits = 64 - UInt64(bitPattern: most &- newBase).leadingZeroBitCount
        let words = wordCount
        while planes.count < bits { planes.append(Array(repeating: 0, count: words)) }
        // In two's complement a negative difference is added like any other.
        let difference = UInt64(bitPattern: base &- newBase)
        if difference != 0 {
            let rows = (0..<words).map(presentWord)
            var carry = [UInt64](repeating: 0, count: words)
            for plane in planes.indices {
                let added: UInt64 = difference >> UInt64(plane) & 1 == 1 ? .max : 0
                for word in 0..<words {
                    let old = planes[plane][word]
                    planes[plane][word] = (old ^ added ^ carry[word]) & rows[word]
                    carry[word] = (old & added) | (carry[word] & (old ^ added))
                }
            }
            base = newBase
        }
        planes.removeSubrange(bits...)
    }

    /// Uses as few bits as the values need and gives unused memory back.
    mutating func compact() {
        guard let (least, most) = bounds else {
            self = SlicedColumn(isCode: isCode)
            return
        }
        rebase(to: isCode ? 0 : least, most: most)
        let rows = count
        if let words = present, words.reduce(0, { $0 + $1.nonzeroBitCount }) == rows {
            present = nil
        }
        present = present?.withExactCapacity
        planes = planes.map(\.withExactCapacity)
    }

    var memory: Int {
        planes.reduce(0) { $0 + $1.capacity * 8 + 40 } + (present?.capacity ?? 0) * 8
    }

    // MARK: Many rows

    /// The rows of a word that have a value.
    private func presentWord(_ word: Int) -> UInt64 {
        if let present { return present[word] }
        let rows = count - word * 64
        return rows >= 64 ? .max : (1 << UInt64(rows)) - 1
    }

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

    /// The distances of a word's 64 rows: eight planes and eight rows at a time.
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

    /// Rows of a code column whose code the table marks with 1.
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

    /// The sum of a code column's values from one row up to another, within few words.
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

/// Which codes of a dictionary pass a test.
struct CodeTable: Sendable {
    /// 1 for codes that pass, in the order of codes.
    let marks: [UInt8]
    let marked: [UInt32]

    init(marks: [UInt8]) {
        self.marks = marks
        marked = marks.indices.compactMap { marks[$0] == 1 ? UInt32($0) : nil }
    }
}
