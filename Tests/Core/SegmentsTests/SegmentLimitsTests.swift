import Foundation
import Segments
import Testing

/// Each limit at its very value: what has as much is taken, what has one more is refused.
@Suite("The limits of a segment")
struct SegmentLimitsTests {
    private func problem(_ text: String) -> SegmentError? {
        do {
            _ = try SegmentParser.parse(text)
            return nil
        } catch {
            return error
        }
    }

    private func problem(json: String) -> SegmentError? {
        do {
            _ = try SegmentJSON.decode(Data(json.utf8))
            return nil
        } catch {
            return error
        }
    }

    private func problem(connected json: String) throws -> SegmentError? {
        let node = try JSONDecoder().decode(JSONNode.self, from: Data(json.utf8))
        do {
            _ = try ConnectedAudience.rule(node)
            return nil
        } catch {
            return error
        }
    }

    private func problems(
        _ rule: SegmentRule,
        id: String? = nil,
        _ directory: InMemorySegmentResolver = InMemorySegmentResolver()
    ) -> [String] {
        SegmentValidator.problems(in: rule, id: id, directory: directory).map(\.message)
    }

    private func event(
        _ subject: ActivityCondition.Subject = .event("e"),
        _ measure: ActivityCondition.Measure = .count(.greaterOrEqual, 1),
        from: TimePoint? = nil,
        until: TimePoint? = nil,
        properties: [ActivityCondition.Property] = []
    ) -> SegmentRule {
        .condition(
            .activity(
                ActivityCondition(
                    subject: subject,
                    properties: properties,
                    measure: measure,
                    from: from,
                    until: until
                )
            )
        )
    }

    @Test("a text has 262,144 characters")
    func text() {
        func text(_ count: Int) -> String {
            "n = \"" + String(repeating: "é", count: count - 6) + "\""
        }
        #expect(problem(text(262_144)) == nil)
        #expect(problem(text(262_145))?.message == "a segment has at most 262144 characters")
        #expect(problem(text(262_145))?.range == 0..<1)
    }

