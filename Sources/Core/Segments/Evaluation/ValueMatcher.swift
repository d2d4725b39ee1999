/// A value test prepared for many values: its times are resolved and its pattern is compiled.
package struct ValueMatcher: Sendable {
    package let test: ValueTest
    private let dayTest: DayTest?
    private let passingTimes: PassingTimes
    private var pattern: PatternMatcher?

    package init(_ test: ValueTest, on calendar: UserCalendar) throws(PatternError) {
        self.test = test
        dayTest = test.dayTest(on: calendar)
        switch test {
        case .matches(let source), .doesNotMatch(let source):
            pattern = PatternMatcher(try Pattern(source))
            passingTimes = PassingTimes()
        case .time(let comparison, let moment):
            passingTimes = moment.passing(comparison, on: calendar)
        default:
            passingTimes = PassingTimes()
        }
    }

    /// Whether the test's pattern was too costly, so that its results are meaningless.
    package var isExhausted: Bool { pattern?.isExhausted ?? false }

    /// Whether one value, or its absence, passes.
    package mutating func passes(_ value: AttributeValue?) -> Bool {
        guard let value else { return test.positiveForm != nil }
        switch test {
        case .exists: return true
        case .missing: return false
        case .equal(let literal): return ValueMatcher.isEqual(value, literal)
        case .notEqual(let literal): return !ValueMatcher.isEqual(value, literal)
        case .oneOf(let literals):
            return literals.contains { ValueMatcher.isEqual(value, $0) }
        case .noneOf(let literals):
            return !literals.contains { ValueMatcher.isEqual(value, $0) }
        case .number(let comparison, let bound):
            switch value {
            case .number(let number): return comparison.holds(number, bound)
            case .integer(let integer): return comparison.holds(integer, bound)
            default: return false
            }
        case .integer(let comparison, let bound):
            switch value {
            case .number(let number): return comparison.mirrored.holds(bound, number)
            case .integer(let integer): return comparison.holds(integer, bound)
            default: return false
            }
        case .time:
            guard case .time(let seconds) = value else { return false }
            return passingTimes.contains(seconds)
        case .onDay, .onThisDay:
            guard case .time(let seconds) = value else { return false }
            return dayTest?.holds(seconds) ?? false
        case .version(let comparison, let bound):
            guard case .string(let text) = value else { return false }
            return comparison.holds(VersionNumber.order(text, bound), 0)
        case .startsWith, .endsWith, .matches:
            return anyText(in: value)
        case .doesNotMatch:
            return !anyText(in: value)
        case .contains(let literal): return ValueMatcher.holds(value, literal)
        case .containsAny(let literals):
            return literals.contains { ValueMatcher.holds(value, $0) }
        case .containsAll(let literals):
            return literals.allSatisfy { ValueMatcher.holds(value, $0) }
        case .containsNone(let literals):
            return !literals.contains { ValueMatcher.holds(value, $0) }
        case .empty:
            switch value {
            case .string(let text): return text.isEmpty
            case .array(let elements): return elements.isEmpty
            default: return false
            }
        }
    }

    /// Whether the values that a path through a list reached pass: any of them for a positive test,
    /// none of them for a negative one.
    package mutating func passes(anyOf values: [AttributeValue]) -> Bool {
        guard test.positiveForm != nil || isDoesNotMatch else {
            for value in values where passes(value) { return true }
            return false
        }
        if isDoesNotMatch && values.isEmpty { return false }
        for value in values where !passes(value) { return false }
        return true
    }

    private var isDoesNotMatch: Bool {
        if case .doesNotMatch = test { return true }
        return false
    }

    /// Whether a string, or a string element of a list, contains the text.
    private mutating func anyText(in value: AttributeValue) -> Bool {
        switch value {
        case .string(let text): return hasText(text)
        case .array(let elements):
            for case .string(let text) in elements where hasText(text) { return true }
            return false
        default: return false
        }
    }

    private mutating func hasText(_ text: String) -> Bool {
        switch test {
        case .startsWith(let prefix): text.hasPrefix(prefix)
        case .endsWith(let suffix): text.hasSuffix(suffix)
        default: pattern?.isFound(in: text) ?? false
        }
    }

    private static func isEqual(_ value: AttributeValue, _ literal: ScalarLiteral) -> Bool {
        switch (value, literal) {
        case (.string(let left), .string(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.bool(let left), .bool(let right)): left == right
        default: false
        }
    }

    private static func holds(_ value: AttributeValue, _ literal: ScalarLiteral) -> Bool {
        switch (value, literal) {
        case (.array(let elements), _): elements.contains { isEqual($0, literal) }
        case (.string(let text), .string(let part)): part.isEmpty || text.contains(part)
        default: false
        }
    }
}

extension ValueTest {
    /// The test on the day of a time; `nil` for other tests.
    package func dayTest(on calendar: UserCalendar) -> DayTest? {
        switch self {
        case .onDay(let month, let day): DayTest(.onDay(month: month, day: day), on: calendar)
        case .onThisDay(let leapDay): DayTest(.onThisDay(leapDay), on: calendar)
        default: nil
        }
    }
}
