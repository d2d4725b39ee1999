import Reasons

extension SegmentTokenReader {
    /// Parses a test on a value: everything after the attribute's name.
    mutating func valueTest() throws(SegmentError) -> ValueTest {
        if take(word: "not") {
            if take(word: "in") { return .noneOf(try literals()) }
            if take(word: "matches") { return .doesNotMatch(try string()) }
            if take(word: "exists") { return .missing }
            guard take(word: "contains") else {
                throw problem(.negatedTest)
            }
            _ = take(word: "any")
            return .containsNone(kind == .symbol("(") ? try literals() : [try literal()])
        }
        switch kind {
        case .word("in"):
            advance()
            return .oneOf(try literals())
        case .word("matches"):
            advance()
            return .matches(try string())
        case .word("exists"):
            advance()
            return .exists
        case .word("contains"):
            advance()
            if take(word: "any") { return .containsAny(try literals()) }
            if take(word: "all") { return .containsAll(try literals()) }
            return .contains(try literal())
        case .word("starts"), .word("ends"):
            let isStart = kind == .word("starts")
            advance()
            guard take(word: "with") else { throw problem(.symbolNeeded, ["symbol": "with"]) }
            return isStart ? .startsWith(try string()) : .endsWith(try string())
        case .word("is"):
            advance()
            guard take(word: "empty") else { throw problem(.symbolNeeded, ["symbol": "empty"]) }
            return .empty
        case .word("on"):
            advance()
            return try recurringDay()
        case .word("more"), .word("less"):
            let (comparison, moment) = try momentComparison()
            return .time(comparison, moment)
        case .symbol:
            return try comparisonTest()
        default:
            throw problem(.testNeeded)
        }
    }

    private mutating func recurringDay() throws(SegmentError) -> ValueTest {
        if take(word: "today") { return .onThisDay(try leapDay()) }
        let place = self
        let month = try integer()
        try expect(symbol: "-")
        let day = try integer()
        // In a leap year, so that February 29 is a day.
        guard CivilDay(year: 2_000, month: month, day: day) != nil else {
            throw place.problem(.noDay)
        }
        return .onDay(month: month, day: day)
    }

    /// Parses the day on which February 29 is celebrated in other years.
    private mutating func leapDay() throws(SegmentError) -> LeapDay {
        guard take(word: "leap") else { return .february28 }
        guard take(word: "day") else { throw problem(.symbolNeeded, ["symbol": "day"]) }
        if take(word: "never") { return .never }
        let place = self
        let month = try integer()
        try expect(symbol: "-")
        switch (month, try integer()) {
        case (2, 28): return .february28
        case (3, 1): return .march1
        default: throw place.problem(.leapDay)
        }
    }

    private mutating func comparisonTest() throws(SegmentError) -> ValueTest {
        let comparison = try comparison()
        switch kind {
        case .time, .word("now"), .word("today"):
            guard comparison != .notEqual else {
                throw problem(.timeNotEqual)
            }
            return .time(comparison, try moment())
        default:
            break
        }
        let place = self
        let literal = try literal()
        switch (comparison, literal) {
        case (.equal, _): return .equal(literal)
        case (.notEqual, _): return .notEqual(literal)
        case (_, .number(let number)): return .number(comparison, number)
        case (_, .integer(let integer)): return .integer(comparison, integer)
        case (_, .string(let version)): return .version(comparison, version)
        case (_, .bool): throw place.problem(.noOrder)
        }
    }
}
