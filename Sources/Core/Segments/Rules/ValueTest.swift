/// A literal that values are compared with.
package enum ScalarLiteral: Sendable, Hashable {
    case string(String)
    case number(Double)
    /// A whole number that `number` cannot hold.
    case integer(Int64)
    case bool(Bool)
}

/// What a filter demands of one value.
///
/// A test applies to values of its own type: a number test never holds for a string. A missing
/// value fails every test but the negative ones (`notEqual`, `noneOf`, `containsNone`,
/// `missing`), which hold exactly where their positive form does not; `doesNotMatch` alone
/// needs a value, as in the product whose API this follows.
package enum ValueTest: Sendable, Hashable {
    case equal(ScalarLiteral)
    case notEqual(ScalarLiteral)
    case oneOf([ScalarLiteral])
    case noneOf([ScalarLiteral])
    /// An order between numbers.
    case number(Comparison, Double)
    /// An order between numbers, where a floating-point number cannot hold the bound.
    case integer(Comparison, Int64)
    /// An order between times, or the very same second; with a day, the whole of it.
    case time(Comparison, TimePoint)
    /// The same month and day in any year.
    case onDay(month: Int, day: Int)
    /// An anniversary on the evaluation day of the user's calendar.
    case onThisDay(LeapDay = .february28)
    /// An order between dotted version numbers kept as strings.
    case version(Comparison, String)
    case startsWith(String)
    case endsWith(String)
    /// A regular expression, ignoring case, found anywhere in a string or in an element of a list.
    case matches(String)
    case doesNotMatch(String)
    /// An element of a list, or a part of a string.
    case contains(ScalarLiteral)
    case containsAny([ScalarLiteral])
    case containsAll([ScalarLiteral])
    case containsNone([ScalarLiteral])
    /// A list without elements, or an empty string.
    case empty
    case exists
    case missing

    /// Whether it asks something else in another time zone.
    package var dependsOnCalendar: Bool {
        switch self {
        case .onDay, .onThisDay: true
        case .time(_, let moment): moment.dependsOnCalendar
        default: false
        }
    }

    /// The test whose exact opposite this is, for the negative tests.
    package var positiveForm: ValueTest? {
        switch self {
        case .notEqual(let literal): .equal(literal)
        case .noneOf(let literals): .oneOf(literals)
        case .containsNone(let literals): .containsAny(literals)
        case .missing: .exists
        default: nil
        }
    }
}
