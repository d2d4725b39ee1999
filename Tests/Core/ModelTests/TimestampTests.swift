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
            ("2024-02-29", 1_709_164_800),
        ]
    )
    func reading(text: String, seconds: Double) {
        #expect(Timestamp.parse(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "anything else is no time",
        arguments: [
            "", "now", "2026", "2026-13-01", "2026-02-29", "2026-07-04T25:00:00Z", "1783189800",
            "2026-07-04T18:30:00X", "2026-07-04T18:30:00Z more", "2026-07-04 ",
        ]
    )
    func refusing(text: String) {
        #expect(Timestamp.parse(text) == nil)
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
