import Segments
import Testing

@Suite("The text form of a segment")
struct TextFormTests {
    private func rule(_ text: String) throws -> SegmentRule { try SegmentParser.parse(text).rule }

    private func custom(_ name: String, _ test: ValueTest) throws -> SegmentRule {
        .condition(.attribute(.custom(try #require(AttributePath(name))), test))
    }

    @Test("names standard attributes by themselves and takes other names as custom ones")
    func names() throws {
        let expected = SegmentRule.all([
            .condition(.attribute(.standard(.country), .equal(.string("DE")))),
            try custom("plan", .equal(.string("pro"))),
        ])
        #expect(try rule(#"country = "DE" and plan = "pro""#) == expected)
        #expect(try rule(#"custom.country = "x""#) == custom("country", .equal(.string("x"))))
    }

    @Test("binds not before and before or, and parentheses first")
    func precedence() throws {
        let a = try custom("a", .exists)
        let b = try custom("b", .exists)
        let c = try custom("c", .exists)
        #expect(
            try rule("not a exists and b exists or c exists") == .any([.all([.not(a), b]), c])
        )
        #expect(try rule("a exists and (b exists or c exists)") == .all([a, .any([b, c])]))
        #expect(try rule("not (a exists or b exists)") == .not(.any([a, b])))
    }

    @Test(
        "is read and written back the same",
        arguments: [
            "everyone", "nobody", #"in segment "vip""#, #"in list "summer""#, "in control group",
            "not in control group",
            #"country not in ("DE", "FR")"#, "loyalty_points >= -2.5", "is_vip = true",
            "created_at >= 2026-01-31", "created_at < 2026-01-31T08:30:00Z",
            "last_session_at >= now - 7 days", "dob on 02-29", "dob on today", "age >= 18",
            "joined <= today + 3 days", #"app_version >= "2.10""#, #"device.app_version < "3""#,
            #"device has (platform = "ios" and (push_enabled = true or not provisional = true))"#,
            #"tags contains all ("a", "b")"#, #"tags not contains any (1, true)"#,
            #"orders[].lines[].sku = "x""#, #"custom."odd name"."with \"quotes\"" exists"#,
            #"name starts with "A" or name ends with "z""#, "tags is empty", "phone not exists",
            #"email not matches "@example\\.com$""#,
            "event purchase count >= 3 in last 30 days", "event \"add to cart\" not done",
            "event view done in last 3 calendar days", "session count < 5 in last 36 hours",
            #"event buy with (price >= 10 and currency = "USD") done from 2026-01-01 until now"#,
            #"purchase of "p1", "p2" sum >= 19.99 in last 1 days"#,
            "purchase last < now - 90 days", "event view first >= 2026-06-30",
            #"campaign "welcome", "sale" opened done"#, "campaign any received not done",
        ]
    )
    func roundTrip(text: String) throws {
        let parsed = try rule(text)
        let written = SegmentWriter.text(parsed)
        #expect(try rule(written) == parsed)
        #expect(written == text)
    }

    @Test("has short ways to say common things")
    func shortForms() throws {
        #expect(try rule("is_vip") == custom("is_vip", .equal(.bool(true))))
        #expect(
            try rule("last_session_at more than 2 weeks ago")
                == rule("last_session_at < now - 14 days")
        )
        #expect(try rule(#"campaign "a" not opened"#) == rule(#"campaign "a" opened not done"#))
        #expect(try rule(#"code matches '^\d{3}$'"#) == rule(#"code matches "^\\d{3}$""#))
    }

    @Test(
        "points at what it cannot read",
        arguments: [
            ("country =", 9, "value"), ("country = \"DE\" and", 18, "starts with a name"),
            ("plan ~ 3", 5, "means nothing"), ("(a exists", 9, "“)”"),
            ("event view count >= 2.5", 20, "whole number"), ("name = \"x", 7, "never closed"),
            ("created_at >= 2026-02-30", 14, "no such date"),
            ("device.colour = \"x\"", 7, "no “colour”"),
            ("event view", 10, "done"), ("flag > true", 7, "no order"),
            ("a exists b exists", 9, "and"),
            ("dob on 13-01", 7, "no such day"), ("or = 1", 0, "custom.or"),
        ]
    )
    func positions(text: String, offset: Int, message: String) throws {
        let problem = try #require(throws: SegmentError.self) { try rule(text) }
        #expect(problem.range?.lowerBound == offset, "\(problem)")
        #expect(problem.message.contains(message), "\(problem)")
    }

    @Test("refuses nesting that would exhaust the stack")
    func depth() {
        let deep = String(repeating: "(", count: 5_000) + "a exists"
        #expect(throws: SegmentError.self) { try rule(deep) }
        let negated = String(repeating: "not ", count: 5_000) + "a exists"
        #expect(throws: SegmentError.self) { try rule(negated) }
    }

    @Test("tells the line and column of a problem")
    func lines() throws {
        let text = "country = \"DE\"\nand plan ="
        let problem = try #require(throws: SegmentError.self) { try rule(text) }
        let place = try #require(problem.lineAndColumn(in: text))
        #expect(place.line == 2 && place.column == 11)
    }
}
