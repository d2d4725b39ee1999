import Ports
import Segments

/// The values of one attribute in one chunk, stored by type.
struct AttributeColumn: Sendable {
    private(set) var strings: BitSlicedColumn?
    private(set) var numbers: NumberColumn?
    private(set) var times: BitSlicedColumn?
    private(set) var trueRows: RowBitmap?
    private(set) var falseRows: RowBitmap?
    private(set) var sets: SetColumn?
    /// Rows whose value is an object; its members are separate attributes.
    private(set) var objects: RowBitmap?
    /// Values that fit no column, such as lists of objects. They are tested one by one.
    private(set) var others: [UInt16: AttributeValue] = [:]

    /// The value of a row; objects are returned without their members, lists in code order.
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

    /// Whether the row already has this value, so that writing it would only copy storage.
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

    /// Writes a value into an empty row.
    mutating func fill(_ row: Int, with value: AttributeValue, dictionary: inout StringDictionary) {
        switch value {
        case .string(let string):
            let code = Int64(dictionary.encode(string))
            if strings == nil { strings = BitSlicedColumn(isCode: true) }
            strings?.set(code, at: row)
        case .number(let number) where !number.isNaN:
            if numbers == nil { numbers = NumberColumn() }
            numbers?.set(number, at: row)
        case .time(let seconds) where abs(seconds) < BitSlicedColumn.limit:
            if times == nil { times = BitSlicedColumn(isCode: false) }
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
        case .number, .integer, .time:
            others[UInt16(row)] = value
        }
    }

    /// Writes a batch's values into rows after all used ones: the first of `rows` becomes the row
    /// `first`.
    ///
    /// - Parameter codes: The dictionary's codes of the batch's texts.
    mutating func append(
        _ batch: AudienceProfileBatch.Column,
        rows: Range<Int>,
        at first: Int,
        codes: [UInt32],
        dictionary: inout StringDictionary
    ) {
        let shift = first - rows.lowerBound
        func places<Value>(_ cells: AudienceProfileBatch.Cells<Value>) -> (Range<Int>, [Int])? {
            let places = cells.places(of: rows)
            return places.isEmpty ? nil : (places, cells.rows[places].map { Int($0) + shift })
        }
        if let (places, rows) = places(batch.strings) {
            if strings == nil { strings = BitSlicedColumn(isCode: true) }
            strings?.append(batch.strings.values[places].map { Int64(codes[Int($0)]) }, at: rows)
        }
        if let (places, rows) = places(batch.numbers) {
            if numbers == nil { numbers = NumberColumn() }
            numbers?.append(batch.numbers.values[places], at: rows)
        }
        if let (places, rows) = places(batch.times) {
            let values = Array(batch.times.values[places])
            if values.allSatisfy({ abs($0) < BitSlicedColumn.limit }) {
                if times == nil { times = BitSlicedColumn(isCode: false) }
                times?.append(values, at: rows)
            } else {
                for (value, row) in zip(values, rows) {
                    fill(row, with: .time(value), dictionary: &dictionary)
                }
            }
        }
        if let (places, rows) = places(batch.lists) {
            if sets == nil { sets = SetColumn() }
            var list: [UInt32] = []
            for (place, row) in zip(places, rows) {
                list.removeAll(keepingCapacity: true)
                for text in batch.listedTexts[batch.lists.values[place]] {
                    // Texts of different bytes can be equal as strings.
                    let code = codes[Int(text)]
                    if !list.contains(code) { list.append(code) }
                }
                sets?.set(list, at: row)
            }
        }
        if let (places, rows) = places(batch.others) {
            for (value, row) in zip(batch.others.values[places], rows) {
                fill(row, with: value, dictionary: &dictionary)
            }
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
