import Segments

/// Profiles by attribute instead of one by one, for loading many: shared data, such as the names of
/// attributes and frequent texts, is stored once.
///
/// Rows count from zero in the order of the profiles' row ids; a batch has at most `capacity` rows.
/// A row has at most one value per attribute; the first one is kept.
package struct AudienceProfileBatch: Sendable {
    package enum Attribute: Sendable, Hashable {
        case standard(StandardAttribute)
        /// `parent` is the index in `columns` of the object that contains this member.
        case custom(String, parent: Int?)
    }

    package static let capacity = 65_536

    package private(set) var rowIDs: [Int64] = []
    /// An object's column precedes those of its members.
    package private(set) var columns: [Column] = []
    package var devices = AudienceDeviceBatch()
    private var places: [Attribute: Int] = [:]

    package init() {}

    /// Starts the row of the next profile.
    package mutating func beginRow(_ id: Int64) {
        rowIDs.append(id)
        devices.counts.append(0)
    }

    private var row: UInt16 { UInt16(rowIDs.count - 1) }

    /// The index of the column of an attribute.
    package mutating func place(of attribute: Attribute) -> Int {
        if let known = places[attribute] { return known }
        let place = columns.count
        places[attribute] = place
        columns.append(Column(attribute: attribute))
        return place
    }

    // MARK: Values of the row that was begun last

    package mutating func append(text: UnsafeBufferPointer<UInt8>, to place: Int) {
        columns[place].append(text: text, at: row)
    }

    package mutating func append(number: Double, to place: Int) {
        columns[place].append(number: number, at: row)
    }

    package mutating func append(time: Int64, to place: Int) {
        columns[place].append(time: time, at: row)
    }

    /// Appends any value; the members of an object become separate attributes.
    package mutating func append(_ value: AttributeValue, to place: Int) {
        columns[place].append(value, at: row)
        guard case .object(let members) = value else { return }
        for (key, member) in members {
            append(member, to: self.place(of: .custom(key, parent: place)))
        }
    }

    /// - Parameter skipped: Attributes that no caller will read from this batch.
    package mutating func append(
        _ profile: AudienceProfile,
        skipping skipped: Set<StandardAttribute>
    ) {
        beginRow(profile.rowID)
        for attribute in StandardAttribute.allCases where !skipped.contains(attribute) {
            guard let value = profile.value(of: attribute) else { continue }
            append(value, to: place(of: .standard(attribute)))
        }
        for (key, value) in profile.custom {
            append(value, to: place(of: .custom(key, parent: nil)))
        }
        for device in profile.devices { devices.append(device, row: rowIDs.count - 1) }
    }
}

extension AudienceProfileBatch {
    /// Values of one type with their rows in ascending order.
    package struct Cells<Value: Sendable>: Sendable {
        package private(set) var rows: [UInt16] = []
        package private(set) var values: [Value] = []

        mutating func append(_ value: Value, at row: UInt16) {
            rows.append(row)
            values.append(value)
        }

        /// The indices of the cells of these rows.
        package func places(of range: Range<Int>) -> Range<Int> {
            firstPlace(atOrAfter: range.lowerBound)..<firstPlace(atOrAfter: range.upperBound)
        }

        private func firstPlace(atOrAfter row: Int) -> Int {
            var low = 0
            var high = rows.count
            while low < high {
                let middle = (low + high) / 2
                if Int(rows[middle]) < row { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// The values of one attribute.
    package struct Column: Sendable {
        package let attribute: Attribute
        /// The texts to whose numbers `strings` and `lists` refer.
        package private(set) var texts = StringInterner()
        package private(set) var strings = Cells<UInt32>()
        package private(set) var numbers = Cells<Double>()
        package private(set) var times = Cells<Int64>()
        /// Lists of strings: the range of each in `listedTexts`.
        package private(set) var lists = Cells<Range<Int>>()
        package private(set) var listedTexts: [UInt32] = []
        /// Values of other types. Of an object only its presence is stored.
        package private(set) var others = Cells<AttributeValue>()
        private var lastRow = -1

        init(attribute: Attribute) {
            self.attribute = attribute
        }

        private mutating func begin(_ row: UInt16) -> Bool {
            guard Int(row) > lastRow else { return false }
            lastRow = Int(row)
            return true
        }

        mutating func append(text: UnsafeBufferPointer<UInt8>, at row: UInt16) {
            if begin(row) { strings.append(texts.number(of: text), at: row) }
        }

        mutating func append(number: Double, at row: UInt16) {
            if begin(row) { numbers.append(number, at: row) }
        }

        mutating func append(time: Int64, at row: UInt16) {
            if begin(row) { times.append(time, at: row) }
        }

        mutating func append(_ value: AttributeValue, at row: UInt16) {
            guard begin(row) else { return }
            switch value {
            case .string(var text):
                let number = text.withUTF8 { texts.number(of: $0) }
                strings.append(number, at: row)
            case .number(let number) where !number.isNaN: numbers.append(number, at: row)
            case .time(let seconds): times.append(seconds, at: row)
            case .array(let elements):
                guard let list = list(of: elements) else { return others.append(value, at: row) }
                lists.append(list, at: row)
            case .object: others.append(.object([:]), at: row)
            default: others.append(value, at: row)
            }
        }

        private mutating func list(of elements: [AttributeValue]) -> Range<Int>? {
            let start = listedTexts.count
            for element in elements {
                guard case .string(var text) = element else {
                    listedTexts.removeSubrange(start...)
                    return nil
                }
                let number = text.withUTF8 { texts.number(of: $0) }
                if !listedTexts[start...].contains(number) { listedTexts.append(number) }
            }
            return start..<listedTexts.count
        }
    }
}