    @Test("a segment has 1,000 conditions")
    func conditions() throws {
        func names(_ count: Int) -> String {
            Array(repeating: "a", count: count).joined(separator: " or ")
        }
        #expect(problem(names(1_000)) == nil)
        #expect(problem(names(1_001))?.message == "a filter has at most 1000 conditions")
        func rule(_ count: Int) throws -> SegmentRule {
            .any(Array(repeating: try SegmentParser.parse("a").rule, count: count))
        }
        #expect(try problems(rule(1_000)) == [])
        #expect(try problems(rule(1_001)) == ["a segment has at most 1000 filters"])
        // However many there are too many, it is said once.
        #expect(try problems(rule(1_002)) == ["a segment has at most 1000 filters"])
        func connected(_ count: Int) -> String {
            let one = #"{"push_subscription_status":{"comparison":"is","value":"opted_in"}}"#
            let group = Array(repeating: one, count: count - 1).joined(separator: ",")
            return #"{"AND":[\#(one),{"OR":[\#(group)]}]}"#
        }
        #expect(try problem(connected: connected(1_000)) == nil)
        #expect(
            try problem(connected: connected(1_001))?.message == "it has more than 1000 conditions"
        )
    }

    @Test("a rule is 64 deep, in brackets, after “not” and among devices; width is no depth")
    func depth() {
        func wrapped(_ open: String, _ count: Int, _ inner: String, _ close: String) -> String {
            String(repeating: open, count: count) + inner + String(repeating: close, count: count)
        }
        for (open, close, most) in [("(", ")", 63), ("not ", "", 63)] {
            #expect(problem(wrapped(open, most, "a", close)) == nil)
            #expect(
                problem(wrapped(open, most + 1, "a", close))?.message == "this is nested too deeply"
            )
            let beside = "(a) and not a and " + wrapped(open, most + 1, "a", close)
            #expect(problem(beside)?.message == "this is nested too deeply")
        }
        for (open, close) in [("(", ")"), ("not ", "")] {
            let deep = wrapped(open, 62, "push_enabled", close)
            #expect(problem("device has (\(deep))") == nil)
            let deeper = wrapped(open, 63, "push_enabled", close)
            #expect(problem("device has (\(deeper))")?.message == "this is nested too deeply")
            let beside = "(push_enabled) and not push_enabled and \(deeper)"
            #expect(problem("device has (\(beside))")?.message == "this is nested too deeply")
        }
        for part in [
            "(a)", "not a", "device has ((push_enabled) or (push_enabled))",
            "device has (not push_enabled and not push_enabled)",
        ] {
            #expect(problem(Array(repeating: part, count: 100).joined(separator: " and ")) == nil)
        }
        for (key, inner) in [
            ("and", #"{"segment":"a"}"#), ("or", #"{"segment":"a"}"#),
        ] {
            #expect(problem(json: wrapped(#"{"\#(key)":["#, 63, inner, "]}")) == nil)
            #expect(problem(json: wrapped(#"{"\#(key)":["#, 64, inner, "]}")) != nil)
        }
        let field = #"{"field":"has_token","test":"exists"}"#
        for open in [#"{"and":["#, #"{"or":["#] {
            #expect(problem(json: #"{"device":\#(wrapped(open, 63, field, "]}"))}"#) == nil)
            #expect(problem(json: #"{"device":\#(wrapped(open, 64, field, "]}"))}"#) != nil)
        }
        #expect(problem(json: wrapped(#"{"not":"#, 63, #"{"segment":"a"}"#, "}")) == nil)
        #expect(problem(json: wrapped(#"{"not":"#, 64, #"{"segment":"a"}"#, "}")) != nil)
        #expect(problem(json: #"{"device":\#(wrapped(#"{"not":"#, 63, field, "}"))}"#) == nil)
        #expect(problem(json: #"{"device":\#(wrapped(#"{"not":"#, 64, field, "}"))}"#) != nil)
    }

    @Test("segments refer to each other through 17 others")
    func chain() throws {
        var directory = InMemorySegmentResolver()
        for number in 1...17 {
            directory.segments["s\(number)"] = .condition(.segment("s\(number + 1)"))
        }
        directory.segments["s18"] = .all([])
        #expect(problems(.condition(.segment("s2")), directory) == [])
        #expect(
            problems(.condition(.segment("s1")), directory)
                == ["segments refer to each other too deeply"]
        )
        // The segment itself is one of them.
        #expect(problems(.condition(.segment("s3")), id: "own", directory) == [])
        #expect(
            problems(.condition(.segment("s2")), id: "own", directory)
                == ["segments refer to each other too deeply"]
        )
    }

    private func problems(_ rule: SegmentRule, _ directory: InMemorySegmentResolver) -> [String] {
        problems(rule, id: nil, directory)
    }

    @Test("an event's name has 1 to 255 characters")
    func eventNames() {
        let refusal = ["an event's name has 1 to 255 characters"]
        #expect(problems(event(.event(""))) == refusal)
        #expect(problems(event(.event("e"))) == [])
        #expect(problems(event(.event(String(repeating: "é", count: 255)))) == [])
        #expect(problems(event(.event(String(repeating: "é", count: 256)))) == refusal)
    }

    @Test("a list of values has 1 to 10,000")
    func values() throws {
        let path = try #require(AttributePath("plan"))
        for make in [
            ValueTest.oneOf, ValueTest.noneOf, ValueTest.containsAny, ValueTest.containsAll,
            ValueTest.containsNone,
        ] {
            func problems(_ count: Int) -> [String] {
                let values = Array(repeating: ScalarLiteral.string("a"), count: count)
                return self.problems(.condition(.attribute(.custom(path), make(values))))
            }
            #expect(problems(0) == ["the list of values is empty"])
            #expect(problems(1) == [])
            #expect(problems(10_000) == [])
            #expect(problems(10_001) == ["at most 10000 values; use a list instead"])
        }
    }

    @Test("whole numbers go to a thousand million, amounts of money to nine thousand million")
    func numbers() {
        #expect(problem("event e count >= 1000000000") == nil)
        #expect(problem("event e count >= 1000000001")?.message.contains("whole number") == true)
        for comparison in [">=", "<"] {
            #expect(problem("purchase sum \(comparison) 9007199254") == nil)
            #expect(problem("purchase sum \(comparison) 9007199255")?.message == Self.tooMuch)
        }
        #expect(problem("purchase sum > -9007199254") == nil)
        #expect(problem("purchase sum > -9007199255")?.message == Self.tooMuch)
        func sum(_ amount: String) -> String {
            #"{"purchase":[],"measure":"sum","is":">","value":\#(amount)}"#
        }
        #expect(problem(json: sum("9007199254")) == nil)
        #expect(problem(json: sum("9007199255"))?.message == Self.tooMuch)
        #expect(problem(json: sum("9007199254.740992"))?.message == Self.tooMuch)
        #expect(problem("purchase sum > 9007199254.740992")?.message == Self.tooMuch)
        func count(_ number: String) -> String {
            #"{"event":"e","measure":"count","is":">","value":\#(number)}"#
        }
        #expect(problem(json: count("1000000000")) == nil)
        #expect(problem(json: count("1000000001")) != nil)
        #expect(problem(json: count("1.5")) != nil)
    }

    private static let tooMuch = "this amount is too large"

    @Test("a moment is 30,000 years away at most, and both forms of a rule agree on that")
    func furthest() throws {
        // 2⁴⁰ seconds are 12,725,829 days and some hours.
        for text in [
            "a < now - 12725829 days", "a > now + 12725829 days", "a more than 12725829 days ago",
            "event e done in last 12725829 days", "event e done in last 305419896 hours",
            "a < today - 1000000000 days", "event e done in last 1000000000 calendar days",
        ] {
            let rule = try SegmentParser.parse(text).rule
            #expect(try SegmentJSON.decode(SegmentJSON.encode(rule)) == rule, "\(text)")
        }
        for text in [
            "a < now - 12725830 days", "a > now + 12725830 days",
            "a less than 12725830 days ago", "event e done in last 305419897 hours",
        ] {
            #expect(problem(text)?.message == "this is more than 30,000 years from now")
        }
        #expect(problem("a < today - 1000000001 days") != nil)
        func json(_ moment: String) -> String {
            #"{"custom":"a","test":"<","value":{\#(moment)}}"#
        }
        for sign in ["", "-"] {
            #expect(problem(json: json(#""now":\#(sign)1099511627776"#)) == nil)
            #expect(problem(json: json(#""now":\#(sign)1099511627777"#)) != nil)
            #expect(problem(json: json(#""today":\#(sign)1000000000"#)) == nil)
            #expect(problem(json: json(#""today":\#(sign)1000000001"#)) != nil)
        }
        #expect(problem(json: json(#""now":1,"today":1"#)) != nil)
        #expect(problem(json: json(#""at":"2026-02-30""#))?.pointer == "/value/at")
        for (days, isTaken) in [(12_725_829, true), (12_725_830, false)] {
            for comparison in [
                "less_than_x_days_ago", "greater_than_x_days_ago",
                "less_than_x_days_in_the_future", "greater_than_x_days_in_the_future",
            ] {
                let found = try problem(
                    connected: #"{"custom_attribute":{"custom_attribute_name":"a","#
                        + #""comparison":"\#(comparison)","value":\#(days)}}"#
                )
                #expect((found == nil) == isTaken, "\(comparison) \(days)")
            }
        }
    }

    @Test("a span of time that ends when it begins, or before, is refused")
    func spans() {
        let refusal = ["the time span ends before it begins"]
        for make in [
            TimePoint.at, TimePoint.day, { TimePoint.now(offset: $0) },
            { TimePoint.today(offsetInDays: $0) },
        ] {
            #expect(problems(event(from: make(5), until: make(6))) == [])
            #expect(problems(event(from: make(5), until: make(5))) == refusal)
            #expect(problems(event(from: make(5), until: make(4))) == refusal)
            #expect(problems(event(from: make(5))) == [])
            #expect(problems(event(until: make(5))) == [])
        }
        // Which of the two comes first is not known before somebody is looked at.
        #expect(problems(event(from: .now(offset: 0), until: .today(offsetInDays: 0))) == [])
    }

    @Test("a count is not negative, and only purchases have a sum")
    func measures() {
        #expect(problems(event(.event("e"), .count(.equal, 0))) == [])
        #expect(problems(event(.event("e"), .count(.equal, -1))) == ["a count is never negative"])
        #expect(problems(event(.purchase(products: []), .sum(.greater, 1))) == [])
        #expect(problems(event(.session, .sum(.greater, 1))) == ["only purchases have a sum"])
    }

    @Test("only events and purchases have properties, whose tests are looked at too")
    func properties() throws {
        let path = try #require(AttributePath("page"))
        let exists = [ActivityCondition.Property(path: path, test: .exists)]
        let empty = [ActivityCondition.Property(path: path, test: .oneOf([]))]
        for subject in [
            ActivityCondition.Subject.event("e"), .purchase(products: []), .session,
            .message(.opened, campaigns: []),
        ] {
            let has =
                switch subject {
                case .event, .purchase: true
                case .session, .message: false
                }
            #expect(problems(event(subject)) == [])
            #expect(
                problems(event(subject, properties: exists))
                    == (has ? [] : ["only events and purchases have properties"])
            )
            #expect(
                problems(event(subject, properties: empty)).contains("the list of values is empty")
            )
        }
    }

    @Test("names what is not there: lists, segments and campaigns")
    func missing() throws {
        let directory = InMemorySegmentResolver(
            segments: ["here": .all([])],
            lists: ["here": []],
            campaigns: ["here"]
        )
        for (text, kind) in [
            ("in list \"NAME\"", "list"), ("in segment \"NAME\"", "segment"),
            ("campaign \"NAME\" opened", "campaign"),
        ] {
            let known = try SegmentParser.parse(text.replacing("NAME", with: "here")).rule
            let gone = try SegmentParser.parse(text.replacing("NAME", with: "gone")).rule
            #expect(problems(known, directory) == [])
            #expect(problems(gone, directory) == ["there is no \(kind) “gone”"])
        }
    }

    @Test("a test fits the type of what it asks: numbers, times, strings and truths")
    func kinds() throws {
        func problems(_ text: String) throws -> [String] {
            self.problems(try SegmentParser.parse(text).rule)
        }
        for text in [
            "country = \"DE\"", "country in (\"DE\", \"FR\")", "country starts with \"D\"",
            "session_count >= 3", "session_count = 9007199254740993", "dob on today",
            "created_at < now", "country exists", "session_count exists", "dob not exists",
            "device.platform = \"ios\"", "device.push_enabled", "device.app_version > \"2\"",
            "device.model exists", "device.push_enabled exists",
        ] {
            #expect(try problems(text) == [], "\(text)")
        }
        for (text, message) in [
            ("country in (\"DE\", 3)", "not values of several types"),
            ("country < now", "not a time"), ("country = true", "not true or false"),
            ("session_count = \"3\"", "not a string"), ("dob = \"x\"", "not a string"),
            ("created_at > 3", "not a number"), ("device.platform = true", "is a string"),
            ("device.platform = 3", "is a string"), ("device.push_enabled = \"x\"", "not a string"),
            ("device.push_enabled = 1", "is true or false"),
        ] {
            let found = try problems(text)
            #expect(found.count == 1 && found[0].contains(message), "\(text): \(found)")
        }
    }
}
