/// The profile row ids of a chunk's rows.
///
/// Rows are added in ascending id order, so consecutive ids need no storage and others are found by
/// binary search. An id that arrives out of order (less than an earlier one) is stored separately;
/// its row repeats the largest id so far, which keeps the order searchable.
struct ProfileRowIDs: Sendable {
    private(set) var count = 0
    private var first: Int64 = 0
    private(set) var last: Int64 = .min
    private var listed: BitPackedColumn?
    private var exceptions: [UInt16: Int64] = [:]

    func id(at row: Int) -> Int64 {
        if !exceptions.isEmpty, let exception = exceptions[UInt16(row)] { return exception }
        return key(at: row)
    }

    private func key(at row: Int) -> Int64 {
        listed?.value(at: row) ?? first + Int64(row)
    }

    /// Appends a row; `largest` is the largest id of all chunks before this row.
    mutating func append(_ id: Int64, largest: Int64?) {
        let isLate = largest.map { id <= $0 } ?? false
        let key = isLate ? largest ?? id : id
        if isLate { exceptions[UInt16(count)] = id }
        if count == 0 {
            first = key
        } else if listed == nil, key != first + Int64(count) {
            var column = BitPackedColumn(isCode: false)
            for row in 0..<count { column.append(first + Int64(row)) }
            listed = column
        }
        listed?.append(key)
        last = key
        count += 1
    }

    /// The first row whose id in search order is at least `id`.
    func firstRow(atLeast id: Int64) -> Int {
        guard count > 0, id > first else { return 0 }
        guard id <= last else { return count }
        guard listed != nil else { return Int(id - first) }
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if key(at: middle) < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func row(of id: Int64) -> Int? {
        let row = firstRow(atLeast: id)
        return row < count && key(at: row) == id && exceptions[UInt16(row)] == nil ? row : nil
    }

    mutating func compact() { listed?.compact() }

    var memory: Int { (listed?.memory ?? 0) + exceptions.capacity * 16 }
}
