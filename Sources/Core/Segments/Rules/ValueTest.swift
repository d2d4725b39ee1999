/// A literal with which values are compared.
package enum ScalarLiteral: Sendable, Hashable {
    case string(String)
    case number(Double)
    /// A whole number that `number` cannot represent.
    case integer(Int64)
    case bool(Bool)
}

/// A test on one value.
///
/// A test applies to values of its own type: a number test never holds for a string. A missing
/// value fails every test except the negative ones (`notEqual`, `noneOf`, `containsNone`,
/// `missing`), which hold exactly when their positive form does not; `doesNotMatch` alone requires
/// a value, as in the product whose API this follows.
package enum ValueTest: Sendable, Hashable {
    case equal(ScalarLiteral)
    case notEqual(ScalarLiteral)
    case oneOf([ScalarLiteral])
    case noneOf([ScalarLiteral])
    /// An ordering of numbers.
    case number(Comparison, Double)
    /// An ordering of numbers, if a floating-point number cannot represent the bound.
    case integer(Comparison, Int64)
    /// An ordering of times, or equality to the second; with a day, the whole day.
    case time(Comparison, TimePoint)
    /// The same month and day in any year.
    case onDay(month: Int, day: Int)
    /// An anniversary on the evaluation day of the user's calendar.
    case onThisDay(LeapDay = .february28)
    /// An ordering of dotted version numbers stored as strings.
    case version(Comparison, String)
    case startsWith(String)
    case endsWith(String)
    /// A regular expression, ignoring case, that matches anywhere in a string or in an element of a
    /// list.
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

    /// Whether the test depends on the time zone.
    package var dependsOnCalendar: Bool {
        switch self {
        case .onDay, .onThisDay: true
        case .time(_, let moment): moment.dependsOnCalendar
        default: false
        }
    }

    /// For a negative test, the positive test that it negates.
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
