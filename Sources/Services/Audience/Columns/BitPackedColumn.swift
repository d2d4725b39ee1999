/// Whole numbers of a chunk's rows in the narrowest cells that fit.
///
/// A cell stores the distance from `base`; the largest cell value means "absent". Rows after the
/// end are absent too.
struct BitPackedColumn: Sendable {
    private(set) var base: Int64 = 0
    private(set) var width = 1
    // Only the array of the current width is used. Separate fields, unlike an enumeration with
    // payloads, allow changes in place.
    private(set) var bytes: [UInt8] = []
    private(set) var shorts: [UInt16] = []
    private(set) var words: [UInt32] = []
    private(set) var longs: [UInt64] = []
    /// Codes count from zero, so their base stays zero.
    private let isCode: Bool

    /// Larger magnitudes cannot be stored, because distances must fit.
    static let limit: Int64 = 1 << 61

    init(isCode: Bool) {
        self.isCode = isCode
    }

    var count: Int {
        switch width {
        case 1: bytes.count
        case 2: shorts.count
        case 4: words.count
        default: longs.count
        }
    }

    func value(at row: Int) -> Int64? {
        guard row < count else { return nil }
        switch width {
        case 1: return bytes[row] == .max ? nil : base + Int64(bytes[row])
        case 2: return shorts[row] == .max ? nil : base + Int64(shorts[row])
        case 4: return words[row] == .max ? nil : base + Int64(words[row])
        default: return longs[row] == .max ? nil : base + Int64(longs[row])
        }
    }

    mutating func set(_ value: Int64?, at row: Int) {
        guard let value else {
            if row < count { store(nil, at: row) }
            return
        }
        if !fits(value) { widen(for: value) }
        if row >= count { extend(to: row + 1) }
        store(UInt64(bitPattern: value &- base), at: row)
    }

    mutating func append(_ value: Int64) {
        set(value, at: count)
    }

    /// Replaces the rows of `range` with `values`.
    mutating func replace(_ range: Range<Int>, with values: [Int64]) {
        for value in values where !fits(value) { widen(for: value) }
        let distances = values.map { UInt64(bitPattern: $0 &- base) }
        switch width {
        case 1: bytes.replaceSubrange(range, with: distances.map(UInt8.init(truncatingIfNeeded:)))
        case 2: shorts.replaceSubrange(range, with: distances.map(UInt16.init(truncatingIfNeeded:)))
        case 4: words.replaceSubrange(range, with: distances.map(UInt32.init(truncatingIfNeeded:)))
        default: longs.replaceSubrange(range, with: distances)
        }
    }

    private var capacityOfCell: UInt64 {
        width == 8 ? 1 << 63 : (1 << UInt64(width * 8)) - 2
    }

    private func fits(_ value: Int64) -> Bool {
        value >= base && UInt64(bitPattern: value &- base) <= capacityOfCell
    }

    private mutating func store(_ distance: UInt64?, at row: Int) {
        switch width {
        case 1: bytes[row] = distance.map(UInt8.init(truncatingIfNeeded:)) ?? .max
        case 2: shorts[row] = distance.map(UInt16.init(truncatingIfNeeded:)) ?? .max
        case 4: words[row] = distance.map(UInt32.init(truncatingIfNeeded:)) ?? .max
        default: longs[row] = distance ?? .max
        }
    }

    private mutating func extend(to count: Int) {
        let missing = count - self.count
        switch width {
        case 1: bytes.append(contentsOf: repeatElement(.max, count: missing))
        case 2: shorts.append(contentsOf: repeatElement(.max, count: missing))
        case 4: words.append(contentsOf: repeatElement(.max, count: missing))
        default: longs.append(contentsOf: repeatElement(.max, count: missing))
        }
    }

    private var present: (least: Int64, most: Int64)? {
        var least = Int64.max
        var most = Int64.min
        for row in 0..<count {
            guard let value = value(at: row) else { continue }
            least = min(least, value)
            most = max(most, value)
        }
        return least <= most ? (least, most) : nil
    }

    private mutating func widen(for value: Int64) {
        let (least, most) = present ?? (value, value)
        // Room on both sides lets a column that grows in either direction widen only a few times.
        rewrite(least: min(least, value), most: max(most, value), isTight: false)
    }

    /// Chooses the narrowest cells and releases unused capacity.
    mutating func compact() {
        guard let (least, most) = present else {
            self = BitPackedColumn(isCode: isCode)
            return
        }
        rewrite(least: least, most: most, isTight: true)
    }

    private mutating func rewrite(least: Int64, most: Int64, isTight: Bool) {
        let lowest = isCode ? 0 : least
        let span = UInt64(bitPattern: most &- lowest)
        var target = BitPackedColumn(isCode: isCode)
        target.width = [1, 2, 4].first { span <= (1 << UInt64($0 * 8)) - 2 } ?? 8
        let spare = isTight || isCode ? 0 : (target.capacityOfCell - span) / 2
        target.base = max(lowest - Int64(spare >> 1), -BitPackedColumn.limit * 2)
        let count = count
        switch target.width {
        case 1: target.bytes.reserveCapacity(count)
        case 2: target.shorts.reserveCapacity(count)
        case 4: target.words.reserveCapacity(count)
        default: target.longs.reserveCapacity(count)
        }
        if count > 0 { target.extend(to: count) }
        for row in 0..<count {
            guard let value = value(at: row) else { continue }
            target.store(UInt64(bitPattern: value &- target.base), at: row)
        }
        self = target
    }

    var memory: Int {
        bytes.capacity + shorts.capacity * 2 + words.capacity * 4 + longs.capacity * 8
    }
}
