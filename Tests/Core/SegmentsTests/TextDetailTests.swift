import Foundation
import Segments
import Testing

@Suite("Numbers, times and strings in the text form of a segment")
struct TextDetailTests {
    private func test(_ text: String) throws -> ValueTest {
        let rule = try SegmentParser.parse("v \(text)").rule
        guard case .condition(.attribute(.custom, let test)) = rule else {
            throw SegmentError(.testNeeded)
        }
        return test
    }

    private func problem(_ text: String) -> SegmentError? {
        do {
            _ = try SegmentParser.parse(text)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "numbers have a fraction and an exponent, with either sign",
        arguments: [
            ("0", 0), ("007", 7), ("1.5", 1.5), ("-2.25", -2.25), ("1e3", 1_000), ("1E3", 1_000),
            ("1e+3", 1_000), ("25e-1", 2.5), ("1.5e2", 150), ("-1e2", -100), ("12e10", 12e10),
        ]
    )
    func numbers(text: String, value: Double) throws {
        #expect(try test("= \(text)") == .equal(.number(value)))
        #expect(try test("< \(text)") == .number(.less, value))
        #expect(try test("in (\(text), 5)") == .oneOf([.number(value), .number(5)]))
    }

    @Test("a point or an “e” without digits behind it is no part of a number")
    func unfinishedNumbers() {
        for text in ["v = 1.", "v = 1.x", "v = 1e", "v = 1ex", "v = 1e+", "v = 1e-x", "v = - x"] {
            #expect(problem(text) != nil, "\(text)")
        }
        #expect(problem("v = 1e400")?.message == "this number is too large")
        #expect(problem("v = 1e400")?.range == 4..<9)
    }

    @Test("whole numbers are kept exactly, however large, up to 2⁶³")
    func wholeNumbers() throws {
        #expect(try test("= 9007199254740992") == .equal(.number(9_007_199_254_740_992)))
        #expect(try test("= 9007199254740993") == .equal(.integer(9_007_199_254_740_993)))
        #expect(try test("= -9007199254740993") == .equal(.integer(-9_007_199_254_740_993)))
        #expect(try test("< 9007199254740993") == .integer(.less, 9_007_199_254_740_993))
        #expect(try test("= 9007199254740994") == .equal(.number(9_007_199_254_740_994)))
        #expect(try test("= 9223372036854775807") == .equal(.integer(.max)))
        #expect(try test("= -9223372036854775807") == .equal(.integer(-.max)))
        #expect(try test("= 9223372036854775808") == .equal(.number(9_223_372_036_854_775_808)))
        #expect(try test("= -9223372036854775808") == .equal(.number(-9_223_372_036_854_775_808)))
        #expect(try test("= 18446744073709551616") == .equal(.number(18_446_744_073_709_551_616)))
    }

    @Test("units of time are seconds, minutes, hours, days and weeks, also of one")
    func units() throws {
        for (text, seconds) in [
            ("1 second", 1), ("90 seconds", 90), ("1 minute", 60), ("2 minutes", 120),
            ("1 hour", 3_600), ("5 hours", 18_000), ("1 day", 86_400), ("3 days", 259_200),
            ("1 week", 604_800), ("2 weeks", 1_209_600),
        ] as [(String, Int64)] {
            #expect(try test("> now - \(text)") == .time(.greater, .now(offset: -seconds)))
            #expect(try test("> now + \(text)") == .time(.greater, .now(offset: seconds)))
            #expect(try test("more than \(text) ago") == .time(.less, .now(offset: -seconds)))
            #expect(try test("less than \(text) ago") == .time(.greater, .now(offset: -seconds)))
        }
        #expect(try test("<= now") == .time(.lessOrEqual, .now(offset: 0)))
        #expect(try test("<= today") == .time(.lessOrEqual, .today(offsetInDays: 0)))
        #expect(try test("= today - 1 day") == .time(.equal, .today(offsetInDays: -1)))
        #expect(try test("= today + 2 days") == .time(.equal, .today(offsetInDays: 2)))
        for text in [
            "v > now - 3", "v > now - 3 months", "v > today - 3 hours", "v more 3 days ago",
            "v more than 3 days", "v != now", "v != 2026-01-01", "event e last != now",
        ] {
            #expect(problem(text) != nil, "\(text)")
        }
    }

    @Test("durations are written in the largest unit that has them whole")
    func durations() throws {
        for text in [
            "v > now - 1 days", "v > now + 25 hours", "v > now - 61 minutes",
            "v > now - 3601 seconds", "v > today - 1 days", "v > today + 1 days", "v > now",
            "v > today", "event e done in last 90 minutes", "event e done in last 1 calendar days",
            "event e done from now", "event e done from now + 1 days",
            "event e done from today + 1 days", "event e done from today until today + 1 days",
        ] {
            #expect(try SegmentWriter.text(SegmentParser.parse(text).rule) == text)
        }
    }

    @Test("days and months are those of the calendar, with two digits")
    func days() throws {
        #expect(try test("on 02-29") == .onDay(month: 2, day: 29))
        #expect(try test("on 12-31") == .onDay(month: 12, day: 31))
        #expect(SegmentWriter.text(.onDay(month: 3, day: 1)) == "on 03-01")
        for text in ["02-30", "04-31", "00-01", "01-00", "13-01", "01-32"] {
            #expect(problem("v on \(text)") != nil, "\(text)")
        }
        #expect(try test("on today leap day 02-28") == .onThisDay(.february28))
        #expect(try test("on today leap day 03-01") == .onThisDay(.march1))
        #expect(try test("on today leap day never") == .onThisDay(.never))
        for text in ["02-29", "03-28", "02-01", "01-28", "03-02"] {
            #expect(problem("v on today leap day \(text)") != nil, "\(text)")
        }
        #expect(try test("= 2026-06-30") == .time(.equal, .day(20_634)))
        #expect(try test("= 2026-06-30T08:00:00Z") == .time(.equal, .at(1_782_806_400)))
        #expect(problem("v = 2026-06-30T08:00")?.range == 4..<14)
        #expect(problem("v = 2026-02-30")?.range == 4..<14)
        #expect(problem("v = 2026-02-28T24:00:00Z")?.range == 4..<24)
    }

    @Test("a string has quotes, backslashes, new lines and tabs by escapes; a raw one has none")
    func strings() throws {
        #expect(try test(#"= "a\"b\\c\n\r\t""#) == .equal(.string("a\"b\\c\n\r\t")))
        #expect(try test(#"= 'a\n"b'"#) == .equal(.string(#"a\n"b"#)))
        #expect(try test("= ''") == .equal(.string("")))
        #expect(problem(#"v = "a\q""#)?.range == 6..<8)
        #expect(problem(#"v = "a\"#)?.range == 4..<7)
        #expect(problem("v = 'abc")?.range == 4..<8)
    }

    @Test("a problem covers what it is about")
    func ranges() {
        for (text, range) in [
            ("v = [x", 4..<5), ("v ! 3", 2..<3), ("v ~ 3", 2..<3), ("v =", 3..<4),
            ("country = ", 10..<11), ("a exists bcd exists", 9..<12), ("device.colour", 7..<13),
            ("v = true and flag > true", 20..<24), ("campaign any eaten", 13..<18),
            // What is unknown is one character at least.
            ("# = 1", 0..<1), ("v = 1 #", 6..<7), ("v ? 3", 2..<3),
        ] {
            #expect(problem(text)?.range == range, "\(text): \(String(describing: problem(text)))")
        }
    }

    @Test("the places of filters are counted from the start of the text, brackets included")
    func places() throws {
        let text = "a and (b or not c) and d"
        let located = try SegmentParser.parse(text)
        #expect(located.range == 0..<24)
        for (pointer, range) in [
            ("/and/0", 0..<1), ("/and/1", 6..<18), ("/and/1/or/0", 7..<8), ("/and/1/or/1", 12..<17),
            ("/and/1/or/1/not", 16..<17), ("/and/2", 23..<24), ("", 0..<24),
            // Of what is not there, the closest around it.
            ("/and/3", 0..<24), ("/and/0/not", 0..<1), ("/and/1/or/7", 6..<18),
        ] {
            #expect(located.range(at: pointer) == range, "\(pointer)")
        }
    }

    @Test("a line ends with its new line, and columns are counted from one")
    func lines() throws {
        for (offset, line, column) in [(0, 1, 1), (2, 1, 3), (3, 2, 1), (4, 3, 1), (5, 3, 2)] {
            let problem = SegmentError(range: offset..<(offset + 1), .nested)
            let place = try #require(problem.lineAndColumn(in: "ab\n\ncd"))
            #expect(place.line == line && place.column == column)
        }
        #expect(SegmentError(.nested).lineAndColumn(in: "a") == nil)
    }

    @Test("words that mean something cannot start the name of an attribute")
    func reservedWords() throws {
        for word in [
            "and", "or", "not", "in", "everyone", "nobody", "event", "purchase", "session",
            "campaign", "device", "custom", "true", "false", "now", "today",
        ] {
            #expect(problem("\(word) = 1") != nil, "\(word)")
            let text = "custom.\(word) = 1"
            #expect(try SegmentWriter.text(SegmentParser.parse(text).rule) == text)
        }
        for name in ["_a", "a1", "ü", "event_1"] {
            let text = "\(name) = 1"
            #expect(try SegmentWriter.text(SegmentParser.parse(text).rule) == text)
        }
        // What is no word stands in quotes.
        for name in ["1a", "a-b", "a b"] {
            let path = try #require(AttributePath([.key("x"), .key(name)]))
            let rule = SegmentRule.condition(.attribute(.custom(path), .exists))
            #expect(SegmentWriter.text(rule) == "x.\"\(name)\" exists")
            #expect(try SegmentParser.parse(SegmentWriter.text(rule)).rule == rule)
        }
    }
}

@Suite("Times as text")
struct TimeTextTests {
    @Test("a time of day has 24 hours, 60 minutes and 60 seconds")
    func clock() {
        #expect(TimeText.seconds("1970-01-02T00:00:00Z") == 86_400)
        #expect(TimeText.seconds("1970-01-01T23:59:59Z") == 86_399)
        for text in [
            "1970-01-01T24:00:00Z", "1970-01-01T00:60:00Z", "1970-01-01T00:00:60Z",
            "1970-01-01T00:00:00", "1970-01-01t00:00:00Z", "1970-01-01T00-00:00Z",
            "1970-01-01T00:00-00Z", "1970/01-01", "1970-01/01", "1970-1-01", "197a-01-01",
            "1970-01-0/", "1970-01-0:", "1970-01-010", "", "1970-01-01T0a:00:00Z",
        ] {
            #expect(TimeText.seconds(text) == nil, "\(text)")
        }
    }

