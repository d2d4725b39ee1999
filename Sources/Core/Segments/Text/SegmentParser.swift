import Reasons

/// Reads the text form of a segment. The grammar:
///
///     rule       either { "or" either }
///     either     single { "and" single }
///     single     "not" single | "(" rule ")" | condition
///     condition  "everyone" | "nobody" | "in" ("segment" | "list") string
///              | "in" "control" "group"
///              | "event" name activity | "purchase" ["of" strings] activity | "session" activity
///              | "campaign" ("any" | strings) ["not"] action [activity]
///              | "device" "." field test | "device" "has" "(" rule of fields ")"
///              | attribute [test]
///     attribute  standard name | ["custom" "."] name { "." name | "[]" }
///     activity   ["with" "(" property test { "and" property test } ")"]
///                ("done" | "not" "done" | "count" comparison number | "sum" comparison number
///                 | ("first" | "last") comparison time) [window]
///     window     "in" "last" number unit | "from" time ["until" time] | "until" time
///     test       ("=" | "!=") value | comparison (number | string | time)
///              | ["not"] "in" "(" values ")" | ["not"] ("matches" | "exists") …
///              | ["not"] "contains" [("any" | "all") "(" values ")" | value]
///              | ("starts" | "ends") "with" string | "on" (month "-" day | "today" [leap])
///              | "is" "empty" | ("more" | "less") "than" number unit "ago"
///     leap       "leap" "day" ("02-28" | "03-01" | "never")
///     time       2026-06-30 | 2026-06-30T08:00:00Z | "now" [± number unit] | "today" [± days]
///
/// A string compared by order is a version number. `is_vip` alone means `is_vip = true`. Strings
/// stand in double quotes with escapes, or in single quotes as they are.
package struct SegmentParser {
    var reader: SegmentTokenReader
    private var depth = 0
    private var conditions = 0

    /// Maximum number of conditions, each of which is evaluated for every user.
    package static let maxConditions = 1_000

    /// Maximum depth of a tree, so that no definition exhausts the stack.
    package static let deepest = 64

    /// Reads a whole segment.
    package static func parse(_ text: String) throws(SegmentError) -> RuleWithSource {
        var parser = SegmentParser(reader: try SegmentTokenReader(text))
        let rule = try parser.rule()
        try parser.reader.expectEnd()
        return rule
    }

    private init(reader: SegmentTokenReader) {
        self.reader = reader
    }

    private mutating func rule() throws(SegmentError) -> RuleWithSource {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw reader.problem(.nested) }
        var parts = [try conjunction()]
        while reader.take(word: "or") { parts.append(try conjunction()) }
        return group(parts) { .any($0) }
    }

    private mutating func conjunction() throws(SegmentError) -> RuleWithSource {
        var parts = [try single()]
        while reader.take(word: "and") { parts.append(try single()) }
        return group(parts) { .all($0) }
    }

    private func group(
        _ parts: [RuleWithSource],
        _ combine: ([SegmentRule]) -> SegmentRule
    ) -> RuleWithSource {
        guard parts.count > 1 else { return parts[0] }
        let range = parts[0].range.lowerBound..<parts[parts.count - 1].range.upperBound
        return RuleWithSource(rule: combine(parts.map(\.rule)), range: range, children: parts)
    }

    private mutating func single() throws(SegmentError) -> RuleWithSource {
        let start = reader.start
        if reader.take(word: "not") {
            depth += 1
            defer { depth -= 1 }
            guard depth <= Self.deepest else { throw reader.problem(.nested) }
            let inner = try single()
            return RuleWithSource(
                rule: .not(inner.rule),
                range: start..<inner.range.upperBound,
                children: [inner]
            )
        }
        if reader.take(symbol: "(") {
            let inner = try rule()
            try reader.expect(symbol: ")")
            return RuleWithSource(
                rule: inner.rule,
                range: start..<reader.previousEnd,
                children: inner.children
            )
        }
        let rule = try condition()
        return RuleWithSource(rule: rule, range: start..<reader.previousEnd, children: [])
    }

    private mutating func condition() throws(SegmentError) -> SegmentRule {
        conditions += 1
        guard conditions <= Self.maxConditions else {
            throw reader.problem(.conditionLimit, ["count": "\(Self.maxConditions)"])
        }
        guard case .word(let word) = reader.kind else {
            throw reader.problem(.conditionStart)
        }
        switch word {
        case "everyone", "nobody":
            reader.advance()
            return word == "everyone" ? .all([]) : .any([])
        case "in":
            reader.advance()
            if reader.take(word: "segment") {
                return .condition(.segment(try reader.string()))
            }
            if reader.take(word: "control") {
                guard reader.take(word: "group") else { throw reader.problem(.membershipForm) }
                return .condition(.controlGroup)
            }
            guard reader.take(word: "list") else {
                throw reader.problem(.membershipForm)
            }
            return .condition(.list(try reader.string()))
        case "event", "purchase", "session", "campaign":
            return .condition(.activity(try activityCondition()))
        case "device":
            return .condition(.device(try device()))
        default:
            return .condition(try attribute())
        }
    }

    // MARK: Attributes

    private mutating func attribute() throws(SegmentError) -> SegmentCondition {
        let reference = try self.reference()
        if reader.endsCondition {
            return .attribute(reference, .equal(.bool(true)))
        }
        return .attribute(reference, try test())
    }

    private mutating func reference() throws(SegmentError) -> AttributeReference {
        if case .word(let word) = reader.kind, let standard = StandardAttribute(rawValue: word) {
            reader.advance()
            return .standard(standard)
        }
        if reader.take(word: "custom") {
            try reader.expect(symbol: ".")
        } else if case .word(let word) = reader.kind, SegmentKeywords.reserved.contains(word) {
            throw reader.problem(
                .reserved,
                ["word": "\(word)"]
            )
        }
        return .custom(try path())
    }

    private mutating func path() throws(SegmentError) -> AttributePath {
        let start = reader.start
        var steps: [AttributePath.Step] = [.key(try reader.name())]
        while true {
            if reader.take(symbol: "[]") {
                steps.append(.each)
            } else if reader.take(symbol: ".") {
                steps.append(.key(try reader.name()))
            } else {
                break
            }
        }
        guard let path = AttributePath(steps) else {
            throw SegmentError(
                range: start..<reader.previousEnd,
                .blankAttributeName
            )
        }
        return path
    }

    /// Parses a path by itself, as in the JSON form.
    static func parsePath(_ text: String) throws(SegmentError) -> AttributePath {
        var parser = SegmentParser(reader: try SegmentTokenReader(text))
        let path = try parser.path()
        try parser.reader.expectEnd()
        return path
    }

    private mutating func test() throws(SegmentError) -> ValueTest {
        try reader.valueTest()
    }

    // MARK: Devices

    private mutating func device() throws(SegmentError) -> DeviceRule {
        reader.advance()
        if reader.take(symbol: ".") { return try deviceField() }
        guard reader.take(word: "has") else {
            throw reader.problem(.deviceForm)
        }
        try reader.expect(symbol: "(")
        let rule = try deviceRule()
        try reader.expect(symbol: ")")
        return rule
    }

    private mutating func deviceRule() throws(SegmentError) -> DeviceRule {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw reader.problem(.nested) }
        var branches = [try deviceConjunction()]
        while reader.take(word: "or") { branches.append(try deviceConjunction()) }
        return branches.count == 1 ? branches[0] : .any(branches)
    }

    private mutating func deviceConjunction() throws(SegmentError) -> DeviceRule {
        var parts = [try deviceSingle()]
        while reader.take(word: "and") { parts.append(try deviceSingle()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func deviceSingle() throws(SegmentError) -> DeviceRule {
        if reader.take(word: "not") {
            depth += 1
            defer { depth -= 1 }
            guard depth <= Self.deepest else { throw reader.problem(.nested) }
            return .not(try deviceSingle())
        }
        if reader.take(symbol: "(") {
            let rule = try deviceRule()
            try reader.expect(symbol: ")")
            return rule
        }
        return try deviceField()
    }

    private mutating func deviceField() throws(SegmentError) -> DeviceRule {
        guard case .word(let word) = reader.kind else {
            throw reader.problem(.deviceField)
        }
        if word == "any" || word == "none" {
            reader.advance()
            return word == "any" ? .all([]) : .any([])
        }
        guard let field = DeviceField(rawValue: word) else {
            let known = DeviceField.allCases.map(\.rawValue).joined(separator: ", ")
            throw reader.problem(.noDeviceFieldOf, ["word": "\(word)", "known": "\(known)"])
        }
        reader.advance()
        return .field(field, reader.endsCondition ? .equal(.bool(true)) : try test())
    }

    // MARK: Activities

    private mutating func activityCondition() throws(SegmentError) -> ActivityCondition {
        if reader.take(word: "event") {
            return try activity(of: .event(try reader.name()))
        }
        if reader.take(word: "purchase") {
            let products = reader.take(word: "of") ? try reader.strings() : []
            return try activity(of: .purchase(products: products))
        }
        if reader.take(word: "session") { return try activity(of: .session) }
        reader.advance()
        let campaigns = reader.take(word: "any") ? [] : try reader.strings()
        let isNegated = reader.take(word: "not")
        guard case .word(let word) = reader.kind, let action = MessageAction(rawValue: word) else {
            let known = MessageAction.allCases.map(\.rawValue).joined(separator: ", ")
            throw reader.problem(.oneOf, ["known": "\(known)"])
        }
        reader.advance()
        let subject = ActivityCondition.Subject.message(action, campaigns: campaigns)
        if isNegated {
            return try windowed(ActivityCondition(subject: subject, measure: .count(.equal, 0)))
        }
        return try activity(of: subject, isDoneByDefault: true)
    }

    private mutating func activity(
        of subject: ActivityCondition.Subject,
        isDoneByDefault: Bool = false
    ) throws(SegmentError) -> ActivityCondition {
        var properties: [ActivityCondition.Property] = []
        if reader.take(word: "with") {
            try reader.expect(symbol: "(")
            repeat {
                let path = try self.path()
                let test =
                    reader.endsCondition ? ValueTest.equal(.bool(true)) : try self.test()
                properties.append(ActivityCondition.Property(path: path, test: test))
            } while reader.take(word: "and")
            try reader.expect(symbol: ")")
        }
        let measure = try self.measure(isDoneByDefault: isDoneByDefault)
        return try windowed(
            ActivityCondition(subject: subject, properties: properties, measure: measure)
        )
    }

    private mutating func measure(
        isDoneByDefault: Bool
    ) throws(SegmentError) -> ActivityCondition.Measure {
        if reader.take(word: "done") { return .count(.greaterOrEqual, 1) }
        if reader.take(word: "count") {
            let comparison = try reader.comparison()
            return .count(comparison, try reader.integer())
        }
        if reader.take(word: "sum") {
            let comparison = try reader.comparison()
            return .sum(comparison, try reader.micros())
        }
        for isFirst in [true, false] where reader.take(word: isFirst ? "first" : "last") {
            let (comparison, moment) = try reader.momentComparison()
            return isFirst ? .first(comparison, moment) : .last(comparison, moment)
        }
        if case .word("not") = reader.kind, reader.peek() == .word("done") {
            reader.advance()
            reader.advance()
            return .count(.equal, 0)
        }
        if isDoneByDefault { return .count(.greaterOrEqual, 1) }
        throw reader.problem(.measureNeededInText)
    }

    private mutating func windowed(
        _ condition: ActivityCondition
    ) throws(SegmentError) -> ActivityCondition {
        var condition = condition
        if case .word("in") = reader.kind, reader.peek() == .word("last") {
            reader.advance()
            reader.advance()
            let amount = try reader.integer()
            if reader.take(word: "calendar") {
                guard reader.take(word: "days") || reader.take(word: "day") else {
                    throw reader.problem(.calendarDays)
                }
                condition.from = .today(offsetInDays: -Int64(amount))
            } else {
                condition.from = .now(offset: -(try reader.seconds(amount)))
            }
        } else if reader.take(word: "from") {
            condition.from = try reader.moment()
        }
        if reader.take(word: "until") { condition.until = try reader.moment() }
        return condition
    }
}
