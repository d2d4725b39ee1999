import Foundation

/// What a user's clock and calendar show when filters are evaluated.
///
/// A day begins at midnight in the user's time zone, so that some have 23 or 25 hours.
package struct UserCalendar: Sendable, Hashable {
    package let zone: TimeZone
    /// The evaluation time, Unix seconds.
    package let now: Int64
    /// The day it is then.
    package let today: CivilDay
    private let todayNumber: Int64

    package init(zone: TimeZone, now: Int64) {
        self.zone = zone
        self.now = now
        todayNumber = CivilDay.floorDivide(now &+ Self.offset(zone, now), 86_400)
        today = CivilDay(daysSinceEpoch: todayNumber)
    }

    /// - Parameter shown: What the clock shows, as seconds as if it were in UTC.
    init(zone: TimeZone, showing shown: Int64) {
        self.init(zone: zone, now: Self.instant(showing: shown, in: zone))
    }

    /// The moment at which a day begins, by its number since 1 January 1970.
    package func start(ofDay number: Int64) -> Int64 {
        Self.instant(showing: number &* 86_400, in: zone)
    }

    /// The moment at which the day begins that is so many days after today.
    package func start(ofDayAfterToday days: Int64) -> Int64 {
        Self.instant(showing: date(afterToday: days), in: zone)
    }

    /// The day so many days after today, as a date without a clock: its midnight in UTC.
    package func date(afterToday days: Int64) -> Int64 {
        (todayNumber &+ days) &* 86_400
    }

    /// The same time of day so many days after the evaluation time.
    package func now(afterDays days: Int64) -> Int64 {
        // Moved by what the clock shows: the hour that a clock change takes or gives is in between.
        let shown = now &+ Self.offset(zone, now)
        return Self.instant(showing: shown &+ days &* 86_400, in: zone)
    }

    /// The day that a time lies on. At midnight in UTC it is a date without a clock, such as a day of
    /// birth, and the same day everywhere.
    package func day(of seconds: Int64) -> CivilDay {
        if seconds % 86_400 == 0 { return CivilDay(containing: seconds) }
        return CivilDay(containing: seconds &+ Self.offset(zone, seconds))
    }

    /// Full years since a time.
    package func years(since seconds: Int64) -> Int64 {
        let born = day(of: seconds)
        let hadBirthday = (today.month, today.day) >= (born.month, born.day)
        return today.year - born.year - (hadBirthday ? 0 : 1)
    }

    /// The moment at which clocks show a time, given as seconds as if it were in UTC.
    ///
    /// A time that is skipped is read with the offset from before the change; of a time that comes
    /// twice the first one is meant.
    private static func instant(showing shown: Int64, in zone: TimeZone) -> Int64 {
        // Offsets lie between -12 and +14 hours: these moments are before and after all that the
        // clock's time can mean.
        let before = offset(zone, shown &- 15 * 3_600)
        let after = offset(zone, shown &+ 13 * 3_600)
        let early = shown &- before
        guard before != after, offset(zone, early) != before else { return early }
        let late = shown &- after
        return offset(zone, late) == after ? late : early
    }

    private static func offset(_ zone: TimeZone, _ seconds: Int64) -> Int64 {
        // Beyond the years that a calendar has, the offset at their edge.
        let bounded = min(max(seconds, -62_135_596_800), 253_402_300_799)
        return Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(bounded))))
    }
}
