import Segments

/// Numbers of a chunk's rows: as whole multiples of 1 or 0.01 if all of them are, otherwise as
/// doubles.
struct NumberColumn: Sendable {
    private(set) var scale: Int64 = 1
    private(set) var multiples = BitSlicedColumn(isCode: false)
    /// Used once a number is not an exact multiple; absent rows contain NaN.
    private(set) var doubles: [Double]?

    func value(at row: Int) -> Double? {
        if let doubles {
            return row < doubles.count && !doubles[row].isNaN ? doubles[row] : nil
        }
        return multiples.value(at: row).map { Double($0) / Double(scale) }
    }

    mutating func set(_ value: Double?, at row: Int) {
        guard let value else {
            if doubles == nil {
                multiples.set(nil, at: row)
            } else if row < (doubles?.count ?? 0) {
                doubles?[row] = .nan
            }
            return
        }
        if doubles == nil {
            if let multiple = NumberColumn.multiple(value, scale: scale) {
                multiples.set(multiple, at: row)
                return
            }
            if scale == 1, NumberColumn.multiple(value, scale: 100) != nil, rescale() {
                set(value, at: row)
                return
            }
            doubles = (0..<multiples.count).map { self.value(atMultiple: $0) ?? .nan }
            multiples = BitSlicedColumn(isCode: false)
        }
        let missing = row + 1 - (doubles?.count ?? 0)
        if missing > 0 { doubles?.append(contentsOf: repeatElement(.nan, count: missing)) }
        doubles?[row] = value
    }

    /// Appends values in rows after all existing ones; the rows ascend.
    mutating func append(_ values: ArraySlice<Double>, at rows: [Int]) {
        if doubles == nil {
            if let multiples = NumberColumn.multiples(values, scale: scale) {
                return self.multiples.append(multiples, at: rows)
            }
            if scale == 1, let hundredths = NumberColumn.multiples(values, scale: 100), rescale() {
                return self.multiples.append(hundredths, at: rows)
            }
        }
        for (value, row) in zip(values, rows) { set(value, at: row) }
    }

    private static func multiples(_ values: ArraySlice<Double>, scale: Int64) -> [Int64]? {
        var multiples: [Int64] = []
        multiples.reserveCapacity(values.count)
        for value in values {
            guard let multiple = multiple(value, scale: scale) else { return nil }
            multiples.append(multiple)
        }
        return multiples
    }

    private func value(atMultiple row: Int) -> Double? {
        multiples.value(at: row).map { Double($0) / Double(scale) }
    }

    /// The whole number that gives exactly this value when divided by the scale.
    static func multiple(_ value: Double, scale: Int64) -> Int64? {
        let scaled = (value * Double(scale)).rounded()
        guard scaled.magnitude < 0x1p53, scaled / Double(scale) == value else { return nil }
        return Int64(scaled)
    }

    private mutating func rescale() -> Bool {
        var target = BitSlicedColumn(isCode: false)
        for row in 0..<multiples.count {
            guard let value = multiples.value(at: row) else { continue }
            guard let multiple = NumberColumn.multiple(Double(value), scale: 100) else {
                return false
            }
            target.set(multiple, at: row)
        }
        multiples = target
        scale = 100
        return true
    }

    /// The multiples whose values satisfy the comparison with `bound`; `nil` if none do.
    func multiples(_ comparison: Comparison, _ bound: Double) -> ClosedRange<Int64>? {
        let far: Int64 = 1 << 54
        switch comparison {
        case .equal, .notEqual:
            return NumberColumn.multiple(bound, scale: scale).map { $0...$0 }
        case .greaterOrEqual, .greater:
            let first = firstMultiple { comparison.holds($0, bound) }
            return first <= far ? first...far : nil
        case .less, .lessOrEqual:
            let first = firstMultiple { !comparison.holds($0, bound) }
            return first > -far ? -far...(first - 1) : nil
        }
    }

    /// The least multiple whose value satisfies a monotonic predicate.
    private func firstMultiple(where holds: (Double) -> Bool) -> Int64 {
        var low: Int64 = -(1 << 54)
        var high: Int64 = (1 << 54) + 1
        while low < high {
            let middle = low + (high - low) / 2
            if holds(Double(middle) / Double(scale)) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    mutating func compact() {
        multiples.compact()
    }

    var memory: Int { multiples.memory + (doubles?.capacity ?? 0) * 8 }
}
