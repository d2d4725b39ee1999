import Liquid
import Testing

@Suite("Dates and zones")
struct DateTests {
    private func render(
        _ template: String,
        zone: LiquidTimeZone = .utc,
        value: LiquidValue = .null
    ) throws -> String {
        var options = RenderOptions { LiquidTime(seconds: 1_783_189_800) }
        options.timeZone = zone
        let data = LiquidObject([(LiquidName("x"), value)])
        guard
            case .rendered(let result) = try Template(parsing: template).render(
                data,
                options: options
            )
        else { return "" }
        return result.text
    }

    @Test(
        "dates are read in the forms people write",
        arguments: [
            ("4th July 2026", "2026-07-04 00:00:00"), ("Jul 4", "2026-07-04 00:00:00"),
            ("4-Jul-2026 18:30", "2026-07-04 18:30:00"), ("2026/7/4", "2026-07-04 00:00:00"),
            ("20260704T183005Z", "2026-07-04 18:30:05"), ("6:30 pm", "2026-07-04 18:30:00"),
            ("July 4 2026 12am", "2026-07-04 00:00:00"), ("2026-185", "2026-07-04 00:00:00"),
            ("2026-07-04T18:30:00.5+09:00", "2026-07-04 18:30:00"), ("July", "2026-07-01 00:00:00"),
            ("2026-02-30", "2026-03-02 00:00:00"), ("2026-13-01", "2026-13-01"), ("later", "later"),
        ]
    )
    func forms(written: String, expected: String) throws {
        let text = try render("{{ x | date: '%Y-%m-%d %H:%M:%S' }}", value: .string(written))
        #expect(text == expected)
    }

    @Test("a date without a zone is in the zone of the render")
    func renderZone() throws {
        let tokyo = try #require(LiquidTimeZone(identifier: "Asia/Tokyo"))
        let text = try render(
            "{{ x | date: '%s %z' }}",
            zone: tokyo,
            value: .string("2026-07-04 09:00")
        )
        #expect(text == "1783123200 +0900")
    }

    @Test("a time that a clock change skips counts as after it, one it repeats as the first")
    func clockChanges() throws {
        let berlin = try #require(LiquidTimeZone(identifier: "Europe/Berlin"))
        let format = "{{ x | date: '%H:%M %Z %s' }}"
        #expect(
            try render(format, zone: berlin, value: .string("2026-03-29 02:30"))
                == "03:30 CEST 1774747800"
        )
        #expect(
            try render(format, zone: berlin, value: .string("2026-10-25 02:30"))
                == "02:30 CEST 1792888200"
        )
    }

    @Test("a zone that is not listed is none")
    func unknownZone() {
        #expect(LiquidTimeZone(identifier: "Mars/Base") == nil)
        #expect(LiquidTimeZone(identifier: "../etc/passwd") == nil)
    }

    @Test("a time from the program prints with its zone")
    func timeValue() throws {
        let time = LiquidTime(seconds: 0, zone: LiquidTimeZone(offset: -12_600))
        #expect(try render("{{ x }}", value: .time(time)) == "1969-12-31 20:30:00 -0330")
    }
}
