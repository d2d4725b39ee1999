import Foundation

/// A user's local time and calendar when filters are evaluated.
///
/// A day begins at midnight in the user's time zone, so that some days have 23 or 25 hours.
package struct UserCalendar: Sendable, Hashable {
    private static let secondsOfDay: Int64 = 86_400

    package let zone: TimeZone
    /// The evaluation time, Unix seconds.
    package let now: Int64
    /// The local day at the evaluation time.
    package let today: CivilDay
    private let todayNumber: Int64

    package init(zone: TimeZone, now: Int64) {
        self.zone = zone
        self.now = now
        todayNumber = CivilDay.floorDivide(now &+ Self.offset(zone, now), Self.secondsOfDay)
        today = CivilDay(daysSinceEpoch: todayNumber)
    }

    /// - Parameter shown: The local time in seconds, as if it were in UTC.
    init(zone: TimeZone, showing shown: Int64) {
        self.init(zone: zone, now: Self.instant(showing: shown, in: zone))
    }

    /// The start of a day, given in days since January 1, 1970.
    package func start(ofDay number: Int64) -> Int64 {
        Self.instant(showing: number &* Self.secondsOfDay, in: zone)
    }

    /// The start of the day that is `days` after today.
    package func start(ofDayAfterToday days: Int64) -> Int64 {
        Self.instant(showing: date(afterToday: days), in: zone)
    }

    /// The date that is `days` after today, as midnight UTC.
    package func date(afterToday days: Int64) -> Int64 {
        (todayNumber &+ days) &* Self.secondsOfDay
    }

    /// The same time of day, `days` after the evaluation time.
    package func now(afterDays days: Int64) -> Int64 {
        // Moved in local time, because a clock change may lie in between.
        let shown = now &+ Self.offset(zone, now)
        return Self.instant(showing: shown &+ days &* Self.secondsOfDay, in: zone)
    }

    /// The local day of a time. A time at midnight UTC is a date without a time of day, such as a
    /// day of birth, and the same day everywhere.
    package func day(of seconds: Int64) -> CivilDay {
        if seconds % Self.secondsOfDay == 0 { return CivilDay(containing: seconds) }
        return CivilDay(containing: seconds &+ Self.offset(zone, seconds))
    }

    /// Full years since a time.
    package func years(since seconds: Int64) -> Int64 {
        let born = day(of: seconds)
        let hadBirthday = (today.month, today.day) >= (born.month, born.day)
        return today.year - born.year - (hadBirthday ? 0 : 1)
    }

    /// The instant of a local time, given in seconds as if it were in UTC.
    ///
    /// A skipped time is read with the offset from before the change; of a repeated time the first
    /// one counts.
    private static func instant(showing shown: Int64, in zone: TimeZone) -> Int64 {
        // Offsets are less than a day: these instants are before and after every possible meaning of
        // the local time.
        let before = offset(zone, shown &- secondsOfDay)
        let after = offset(zone, shown &+ secondsOfDay)
        let early = shown &- before
        guard before != after, offset(zone, early) != before else { return early }
        let late = shown &- after
        return offset(zone, late) == after ? late : early
    }

    private static func offset(_ zone: TimeZone, _ seconds: Int64) -> Int64 {
        // Outside of the calendar's years, use the offset at their limit.
        let bounded = min(max(seconds, -62_135_596_800), 253_402_300_799)
        return Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(bounded))))
    }
}
