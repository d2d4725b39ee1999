/// A value of a profile attribute or of an event property.
///
/// Times are whole Unix seconds. Integers and fractions are both numbers, as in the REST API.
package enum AttributeValue: Sendable, Hashable {
    case string(String)
    case number(Double)
    /// A whole number that `number` cannot represent.
    case integer(Int64)
    case bool(Bool)
    case time(Int64)
    case array([AttributeValue])
    case object([String: AttributeValue])
}
