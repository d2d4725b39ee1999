import Foundation
import Model
import Testing

@Suite("Times as text")
struct TimestampTests {
    @Test(
        "ISO 8601 with and without fraction, zone and time is read",
        arguments: [
            ("2026-07-04T18:30:00Z", 1_783_189_800.0),
            ("2026-07-04T18:30:00.250Z", 1_783_189_800.25),
            ("2026-07-04T18:30:00:250Z", 1_783_189_800.25),
            ("2026-07-04T18:30:00+09:00", 1_783_157_400),
            ("2026-07-04T18:30:00+0900", 1_783_157_400),
            ("2026-07-04T18:30:00-02", 1_783_197_000),
            ("2026-07-04T18:30", 1_783_189_800),
            ("2026-07-04 18:30:00", 1_783_189_800),
            ("2026-07-04", 1_783_123_200),
            ("1969-12-31T23:59:59Z", -1),
            ("2024-02-29", 1_709_164_800), ("07/04/2026", 1_783_123_200),
            ("02/29/2024", 1_709_164_800),
        ]
    )
    func reading(text: String, seconds: Double) {
        #expect(Timestamp.parse(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "anything else is no time",
        arguments: [
            "", "now", "2026", "2026-13-01", "2026-02-29", "2026-07-04T25:00:00Z", "1783189800",
            "13/01/2026", "02/29/2026", "07/04/0000", "7/4/2026", "07/04/26", "07/04/2026 18:30",
            "2026-07-04T18:30:00X", "2026-07-04T18:30:00Z more", "2026-07-04 ",
        ]
    )
    func refusing(text: String) {
        #expect(Timestamp.parse(text) == nil)
    }

    @Test(
        "a moment outside the years 1 to 9999 in UTC is no time",
        arguments: [
            ("0000-12-31", false), ("0000-12-31T23:59:59.999Z", false), ("0001-01-01", true),
            ("0001-01-01T00:00:00+00:01", false), ("0001-01-01T00:00:00-00:01", true),
            ("9999-12-31", true), ("9999-12-31T23:59:59.999Z", true),
            ("9999-12-31T23:59:59.9999Z", false), ("9999-12-31T23:59:60Z", false),
            ("9999-12-31T23:59:59-00:01", false), ("9999-12-31T23:59:59+14:00", true),
        ]
    )
    func range(text: String, isMoment: Bool) {
        #expect((Timestamp.parse(text) != nil) == isMoment)
    }

    @Test("milliseconds and seconds of a client are moments within the years 1 to 9999 only")
    func numbers() {
        let range = Timestamp.milliseconds
        #expect(Timestamp.date(milliseconds: range.lowerBound)?.milliseconds == range.lowerBound)
        #expect(Timestamp.date(milliseconds: range.upperBound)?.milliseconds == range.upperBound)
        for outside in [.min, range.lowerBound - 1, range.upperBound + 1, .max] {
            #expect(Timestamp.date(milliseconds: outside) == nil)
        }
        for outside in [-1e308, -6.3e10, 2.6e11, 1e16, 1e308, .infinity, -.infinity, .nan] {
            #expect(Timestamp.date(seconds: outside) == nil)
        }
    }

    @Test("a moment that no client could send stays countable and writes as one that can be read")
    func extremes() {
        for seconds in [-1e308, -9.3e15, 9.3e15, 1e308, .infinity] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(date.milliseconds == (seconds < 0 ? .min : .max))
            #expect(Timestamp.parse(Timestamp.format(date)) != nil)
        }
        for milliseconds in [Int64.min, .max, -9_223_372_036_854_775_000] {
            let text = Timestamp.format(Date(milliseconds: milliseconds))
            #expect(text.hasPrefix(milliseconds < 0 ? "0001-01-01" : "9999-12-31"))
        }
    }

    @Test("what is written is read again, to the millisecond")
    func roundTrip() {
        for milliseconds: Int64 in [
            0, -1, 951_782_400_000, 1_783_189_800_123, 4_102_444_799_999, -62_135_596_800_000,
        ] {
            let date = Date(milliseconds: milliseconds)
            #expect(Timestamp.parse(Timestamp.format(date))?.milliseconds == milliseconds)
        }
        #expect(
            Timestamp.format(Date(milliseconds: 1_783_189_800_123)) == "2026-07-04T18:30:00.123Z"
        )
    }
}
