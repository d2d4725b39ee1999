import Segments

/// Whole numbers of a chunk's rows, with one bit plane for each bit of the distance from `base`.
///
/// A column takes as many bits per row as its range of values needs, and comparing 64 rows with a
/// constant takes a few operations per plane. Columns without gaps need no bitmap of present rows;
/// a constant column needs no plane at all.
struct BitSlicedColumn: Sendable {
    private(set) var base: Int64 = 0
    private(set) var count = 0
    /// Lowest bit first; each plane has a word for each 64 rows.
    private(set) var planes: [[UInt64]] = []
    /// Rows that have a value; `nil` if all do.
    private var present: [UInt64]?
    /// Codes count from zero, so their base stays zero.
    private let isCode: Bool

    /// Larger magnitudes cannot be stored, because distances must fit.
    static let limit: Int64 = 1 << 61

    init(isCode: Bool) {
        self.isCode = isCode
    }

    var wordCount: Int { (count + 63) / 64 }

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
        makeRoom(from: value, to: value)
        if row >= count {
            extend(to: row + 1)
        } else if isPresent(row) {
            clear(row)
        }
        present?[row >> 6] |= 1 << UInt64(row & 63)
        write(UInt64(bitPattern: value &- base), at: row)
    }

    /// Appends values in rows after all existing ones; the rows ascend, and skipped rows stay
    /// absent.
    mutating func append(_ values: [Int64], at rows: [Int]) {
        guard let last = rows.last, let least = values.min(), let most = values.max() else {
            return
        }
        makeRoom(from: least, to: most)
        if last + 1 - count > rows.count { makePresent() }
        let missing = (last + 64) / 64 - wordCount
        if missing > 0 {
            let zeros = repeatElement(UInt64(0), count: missing)
            for plane in planes.indices { planes[plane].append(contentsOf: zeros) }
            present?.append(contentsOf: zeros)
        }
        count = last + 1
        if present != nil {
            for row in rows { present?[row >> 6] |= 1 << UInt64(row & 63) }
        }
        for plane in planes.indices {
            planes[plane].withUnsafeMutableBufferPointer { words in
                for index in rows.indices {
                    let distance = UInt64(bitPattern: values[index] &- base)
                    let bit = distance >> UInt64(plane) & 1
                    words[rows[index] >> 6] |= bit << UInt64(rows[index] & 63)
                }
            }
        }
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

    /// Adds rows up to `newCount`; all but the last stay absent.
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

    private mutating func makeRoom(from least: Int64, to most: Int64) {
        if count == 0, !isCode, planes.isEmpty { base = least }
        if least < base {
            // Room below lets a column that grows downward move its base only a few times.
            let most = max(bounds?.most ?? most, most)
            let spare = min(most &- least, 1 << 40)
            rebase(to: least &- spare, most: most)
        }
        let distance = UInt64(bitPattern: most &- base)
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

    /// The least or the greatest distance, determined bit by bit for all rows at once.
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

    /// Moves the base by adding the difference to all distances at once, plane by plane with carry.
    private mutating func rebase(to newBase: Int64, most: Int64) {
        let bits = 64 - UInt64(bitPattern: most &- newBase).leadingZeroBitCount
        let words = wordCount
        while planes.count < bits { planes.append(Array(repeating: 0, count: words)) }
        // In two's complement a negative difference is added in the same way.
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

    /// Uses as few bits as the values need and releases unused memory.
    mutating func compact() {
        guard let (least, most) = bounds else {
            self = BitSlicedColumn(isCode: isCode)
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

    /// The rows of a word that have a value.
    func presentWord(_ word: Int) -> UInt64 {
        if let present { return present[word] }
        let rows = count - word * 64
        return rows >= 64 ? .max : (1 << UInt64(rows)) - 1
    }
}
