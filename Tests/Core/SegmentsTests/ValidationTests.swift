import Segments
import Testing

@Suite("Validation of a segment")
struct ValidationTests {
    private func problems(
        _ text: String,
        id: String? = nil,
        segments: [String: String] = [:]
    ) throws -> [SegmentError] {
        let directory = InMemorySegmentResolver(
            segments: try segments.mapValues { try SegmentParser.parse($0).rule },
            lists: ["known": []]
        )
        return SegmentValidator.problems(
            in: try SegmentParser.parse(text),
            id: id,
            directory: directory
        )
    }

    @Test(
        "points at filters that make no sense",
        arguments: [
            ("a exists and (b exists or country >= 5)", "/and/1/or/1", 26..<38),
            ("not session_count = \"x\"", "/not", 4..<23), ("name matches \"(\"", "", 0..<16),
            ("session sum > 5", "", 0..<15), ("a exists or in list \"other\"", "/or/1", 12..<27),
            ("event e done from now until now - 1 days", "", 0..<40),
            ("device.push_enabled = \"yes\"", "", 0..<27),
        ]
    )
    func positions(text: String, pointer: String, range: Range<Int>) throws {
        let problem = try #require(try problems(text).first)
        #expect(problem.pointer == pointer, "\(problem)")
        #expect(problem.range == range, "\(problem)")
    }

    @Test("finds segments that refer to each other in a circle")
    func circles() throws {
        let segments = ["a": #"in segment "b""#, "b": #"x exists or in segment "a""#]
        let found = try problems(#"in segment "a""#, id: "a", segments: segments)
        #expect(found.count == 1)
        #expect(found.first?.message.contains("circle") == true)
        #expect(try problems(#"in segment "c""#).first?.message.contains("no segment") == true)
    }

    /// Segments that each name the one before so many times.
    private static func tower(_ height: Int, _ width: Int, on base: String) -> [String: String] {
        var segments = ["s0": base]
        for level in 1...height {
            let name = #"in segment "s\#(level - 1)""#
            segments["s\(level)"] = Array(repeating: name, count: width).joined(separator: " or ")
        }
        return segments
    }

    @Test("counts the filters of the segments that it names, however often, without walking them")
    func filters() throws {
        for base in ["x exists", "everyone"] {
            let segments = Self.tower(15, 100, on: base)
            let problems = try problems(#"in segment "s15""#, segments: segments)
            #expect(problems.map(\.message) == ["a segment has at most 1000 filters"])
            #expect(try self.problems(#"in segment "s1""#, segments: segments).isEmpty)
            let two = Self.tower(2, 30, on: base)
            #expect(try self.problems(#"in segment "s1""#, segments: two).isEmpty)
            #expect(try self.problems(#"in segment "s2""#, segments: two).count == 1)
        }
    }

    @Test("follows seventeen segments named within each other, and no more")
    func depth() throws {
        let segments = Self.tower(17, 1, on: "x exists")
        #expect(try problems(#"in segment "s16""#, segments: segments).isEmpty)
        let problems = try problems(#"in segment "s17""#, segments: segments)
        #expect(problems.map(\.message) == [SegmentReason.referencesTooDeep.rawValue])
    }

    @Test("of segments that go on for ever only so many are looked at")
    func endless() throws {
        let segments = Self.tower(20_000, 1, on: "event last done")
        let problems = try problems(#"in segment "s20000""#, segments: segments)
        #expect(problems.map(\.message) == [SegmentReason.referencesTooDeep.rawValue])
        let directory = InMemorySegmentResolver(
            segments: try segments.mapValues { try SegmentParser.parse($0).rule }
        )
        var seen = 0
        SegmentRule.condition(.segment("s20000")).forEachCondition(in: directory) { _ in seen += 1 }
        #expect(seen == SegmentValidator.maxDepth + 1)
    }

    @Test("the filters of segments that a rule names are found, however often they are named")
    func conditions() throws {
        var segments = Self.tower(15, 100, on: "event tea done")
        segments["circle"] = #"event milk done and in segment "circle""#
        let rule = try SegmentParser.parse(
            #"in segment "s15" and in segment "circle" and in segment "s0" and x exists"#
        ).rule
        let directory = InMemorySegmentResolver(
            segments: try segments.mapValues { try SegmentParser.parse($0).rule }
        )
        var events: Set<ActivityCondition.Subject> = []
        rule.forEachActivity(in: directory) { events.insert($0.subject) }
        #expect(events == [.event("tea"), .event("milk")])
        var attributes = 0
        rule.forEachCondition(in: directory) { condition in
            if case .attribute = condition { attributes += 1 }
        }
        #expect(attributes == 1)
    }

    @Test("accepts what makes sense")
    func accepts() throws {
        #expect(
            try problems(
                #"country in ("DE") and age >= 18 and in list "known" and purchase sum > 1"#
            ).isEmpty
        )
    }
}
