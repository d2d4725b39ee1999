import Foundation
import Model
import Reasons
import Reports
import Testing

@Suite("The intervals of a report")
struct ReportPeriodTests {
    private func names(
        _ unit: ReportUnit,
        _ length: Int,
        _ end: String,
        _ zone: String,
        before: Int = 0,
        after: Int = 0
    ) throws -> [String] {
        let period = ReportPeriod(
            unit,
            length: length,
            endingAt: try #require(Timestamp.parse(end)),
            in: try #require(TimeZone(identifier: zone))
        )
        return try period.boundaries(before: before, after: after)
            .map { period.name(ofIntervalAt: $0) }
    }

    private func hours(_ unit: ReportUnit, _ end: String, _ zone: String) throws -> [Int64] {
        let period = ReportPeriod(
            unit,
            length: 3,
            endingAt: try #require(Timestamp.parse(end)),
            in: try #require(TimeZone(identifier: zone))
        )
        let starts = try period.boundaries()
        return zip(starts, starts.dropFirst()).map { ($1 - $0) / 3_600 }
    }

    @Test("are the last ones up to that of the moment, with the end of the last")
    func days() throws {
        #expect(
            try names(.day, 2, "2026-03-01T23:30:00Z", "Asia/Tokyo")
                == ["2026-03-01", "2026-03-02", "2026-03-03"]
        )
        #expect(
            try names(.day, 1, "2026-03-01T12:00:00Z", "Etc/UTC", before: 1, after: 1)
                == ["2026-02-28", "2026-03-01", "2026-03-02", "2026-03-03"]
        )
        #expect(
            try names(.hour, 2, "2026-03-01T12:34:56Z", "Asia/Kathmandu")
                == [
                    "2026-03-01T11:15:00.000Z", "2026-03-01T12:15:00.000Z",
                    "2026-03-01T13:15:00.000Z",
                ]
        )
    }

    @Test("weeks begin on Monday, months on the first")
    func calendar() throws {
        // 1 March 2026 is a Sunday.
        #expect(
            try names(.week, 2, "2026-03-01T12:00:00Z", "Europe/Berlin")
                == ["2026-02-16", "2026-02-23", "2026-03-02"]
        )
        #expect(
            try names(.week, 1, "2026-03-02T12:00:00Z", "Europe/Berlin")
                == ["2026-03-02", "2026-03-09"]
        )
        #expect(
            try names(.month, 3, "2026-01-31T12:00:00Z", "Europe/Berlin", after: 1)
                == ["2025-11-01", "2025-12-01", "2026-01-01", "2026-02-01", "2026-03-01"]
        )
    }

    @Test("days have 23 or 25 hours where clocks change; hours are hours")
    func clockChanges() throws {
        #expect(try hours(.day, "2026-03-30T12:00:00Z", "Europe/Berlin") == [24, 23, 24])
        #expect(try hours(.day, "2026-10-26T12:00:00Z", "Europe/Berlin") == [24, 25, 24])
        // Clocks go forward at midnight: the day begins at one.
        #expect(try hours(.day, "2018-11-05T12:00:00Z", "America/Sao_Paulo") == [24, 23, 24])
        #expect(try hours(.week, "2026-04-05T12:00:00Z", "Europe/Berlin") == [168, 167, 168])
        #expect(try hours(.hour, "2026-10-25T02:30:00Z", "Europe/Berlin") == [1, 1, 1])
    }

    @Test("what lies outside the years that a calendar has is refused")
    func farAway() throws {
        for (unit, end) in [
            (ReportUnit.month, "0001-02-01T00:00:00Z"), (.day, "0001-01-01T00:00:00Z"),
            (.week, "9999-12-31T00:00:00Z"), (.month, "9999-12-31T00:00:00Z"),
        ] {
            #expect(throws: FieldProblem("ending_at", .farAway)) {
                try names(unit, 3, end, "Etc/UTC")
            }
        }
    }
}
