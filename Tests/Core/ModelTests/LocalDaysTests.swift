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
