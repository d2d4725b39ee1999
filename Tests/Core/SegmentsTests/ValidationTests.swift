import Segments
import Testing

@Suite("Validation of a segment")
struct ValidationTests {
    private func problems(
        _ text: String,
        id: String? = nil,
        segments: [String: String] = [:]
    ) throws -> [SegmentProblem] {
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

    @Test("accepts what makes sense")
    func accepts() throws {
        #expect(
            try problems(
                #"country in ("DE") and age >= 18 and in list "known" and purchase sum > 1"#
            ).isEmpty
        )
    }
}
