import Campaigns
import Foundation
import Ingestion
import Model
import Reasons
import Scheduling

/// Reads the object `schedule` of a request.
struct ScheduleReader {
    /// The start of a send, and the local time for a delivery in local time.
    struct Moment {
        var launchAt: Date
        var local: LocalDateTime?
    }

    let now: Date

    /// `nil` if the request has no schedule.
    func moment(_ reader: RequestReader) throws(FieldProblem) -> Moment? {
        guard let value = reader.value("schedule") else { return nil }
        let schedule = try RequestReader(value, path: "schedule")
        if try schedule.flag("at_optimal_time") == true {
            throw schedule.problem("at_optimal_time", .noOptimalTime)
        }
        guard let time = try schedule.time("time") else {
            throw schedule.problem("time", .required)
        }
        // The written date and time are each user's local time, ignoring the offset and the
        // seconds.
        let isLocal = try schedule.flag("in_local_time") == true
        let written = isLocal ? try schedule.string("time").flatMap(Timestamp.shown) : nil
        let shown = WallClock.reading(of: written ?? time, in: .gmt)
        let years = CampaignValidator.scheduleYears
        guard years.contains(shown.day.civil.year) else {
            throw schedule.problem(
                "time",
                .scheduleYears,
                ["first": "\(years.lowerBound)", "last": "\(years.upperBound)"]
            )
        }
        guard isLocal else {
            guard time > now else { throw schedule.problem("time", .hasPassed) }
            return Moment(launchAt: time)
        }
        guard WallClock.instant(shown.day, shown.time, hoursAhead: -12) > now else {
            throw schedule.problem("time", .hasPassedForAll)
        }
        return Moment(
            launchAt: WallClock.instant(shown.day, shown.time, hoursAhead: 14),
            local: LocalDateTime(day: shown.day, time: shown.time)
        )
    }

    func required(_ reader: RequestReader) throws(FieldProblem) -> Moment {
        guard let moment = try moment(reader) else {
            throw reader.problem("schedule", .scheduleRequired)
        }
        return moment
    }
}
