import Segments

/// The values of one attribute in one chunk, each kept in the column of its type.
struct AttributeColumn: Sendable {
    private(set) var strings: SlicedColumn?
    private(set) var numbers: NumberColumn?
    private(set) var times: SlicedColumn?
    private(set) var trueRows: RowBitmap?
    private(set) var falseRows: RowBitmap?
    private(set) var sets: SetColumn?
    /// Rows whose value is an object; its members are attributes of their own.
    private(set) var objects: RowBitmap?
    /// Values no column fits, such as lists of objects. They are tested one by one.
    private(set) var others: [UInt16: AttributeValue] = [:]

    /// The value of a row; of an object only that it is one. Lists come in code order.
    func value(at row: Int, dictionary: StringDictionary) -> AttributeValue? {
        if let code = strings?.value(at: row) { return .string(dictionary.values[Int(code)]) }
        if let number = numbers?.value(at: row) { return .number(number) }
        if let seconds = times?.value(at: row) { return .time(seconds) }
        if trueRows?.contains(row) == true { return .bool(true) }
        if falseRows?.contains(row) == true { return .bool(false) }
        if let codes = sets?.value(at: row) {
            return .array(codes.sorted().map { .string(dictionary.values[Int($0)]) })
        }
        if objects?.contains(row) == true { return .object([:]) }
        return others[UInt16(row)]
    }

    /// Whether the row already holds this value, so that writing it would only copy storage.
    func holds(_ value: AttributeValue?, at row: Int, dictionary: StringDictionary) -> Bool {
        let current = self.value(at: row, dictionary: dictionary)
        switch (current, value) {
        case (nil, nil): return true
        case (.array(let left)?, .array(let right)?): return Set(left) == Set(right)
        case (.object?, .object?): return true
        default: return current == value
        }
    }

    mutating func clear(_ row: Int) {
        strings?.set(nil, at: row)
        numbers?.set(nil, at: row)
        times?.set(nil, at: row)
        trueRows?.remove(row)
        falseRows?.remove(row)
        sets?.set(nil, at: row)
        objects?.remove(row)
        others[UInt16(row)] = nil
    }

    /// Writes into a row that holds nothing.
    mutating func fill(_ row: Int, with value: AttributeValue, dictionary: inout StringDictionary) {
        switch value {
        case .string(let string):
            let code = Int64(dictionary.encode(string))
            if strings == nil { strings = SlicedColumn(isCode: true) }
            strings?.set(code, at: row)
        case .number(let number) where !number.isNaN:
            if numbers == nil { numbers = NumberColumn() }
            numbers?.set(number, at: row)
        case .time(let seconds) where abs(seconds) < SlicedColumn.limit:
            if times == nil { times = SlicedColumn(isCode: false) }
            times?.set(seconds, at: row)
        case .bool(true):
            if trueRows == nil { trueRows = RowBitmap() }
            trueRows?.insert(row)
        case .bool(false):
            if falseRows == nil { falseRows = RowBitmap() }
            falseRows?.insert(row)
        case .object:
            if objects == nil { objects = RowBitmap() }
            objects?.insert(row)
        case .array(let elements):
            var codes: [UInt32] = []
            for element in elements {
                guard case .string(let string) = element else {
                    others[UInt16(row)] = value
                    return
                }
                let code = dictionary.encode(string)
                if !codes.contains(code) { codes.append(code) }
            }
            if sets == nil { sets = SetColumn() }
            sets?.set(codes, at: row)
        case .number, .time:
            others[UInt16(row)] = value
        }
    }

    mutating func compact() {
        strings?.compact()
        numbers?.compact()
        times?.compact()
        trueRows?.compact()
        falseRows?.compact()
        sets?.compact()
        objects?.compact()
    }

    var memory: Int {
        let bitmaps = [trueRows, falseRows, objects].reduce(0) { $0 + ($1?.bytes ?? 0) }
        return (strings?.memory ?? 0) + (numbers?.memory ?? 0) + (times?.memory ?? 0)
            + (sets?.memory ?? 0) + bitmaps + others.capacity * 64
    }
}
