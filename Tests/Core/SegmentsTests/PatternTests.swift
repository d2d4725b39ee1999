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

    @Test("work each state out once: a long text is no dearer than a short one")
    func knownStates() throws {
        // Some thousand instructions to look at for each character that is met for the first time.
        var matcher = PatternMatcher(try Pattern("(a?){900}z"))
        let isFound = matcher.isFound(in: String(repeating: "a", count: 30_000))
        #expect(!isFound)
        #expect(!matcher.isExhausted)
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

@Suite("The syntax of regular expressions")
struct PatternSyntaxTests {
    private func finds(_ pattern: String, in text: String, ignoringCase: Bool = true) throws -> Bool
    {
        var matcher = PatternMatcher(try Pattern(pattern, ignoringCase: ignoringCase))
        return matcher.isFound(in: text)
    }

    private func error(_ pattern: String) -> PatternError? {
        do {
            _ = try Pattern(pattern)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "a class of characters has just those it names, of all of ASCII",
        arguments: [
            (#"\d"#, "0123456789"), (#"\s"#, "\t\n\u{B}\u{C}\r "), (#"[[:digit:]]"#, "0123456789"),
            (#"[[:xdigit:]]"#, "0123456789ABCDEFabcdef"), (#"[[:space:]]"#, "\t\n\u{B}\u{C}\r "),
            (#"[[:upper:]]"#, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
            (#"[[:lower:]]"#, "abcdefghijklmnopqrstuvwxyz"),
            (#"[[:alpha:]]"#, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
            (#"[[:alnum:]]"#, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
            (#"\w"#, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"),
            (#"[[:word:]]"#, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"),
            (#"[[:punct:]]"#, ##"!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"##),
            ("[b-d]", "bcd"), ("[b-]", "-b"), ("[-b]", "-b"), ("[b-dx]", "bcdx"), ("[]b]", "]b"),
            (#"\n"#, "\n"), (#"\r"#, "\r"), (#"\t"#, "\t"), (#"\f"#, "\u{C}"), (#"\v"#, "\u{B}"),
            (#"\0"#, "\0"), (#"[\b]"#, "\u{8}"), (#"\x41"#, "A"), (#"\x{41}"#, "A"),
            (#"[\x41-\x43]"#, "ABC"), (#"\."#, "."), (#"\_"#, "_"), (#"[.^$]"#, "$.^"),
            ("[^\u{1}-\u{10FFFF}]", "\0"), ("a|c", "ac"), ("(?:a|b|d)", "abd"),
        ]
    )
    func classes(pattern: String, members: String) throws {
        let found = try (0..<128 as Range<UInt8>).filter { byte in
            try finds(
                pattern,
                in: String(Character(Unicode.Scalar(byte))),
                ignoringCase: false
            )
        }
        #expect(found == members.utf8.sorted())
    }

    @Test("a class in capitals has what the small one lacks")
    func opposites() throws {
        for (small, large) in [(#"^\d$"#, #"^\D$"#), (#"^\w$"#, #"^\W$"#), (#"^\s$"#, #"^\S$"#)] {
            for byte in 0..<128 as Range<UInt8> {
                let text = String(Character(Unicode.Scalar(byte)))
                #expect(try finds(small, in: text) != finds(large, in: text))
            }
        }
    }

    @Test("letters of two, three and four bytes are one character each")
    func bytes() throws {
        for letter in ["é", "\u{80}", "\u{7FF}", "\u{800}", "語", "\u{FFFD}", "😀", "\u{10FFFF}"] {
            #expect(try finds("^.$", in: letter))
            #expect(try finds("^.{3}$", in: "a\(letter)b"))
            #expect(try finds("^a\(letter)+b$", in: "a\(letter)\(letter)b"))
            #expect(try !finds("^a\(letter)b$", in: "a\u{E000}b"))
        }
        #expect(try finds(#"\x{1F600}"#, in: "😀"))
        #expect(try !finds(#"\x{1F601}"#, in: "😀"))
        // What is left of all there are is the last one, or the first.
        for (rest, other, pattern) in [
            ("\u{10FFFF}", "\u{10FFFE}", #"^[^\x{0}-\x{10FFFE}]$"#),
            ("\u{0}", "\u{1}", #"^[^\x{1}-\x{10FFFF}]$"#),
        ] {
            #expect(try finds(pattern, in: rest))
            #expect(try !finds(pattern, in: other))
        }
        #expect(try finds("[à-ÿ]{2}", in: "éü"))
        #expect(try finds("[Α-Ω]", in: "ω"))
    }

    @Test("case is ignored within a script's alphabet, not across all of Unicode")
    func folding() throws {
        // The kelvin sign is the capital of k.
        #expect(try finds(#"[\x{1E00}-\x{2200}]"#, in: "k"))
        #expect(try !finds(#"[\x{1DFF}-\x{2200}]"#, in: "k"))
        #expect(try finds("[a-\u{2200}]", in: "B"))
        #expect(try finds("[^a]", in: "b"))
        #expect(try !finds("[^a]", in: "A"))
        #expect(try finds("(?-i)[^a]", in: "A"))
        #expect(try finds("a(?-i)b", in: "Ab"))
        #expect(try !finds("a(?-i)b", in: "AB"))
        #expect(try finds("(?-i:a)b", in: "aB"))
        #expect(try finds("(?-i)a(?i)b", in: "aB"))
        #expect(try !finds("(?s:a.)b.c", in: "a\nb\nc"))
        #expect(try !finds("(?s)a(?-s).", in: "a\n"))
        #expect(try finds("(?is)A.", in: "a\n"))
    }

    @Test("a repetition has as many as it says")
    func repetitions() throws {
        for (pattern, least, most) in [
            ("a*", 0, nil), ("a+", 1, nil), ("a?", 0, 1), ("a{3}", 3, 3), ("a{2,}", 2, nil),
            ("a{2,4}", 2, 4), ("a{0}", 0, 0), ("a{0,2}", 0, 2), ("a{10}", 10, 10), ("a*?", 0, nil),
            ("a{1,1}", 1, 1), ("(?:a){3}", 3, 3),
        ] as [(String, Int, Int?)] {
            for count in 0...12 {
                let text = String(repeating: "a", count: count)
                let fits = count >= least && count <= most ?? .max
                #expect(try finds("^\(pattern)$", in: text) == fits, "\(pattern) \(count)")
            }
        }
        #expect(error("a{1000}") == nil)
        #expect(error("a{0,1000}") == nil)
        #expect(error("a{1000,}") == nil)
        for pattern in ["a{1001}", "a{0,1001}", "a{1001,}", "a{99999999999999999999}"] {
            #expect(error(pattern)?.message == "at most 1000 repetitions")
        }
        for pattern in ["a{,3}", "a{}", "a{x}", "a{1x}", "a{1,x}", "a{1,2", "a{", "a{1,,2}"] {
            #expect(error(pattern)?.offset == 1, "\(pattern)")
        }
        #expect(error("a{2,1}")?.message == "the second number is less than the first")
        #expect(error("a+?+")?.message == "a repetition is repeated")
        #expect(error("a{2}+")?.offset == 4)
    }

    @Test("groups are 100 deep, a pattern is 32,764 long and 4,000 large")
    func limits() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
        }
        #expect(error(nested(99)) == nil)
        #expect(error(nested(100))?.message == "the groups are nested too deeply")
        #expect(error(String(repeating: "(a)", count: 200)) == nil)
        func long(_ count: Int) -> String { "[" + String(repeating: "a", count: count - 2) + "]" }
        #expect(error(long(32_764)) == nil)
        #expect(error(long(32_765))?.message == "a pattern has at most 32764 characters")
        #expect(error(long(32_765))?.offset == 32_764)
        #expect(error(String(repeating: "a", count: 3_999)) == nil)
        #expect(
            error(String(repeating: "a", count: 4_000))?.message
                == "the pattern is too large; use fewer repetitions"
        )
    }

    @Test("characters by number have two digits, or up to six in braces")
    func hexadecimal() throws {
        #expect(try finds(#"^\x411$"#, in: "A1"))
        #expect(try finds(#"^\x{000041}$"#, in: "A"))
        #expect(try finds(#"\x{10FFFF}"#, in: "\u{10FFFF}"))
        for pattern in [
            #"\x"#, #"\xg"#, #"\x{}"#, #"\x{41"#, #"\x{110000}"#, #"\x{0000041}"#, #"\x{4g}"#,
        ] {
            #expect(error(pattern)?.offset == 0, "\(pattern)")
        }
    }

    @Test("what cannot be matched in linear time, or means nothing, is refused by its name")
    func refused() {
        for (pattern, offset, message) in [
            ("x(?=a)", 1, "look-around"), ("x(?!a)", 1, "look-around"),
            ("x(?<=a)", 1, "look-around"), ("x(?<!a)", 1, "look-around"),
            ("x(?>a)", 1, "atomic"), ("x(?<>a)", 1, "name"), ("x(?<n", 1, "name"),
            ("x(?Pn>a)", 1, "name"), ("x(?i", 1, "never closed"), ("x(?z)", 3, "unknown flag"),
            ("x[a", 1, "never closed"), ("x[a-", 1, "never closed"), ("x[", 1, "never closed"),
            ("x[]", 1, "never closed"),
            ("x[b-a]", 2, "not in order"), (#"x[\d-a]"#, 2, "not in order"),
            (#"x[a-\d]"#, 2, "not in order"), ("x[[:no:]]", 2, "class name"),
            (#"x\"#, 1, "escapes nothing"), (#"x[\"#, 2, "escapes nothing"),
            (#"x\9"#, 1, "back-references"), (#"x\y"#, 1, "unknown escape"),
            ("x++", 2, "possessive"), ("x|*", 2, "nothing to repeat"), ("x)", 1, "no group"),
            ("(x", 0, "never closed"), ("$+", 0, "anchor"),
        ] {
            let found = error(pattern)
            #expect(found?.offset == offset, "\(pattern)")
            #expect(
                found?.message.contains(message) == true,
                "\(pattern): \(String(describing: found))"
            )
        }
        #expect(error("(?P<n>a)") == nil)
        #expect(error("[a-a]") == nil)
    }

    @Test("words begin and end at letters, digits and the low line of ASCII, also at both ends")
    func words() throws {
        for (text, isFound) in [
            ("cat", true), ("a cat", true), ("cat.", true), ("cats", false), ("cat_", false),
            ("1cat", false), ("écat", true),
        ] {
            #expect(try finds(#"\bcat\b"#, in: text) == isFound, "\(text)")
        }
        #expect(try finds(#"^\B-\B$"#, in: "-"))
        #expect(try !finds(#"^\b-"#, in: "-"))
        #expect(try finds(#"\Ba\B"#, in: "bab"))
        #expect(try !finds(#"\Ba"#, in: "a"))
        #expect(try finds(#"a\Z"#, in: "ba"))
        #expect(try !finds(#"\Aa"#, in: "ba"))
        #expect(try finds("(^a|b)", in: "cb"))
    }
}