    @Test("days are those of the calendar of the years 1 to 9999")
    func days() {
        for (year, month, days) in [
            (2023, 2, 28), (2024, 2, 29), (1900, 2, 28), (2000, 2, 29), (2026, 1, 31),
            (2026, 3, 31), (2026, 4, 30), (2026, 5, 31), (2026, 6, 30), (2026, 7, 31),
            (2026, 8, 31), (2026, 9, 30), (2026, 10, 31), (2026, 11, 30), (2026, 12, 31),
        ] as [(Int64, Int, Int)] {
            #expect(CivilDay(year: year, month: month, day: 1) != nil)
            #expect(CivilDay(year: year, month: month, day: 0) == nil)
            #expect(CivilDay(year: year, month: month, day: days) != nil)
            #expect(CivilDay(year: year, month: month, day: days + 1) == nil)
        }
        #expect(CivilDay(year: 2026, month: 0, day: 1) == nil)
        #expect(CivilDay(year: 2026, month: 13, day: 1) == nil)
        #expect(CivilDay(year: 0, month: 12, day: 31) == nil)
        #expect(CivilDay(year: 10_000, month: 1, day: 1) == nil)
        #expect(CivilDay(year: 1, month: 1, day: 1)?.daysSinceEpoch == -719_162)
        #expect(CivilDay(year: 9_999, month: 12, day: 31)?.daysSinceEpoch == 2_932_896)
    }

