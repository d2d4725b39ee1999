import Foundation
import Model
import Testing

@Suite("The days of a time zone")
struct LocalDaysTests {
    private func days(_ zone: String) throws -> LocalDays {
        LocalDays(try #require(TimeZone(identifier: zone)))
    }

    private func time(_ text: String) throws -> Date { try #require(Timestamp.parse(text)) }

    @Test("a day begins at midnight of the zone")
    func midnight() throws {
        let days = try days("Asia/Tokyo")
        let evening = try time("2026-07-04T18:30:00Z")
        #expect(days.start(of: evening) == (try time("2026-07-05T00:00:00+09:00")))
        #expect(days.name(of: evening) == "2026-07-05")
        #expect(days.parse("2026-07-05").map(days.start) == days.start(of: evening))
    }

    @Test("days on which clocks change have 23 and 25 hours, and none is missed or counted twice")
    func changes() throws {
        let days = try days("Europe/Berlin")
        for (end, hours) in [("2026-03-30T10:00:00Z", 23.0), ("2026-10-26T10:00:00Z", 25.0)] {
            let starts = days.days(3, endingAt: try time(end))
            #expect(starts.count == 4)
            let lengths = zip(starts, starts.dropFirst()).map {
                $1.timeIntervalSince($0) / 3600
            }
            #expect(lengths == [24, hours, 24])
        }
        #expect(
            days.days(3, endingAt: try time("2026-03-30T10:00:00Z")).map(days.name)
                == ["2026-03-28", "2026-03-29", "2026-03-30", "2026-03-31"]
        )
    }

    @Test("a day whose midnight does not exist begins when clocks have jumped")
    func missingMidnight() throws {
        let days = try days("America/Sao_Paulo")
        let starts = days.days(3, endingAt: try time("2018-11-05T15:00:00Z"))
        #expect(starts[1] == (try time("2018-11-04T01:00:00-02:00")))
        #expect(starts[2].timeIntervalSince(starts[1]) == 23 * 3600)
    }

    @Test(
        "a day is found by its name, whatever its first hour is",
        arguments: [
            ("America/Sao_Paulo", "2018-11-04"), ("Europe/Berlin", "2026-03-29"),
            ("Australia/Lord_Howe", "2026-10-04"), ("Pacific/Kiritimati", "2028-02-29"),
        ]
    )
    func named(zone: String, name: String) throws {
        let days = try days(zone)
        let day = try #require(days.day(named: name))
        #expect(days.name(of: day) == name)
        #expect(days.name(of: day.addingTimeInterval(-1)) < name)
    }

    @Test(
        "what names no day of the calendar finds none",
        arguments: [
            "", "2026-02-29", "2026-13-01", "2026-04-31", "2026-07-04T10:00:00Z", "today",
            "2026-7-4",
        ]
    )
    func unnamed(text: String) throws {
        #expect(try days("Asia/Kathmandu").day(named: text) == nil)
    }

    @Test("a day that a zone has left out has no name")
    func leftOut() throws {
        #expect(try days("Pacific/Apia").day(named: "2011-12-30") == nil)
    }

    @Test("days are counted by the calendar, however long they are")
    func counts() throws {
        for zone in [
            "Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe", "America/New_York",
        ] {
            let days = try days(zone)
            let first = try #require(days.day(named: "2018-01-01"))
            for offset in [-400, -1, 0, 1, 83, 84, 307, 308, 364, 365, 800] {
                let other = days.start(of: first, adding: offset)
                #expect(days.count(from: first, to: other) == offset)
                #expect(days.count(from: first.addingTimeInterval(80_000), to: other) == offset)
            }
        }
    }

    @Test("hours begin with those of the zone, also where it is half an hour off")
    func hours() throws {
        let hours = try days("Asia/Kolkata").hours(2, endingAt: try time("2026-07-04T18:45:00Z"))
        #expect(
            hours == [
                try time("2026-07-04T17:30:00Z"), try time("2026-07-04T18:30:00Z"),
                try time("2026-07-04T19:30:00Z"),
            ]
        )
    }
}
