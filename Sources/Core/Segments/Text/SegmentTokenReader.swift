import Reasons

/// Walks over the tokens of a segment's text and reads its small parts.
struct SegmentTokenReader {
    private let tokens: [SegmentToken]
    private var index = 0

    init(_ text: String) throws(SegmentError) {
        var lexer = SegmentLexer(text)
        tokens = try lexer.tokens()
    }

    var kind: SegmentToken.Kind { tokens[index].kind }
    var start: Int { tokens[index].range.lowerBound }
    /// The end of what has been read.
    var previousEnd: Int { tokens[..<index].last?.range.upperBound ?? start }

    /// The kind of the token after the current one.
    func peek() -> SegmentToken.Kind {
        tokens.dropFirst(index + 1).first?.kind ?? .end
    }

    mutating func advance() {
        if tokens.indices.contains(index + 1) { index += 1 }
    }

    func problem(
        _ code: SegmentReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) -> SegmentError {
        let range = tokens[index].range
        return SegmentError(
            range: range.lowerBound..<max(range.upperBound, range.lowerBound + 1),
            code,
            arguments
        )
    }

    mutating func take(word: String) -> Bool {
        guard kind == .word(word) else { return false }
        advance()
        return true
    }

    mutating func take(symbol: String) -> Bool {
        guard kind == .symbol(symbol) else { return false }
        advance()
        return true
    }

    mutating func expect(symbol: String) throws(SegmentError) {
        guard take(symbol: symbol) else { throw problem(.symbolNeeded, ["symbol": "\(symbol)"]) }
    }

    func expectEnd() throws(SegmentError) {
        guard kind == .end else { throw problem(.endNeeded) }
    }

    /// Whether the current token cannot belong to a test, so that a name is used without one.
    var endsCondition: Bool {
        switch kind {
        case .end, .symbol(")"), .word("and"), .word("or"): true
        default: false
        }
    }

    mutating func string() throws(SegmentError) -> String {
        guard case .quoted(let text) = kind else {
            throw problem(.quotedNeeded)
        }
        advance()
        return text
    }

    mutating func strings() throws(SegmentError) -> [String] {
        var strings = [try string()]
        while take(symbol: ",") { strings.append(try string()) }
        return strings
    }

    /// A plain word or a string in quotes.
    mutating func name() throws(SegmentError) -> String {
        if case .word(let word) = kind {
            advance()
            return word
        }
        guard case .quoted(let text) = kind else { throw problem(.nameNeeded) }
        advance()
        return text
    }

    mutating func number() throws(SegmentError) -> Double {
        switch try exactNumber() {
        case .integer(let integer): return Double(integer)
        case .number(let number): return number
        case .string, .bool: throw problem(.numberNeeded)
        }
    }

    /// A number, exact however large it is.
    private mutating func exactNumber() throws(SegmentError) -> ScalarLiteral {
        let isNegative = take(symbol: "-")
        switch kind {
        case .number(let value):
            advance()
            return .number(isNegative ? -value : value)
        case .integer(let value):
            advance()
            return .integer(isNegative ? -value : value)
        default:
            throw problem(.numberNeeded)
        }
    }

    mutating func integer() throws(SegmentError) -> Int {
        guard case .number(let value) = kind, let integer = Int(exactly: value),
            integer <= 1_000_000_000
        else { throw problem(.integerNeeded) }
        advance()
        return integer
    }

    /// An amount of money in millionths.
    mutating func micros() throws(SegmentError) -> Int64 {
        let place = self
        let value = try number() * 1_000_000
        guard let micros = Int64(exactly: value.rounded()), micros.magnitude < 1 << 53 else {
            throw place.problem(.amountTooLarge)
        }
        return micros
    }

    mutating func comparison() throws(SegmentError) -> Comparison {
        guard case .symbol(let symbol) = kind, let comparison = Comparison(rawValue: symbol) else {
            throw problem(.comparisonNeeded)
        }
        advance()
        return comparison
    }

    /// The number of seconds in `amount` of the following unit.
    mutating func seconds(_ amount: Int) throws(SegmentError) -> Int64 {
        guard case .word(let word) = kind, let unit = SegmentKeywords.secondsPerUnit(word) else {
            throw problem(.unit)
        }
        let seconds = Int64(amount) * unit
        guard TimePoint.reach.contains(seconds) else {
            throw problem(.tooFar)
        }
        advance()
        return seconds
    }

    mutating func moment() throws(SegmentError) -> TimePoint {
        if case .time(let point) = kind {
            advance()
            return point
        }
        let isNow = take(word: "now")
        guard isNow || take(word: "today") else {
            throw problem(.momentNeededInText)
        }
        var sign: Int64 = 0
        if take(symbol: "-") { sign = -1 } else if take(symbol: "+") { sign = 1 }
        guard sign != 0 else { return isNow ? .now(offset: 0) : .today(offsetInDays: 0) }
        let amount = try integer()
        if isNow { return .now(offset: sign * (try seconds(amount))) }
        guard take(word: "days") || take(word: "day") else {
            throw problem(.todayUnit)
        }
        return .today(offsetInDays: sign * Int64(amount))
    }

    /// A comparison with a time, or an age, as in `more than 3 days ago`.
    mutating func momentComparison() throws(SegmentError) -> (Comparison, TimePoint) {
        for isMore in [true, false] where take(word: isMore ? "more" : "less") {
            return (isMore ? .less : .greater, .now(offset: -(try age())))
        }
        let place = self
        let comparison = try comparison()
        guard comparison != .notEqual else {
            throw place.problem(.timeNotEqual)
        }
        return (comparison, try moment())
    }

    /// The rest of `more than 3 days ago`.
    private mutating func age() throws(SegmentError) -> Int64 {
        guard take(word: "than") else { throw problem(.symbolNeeded, ["symbol": "than"]) }
        let seconds = try seconds(try integer())
        guard take(word: "ago") else { throw problem(.symbolNeeded, ["symbol": "ago"]) }
        return seconds
    }

    mutating func literal() throws(SegmentError) -> ScalarLiteral {
        switch kind {
        case .quoted(let text):
            advance()
            return .string(text)
        case .word("true"), .word("false"):
            let isTrue = kind == .word("true")
            advance()
            return .bool(isTrue)
        case .number, .integer, .symbol("-"):
            return try exactNumber()
        default:
            throw problem(.valueNeeded)
        }
    }

    mutating func literals() throws(SegmentError) -> [ScalarLiteral] {
        try expect(symbol: "(")
        var literals = [try literal()]
        while take(symbol: ",") { literals.append(try literal()) }
        try expect(symbol: ")")
        return literals
    }
}