    @Test("every day of four hundred years follows the one before it")
    func everyDay() {
        var day = CivilDay(daysSinceEpoch: -135_140)
        var wrong: [Int64] = []
        for number in (-135_139 as Int64)...10_957 {
            let next = CivilDay(daysSinceEpoch: number)
            let isNext =
                next.day == day.day + 1 && next.month == day.month && next.year == day.year
                || next.day == 1 && next.month == day.month + 1 && next.year == day.year
                || next.day == 1 && next.month == 1 && day.month == 12 && next.year == day.year + 1
            if !isNext || next.daysSinceEpoch != number { wrong.append(number) }
            day = next
        }
        #expect(wrong == [])
        #expect(day.year == 2_000 && day.month == 1 && day.day == 1)
    }

    @Test("moments before 1970 lie on the day they lie on")
    func before1970() {
        #expect(CivilDay(containing: -1) == CivilDay(year: 1969, month: 12, day: 31))
        #expect(CivilDay(containing: -86_400) == CivilDay(year: 1969, month: 12, day: 31))
        #expect(CivilDay(containing: -86_401) == CivilDay(year: 1969, month: 12, day: 30))
        #expect(CivilDay(containing: 86_399) == CivilDay(year: 1970, month: 1, day: 1))
        #expect(TimeText.text(-1) == "1969-12-31T23:59:59Z")
        #expect(TimeText.text(-62_135_596_800) == "0001-01-01")
        #expect(TimeText.text(3_661) == "1970-01-01T01:01:01Z")
        #expect(TimeText.text(36_000) == "1970-01-01T10:00:00Z")
    }

