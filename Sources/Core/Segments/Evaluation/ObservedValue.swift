/// A user's values for a filter.
package enum ObservedValue: Sendable, Hashable {
    /// The user lacks the attribute.
    case unset(_ attribute: String)
    case value(_ attribute: String, _ value: String)
    /// The values of an attribute within a list.
    case values(_ attribute: String, _ values: [String])
    /// No occurrence in the time window of the filter.
    case never
    /// Number of occurrences; the times are Unix seconds, the sum is that of prices.
    case occurrences(_ count: Int, first: Int64, last: Int64, sum: Double?)
    case devices(fitting: Int, of: Int)

    /// In English.
    package var text: String {
        switch self {
        case .unset(let attribute): return "\(attribute) is not set"
        case .value(let attribute, let value): return "\(attribute) is \(value)"
        case .values(let attribute, let values):
            return "\(attribute) has \(values.joined(separator: ", "))"
        case .never: return "never in that time"
        case .occurrences(let count, let first, let last, let sum):
            let times = "\(count) times, first \(TimeText.text(first)), last \(TimeText.text(last))"
            return times + (sum.map { ", sum \(SegmentWriter.text($0))" } ?? "")
        case .devices(let fitting, let all): return "\(fitting) of \(all) devices"
        }
    }

    static func text(_ value: AttributeValue) -> String {
        switch value {
        case .string(let string): SegmentWriter.text(ScalarLiteral.string(string))
        case .number(let number): SegmentWriter.text(number)
        case .integer(let integer): "\(integer)"
        case .bool(let bool): bool ? "true" : "false"
        case .time(let seconds): TimeText.text(seconds)
        case .array(let elements): "[\(elements.map(text).joined(separator: ", "))]"
        case .object(let members): "{\(members.keys.sorted().joined(separator: ", "))}"
        }
    }
}
