import Foundation
import Model
import Scheduling
import Testing

@Suite("What a clock on the wall means")
struct WallClockTests {
    private func instant(_ day: String, _ time: String, _ zone: String) throws -> String {
        let date = WallClock.instant(
            try #require(CalendarDay(day)),
            try #require(TimeOfDay(time)),
            in: try #require(TimeZone(identifier: zone))
        )
        return Timestamp.format(date)
    }

    @Test(
        "a time that comes once is that moment",
        arguments: [
            ("2026-07-04", "09:00", "Asia/Tokyo", "2026-07-04T00:00:00.000Z"),
            ("2026-01-15", "09:00", "America/New_York", "2026-01-15T14:00:00.000Z"),
            ("2026-07-15", "09:00", "America/New_York", "2026-07-15T13:00:00.000Z"),
            ("2026-07-15", "00:00", "Asia/Kathmandu", "2026-07-14T18:15:00.000Z"),
            ("2026-07-15", "23:59", "Pacific/Kiritimati", "2026-07-15T09:59:00.000Z"),
        ]
    )
    func once(_ day: String, _ time: String, _ zone: String, _ expected: String) throws {
        #expect(try instant(day, time, zone) == expected)
    }

    @Test(
        "a time that clocks skip in spring is as long after midnight as it would have been",
        arguments: [
            // 02:00 becomes 03:00.
            ("2026-03-29", "02:30", "Europe/Berlin", "2026-03-29T01:30:00.000Z"),
            ("2026-03-08", "02:30", "America/New_York", "2026-03-08T07:30:00.000Z"),
            // Half an hour is skipped on Lord Howe Island.
            ("2026-10-04", "02:15", "Australia/Lord_Howe", "2026-10-03T15:45:00.000Z"),
            // Samoa left out 30 December 2011 and is on the next day at once.
            ("2011-12-30", "10:00", "Pacific/Apia", "2011-12-30T20:00:00.000Z"),
        ]
    )
    func skipped(_ day: String, _ time: String, _ zone: String, _ expected: String) throws {
        #expect(try instant(day, time, zone) == expected)
    }

    @Test(
        "of a time that comes twice in autumn the first one is meant",
        arguments: [
            ("2026-10-25", "02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z"),
            ("2026-11-01", "01:30", "America/New_York", "2026-11-01T05:30:00.000Z"),
        ]
    )
    func doubled(_ day: String, _ time: String, _ zone: String, _ expected: String) throws {
        #expect(try instant(day, time, zone) == expected)
    }

    @Test("the hours around a change are right")
    func around() throws {
        let zone = "Europe/Berlin"
        #expect(try instant("2026-03-29", "01:59", zone) == "2026-03-29T00:59:00.000Z")
        #expect(try instant("2026-03-29", "03:00", zone) == "2026-03-29T01:00:00.000Z")
        #expect(try instant("2026-10-25", "01:59", zone) == "2026-10-24T23:59:00.000Z")
        #expect(try instant("2026-10-25", "03:00", zone) == "2026-10-25T02:00:00.000Z")
    }

    @Test("what a clock shows at a moment leads back to that moment, all year and everywhere")
    func roundTrip() throws {
        for name in ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu"] {
            let zone = try #require(TimeZone(identifier: name))
            var date = Date(timeIntervalSince1970: 1_767_225_600)
            for _ in 0..<(365 * 24) {
                let reading = WallClock.reading(of: date, in: zone)
                let back = WallClock.instant(reading.day, reading.time, in: zone)
                // In the second pass of a doubled hour the first one is meant.
                let difference = date.timeIntervalSince(back)
                #expect(difference == 0 || (difference > 0 && difference <= 3600))
                date += 3600
            }
        }
    }
}