    @Test("fractions are cut off, offsets are taken away, and no zone is UTC")
    func lenient() {
        let noon: Int64 = 1_782_820_800
        for (text, expected) in [
            ("2026-06-30T12:00:00Z", noon), ("2026-06-30T12:00:00", noon),
            ("2026-06-30T12:00:00.999", noon), ("2026-06-30T12:00:00.5Z", noon),
            ("2026-06-30T14:00:00+02:00", noon), ("2026-06-30T14:00:00.25+0200", noon),
            ("2026-06-30T06:30:00-05:30", noon), ("2026-06-30", noon - 43_200),
            ("2026-07-01T11:59:00+23:59", noon), ("2026-06-29T12:01:00-23:59", noon),
            // The ends of what this text can write.
            ("0001-01-01T00:01:00+00:01", -62_135_596_800),
            ("9999-12-31T23:58:59-00:01", 253_402_300_799),
        ] {
            #expect(TimeText.lenientSeconds(text) == expected, "\(text)")
        }
        for text in [
            "2026-06-30T12:00:00.", "2026-06-30T12:00:00.Z", "2026-06-30T12:00:00 02:00",
            "2026-06-30T12:00:00+24:00", "2026-06-30T12:00:00+00:60", "2026-06-30T12:00:00+2",
            "2026-06-30T12:00:00+020", "2026-06-30T12:00:00+02:000", "2026-06-30T12:00",
            "2026-06-30 12:00:00", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
            "2026-06-30T12:00:00z", "2026-06-30T12:00:00.5x",
        ] {
            #expect(TimeText.lenientSeconds(text) == nil, "\(text)")
        }
        #expect(TimeText.lenientPoint("2026-06-30") == .day(20_634))
        #expect(TimeText.lenientPoint("2026-06-30T00:00:00Z") == .at(noon - 43_200))
        #expect(TimeText.lenientPoint("2026-06-30T02:00:00+02:00") == .at(noon - 43_200))
        #expect(TimeText.moment(noon - 43_200) == "2026-06-30T00:00:00Z")
        #expect(TimeText.moment(noon) == "2026-06-30T12:00:00Z")
    }
}
