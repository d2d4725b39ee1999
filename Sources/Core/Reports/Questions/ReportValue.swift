import Segments

/// What a value is in a report: values are the same when they are written the same.
package enum ReportValue {
    /// The texts of a value, one for each element of a list. An object has none, and neither has a
    /// list without elements.
    package static func texts(of value: AttributeValue?) -> [String] {
        switch value {
        case .array(let elements):
            // An element that comes twice is one.
            return Array(Set(elements.compactMap(text)))
        case let value?: return text(of: value).map { [$0] } ?? []
        case nil: return []
        }
    }

    /// The text of one value; lists and objects have none.
    package static func text(of value: AttributeValue) -> String? {
        switch value {
        case .string(let text): text
        case .number(let number): SegmentWriter.text(number)
        case .integer(let integer): "\(integer)"
        case .bool(let bool): bool ? "true" : "false"
        case .time(let seconds): TimeText.moment(seconds)
        case .array, .object: nil
        }
    }

    /// The order of values: by the bytes of their texts.
    package static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
