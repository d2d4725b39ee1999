import Foundation
import Model
import Scheduling
import Testing

@Suite("Occurrences that were missed")
struct MisfirePolicyTests {
    private func timetable(zone: String? = "UTC") throws -> Timetable {
        let schedule = CampaignSchedule(
            start: try #require(CalendarDay("2026-07-01")),
            time: try #require(TimeOfDay("09:00")),
            clock: zone.map(ScheduleTimeZone.zone) ?? .eachUser,
            recurrence: Recurrence(.daily(every: 3), end: .never)
        )
        return Timetable(schedule, zone: zone.flatMap { TimeZone(identifier: $0) })
    }

    private func plan(_ now: String, zone: String? = "UTC") throws -> MisfirePolicy.Plan {
        let timetable = try timetable(zone: zone)
        return MisfirePolicy().plan(
            from: try #require(timetable.first(notOverAt: .distantPast)),
            in: timetable,
            now: try #require(Timestamp.parse(now))
        )
    }

    @Test("one that is a day late is launched, a moment later it is passed over")
    func lateness() throws {
        let late = try plan("2026-07-02T09:00:00Z")
        #expect(late.launch?.key == "2026-07-01T09:00")
        #expect(late.skipped.isEmpty)
        let tooLate = try plan("2026-07-02T09:00:00.001Z")
        #expect(tooLate.launch == nil)
        #expect(tooLate.skipped.map(\.reason) == [.tooLate])
        #expect(tooLate.next?.key == "2026-07-04T09:00")
    }

    @Test("the lateness of one in local time counts from when the last users on earth reach it")
    func localLateness() throws {
        // Baker Island is twelve hours behind UTC.
        #expect(try plan("2026-07-02T21:00:00Z", zone: nil).launch != nil)
        #expect(try plan("2026-07-02T21:00:00.001Z", zone: nil).launch == nil)
    }

    @Test("the one that comes at this moment takes the place of those before")
    func superseded() throws {
        let before = try plan("2026-07-04T08:59:59.999Z")
        #expect(before.launch == nil && before.next?.key == "2026-07-04T09:00")
        let now = try plan("2026-07-04T09:00:00Z")
        #expect(now.launch?.key == "2026-07-04T09:00")
        #expect(now.skipped.map(\.occurrence.key) == ["2026-07-01T09:00"])
        #expect(now.skipped.map(\.reason) == [.superseded])
        #expect(now.next?.key == "2026-07-07T09:00")
    }

    @Test("what is not over and what is launched from a moment on include that moment")
    func firsts() throws {
        let timetable = try timetable()
        let moment = try #require(Timestamp.parse("2026-07-04T09:00:00Z"))
        #expect(timetable.first(notOverAt: moment)?.key == "2026-07-04T09:00")
        #expect(timetable.first(launchedFrom: moment)?.key == "2026-07-04T09:00")
        let after = moment.addingTimeInterval(0.001)
        #expect(timetable.first(notOverAt: after)?.key == "2026-07-07T09:00")
        #expect(timetable.first(launchedFrom: after)?.key == "2026-07-07T09:00")
    }

    @Test("in local time it begins on Kiritimati and ends on Baker Island")
    func spread() throws {
        let first = try #require(try timetable(zone: nil).first(notOverAt: .distantPast))
        #expect(Timestamp.format(first.launchAt) == "2026-06-30T19:00:00.000Z")
        #expect(Timestamp.format(first.endsAt) == "2026-07-01T21:00:00.000Z")
    }
}
