import Growth
import Segments
import Testing

@Suite("Regular expressions")
struct PatternTests {
    private func finds(_ pattern: String, in text: String) throws -> Bool {
        var matcher = PatternMatcher(try Pattern(pattern))
        return matcher.isFound(in: text)
    }

    @Test(
        "find what they describe",
        arguments: [
            ("", "", true), ("b", "abc", true), ("^b", "abc", false), ("c$", "abc", true),
            ("^abc$", "ABC", true), ("(?-i)abc", "ABC", false), ("(?i:a)(?-i:b)", "Ab", true),
            ("a.c", "a\nc", false), ("(?s)a.c", "a\nc", true), ("[^a-c]", "abc", false),
            ("[]a]", "]", true), (#"[\d-]+$"#, "12-3", true), ("ab{2}c", "abbc", true),
            ("ab{2,}c", "abc", false), ("ab{0,1}c", "ac", true), ("a{2,3}$", "aaaa", true),
            ("^a{2,3}$", "aaaa", false), ("x*?y", "y", true), ("(a|bc)+d", "abcad", true),
            (#"\bcat\b"#, "a cat sat", true), (#"\bcat\b"#, "concatenate", false),
            (#"\Bcat"#, "concat", true), ("ü+", "ÜÜ", true), ("^.$", "é", true),
            (#"\x41\x{42}"#, "ab", true), ("[[:digit:]]{3}", "a123", true),
            ("(?<year>2[0-9]{3})", "in 2026", true), ("^$", "", true), (#"\Aa\z"#, "a", true),
            ("^(SUMMER|WINTER)-[0-9]{3}7$", "winter-0127", true), ("[^é]", "é", false),
        ]
    )
    func matching(pattern: String, text: String, expected: Bool) throws {
        #expect(try finds(pattern, in: text) == expected)
    }

    @Test(
        "are refused with the place of what is wrong",
        arguments: [
            ("a(b", 1), ("a)", 1), ("*a", 0), ("a**", 2), (#"(a)\1"#, 3), ("(?=a)", 0),
            ("a++", 2), ("[z-a]", 1), ("[a", 0), ("a{2", 1), ("a{3,2}", 1), (#"\q"#, 0),
            ("(((a{1000}){1000}){1000})", 0), ("(?x)", 2), ("^*", 0),
        ]
    )
    func refused(pattern: String, offset: Int) throws {
        let error = try #require(throws: PatternError.self) { try Pattern(pattern) }
        #expect(error.offset == offset, "\(error)")
    }

    @Test("take linear time where backtracking would take exponential time")
    func catastrophic() throws {
        for pattern in ["^(a+)+$", "^(a|aa)+$", "(a*)*c", "(.*)(.*)(.*)(.*)x$"] {
            let growth = try Growth.ofFourTimes(1_250) { count in
                let isFound = try finds(pattern, in: String(repeating: "a", count: count) + "b")
                #expect(!isFound)
            }
            #expect(growth < 10, "\(pattern)")
        }
    }

    @Test("with more states than are kept still answer right")
    func manyStates() throws {
        // Whether the thirteenth character from the end is an a: needs 2¹³ states.
        var matcher = PatternMatcher(try Pattern("a.{12}$"))
        var bits: UInt64 = 88_172_645_463_325_252
        for _ in 0..<40 {
            var text = ""
            for _ in 0..<300 {
                bits ^= bits << 13
                bits ^= bits >> 7
                bits ^= bits << 17
                text += bits & 1 == 0 ? "a" : "b"
            }
            let expected = text.dropLast(12).last == "a"
            #expect(matcher.isFound(in: text) == expected)
        }
    }
}
