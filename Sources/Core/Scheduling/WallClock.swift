import Foundation
import Model

/// Converts between local times and instants.
package enum WallClock {
    private static let secondsOfDay: TimeInterval = 86_400

    /// The moment at which clocks in `zone` show `time` on `day`.
    ///
    /// A time that is skipped, as in spring, is read with the offset from before the change, so that
    /// 02:30 becomes 03:30; of a time that comes twice, as in autumn, the first one is meant (both
    /// as in RFC 5545, 3.3.5).
    package static func instant(
        _ day: CalendarDay,
        _ time: TimeOfDay,
        in zone: TimeZone
    ) -> Date {
        let shown = shownSeconds(day, time)
        // Offsets are less than a day: these instants are before and after every possible meaning of
        // the local time.
        let before = offset(zone, shown - secondsOfDay)
        let after = offset(zone, shown + secondsOfDay)
        let early = shown - before
        guard before != after, offset(zone, early) != before else {
            return Date(timeIntervalSince1970: early)
        }
        let late = shown - after
        return Date(timeIntervalSince1970: offset(zone, late) == after ? late : early)
    }

    /// The local date and time in `zone` at `instant`, and the seconds since that minute began.
    package static func reading(
        of instant: Date,
        in zone: TimeZone
    ) -> (day: CalendarDay, time: TimeOfDay, seconds: TimeInterval) {
        let shown = instant.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: instant))
        let minutes = Int((shown / 60).rounded(.down))
        let day = Int((Double(minutes) / 1440).rounded(.down))
        let inDay = minutes - day * 1440
        guard let time = TimeOfDay(inDay / 60, inDay % 60) else {
            preconditionFailure("a remainder of 1440 is a time of day")
        }
        return (CalendarDay(number: day), time, shown - Double(minutes * 60))
    }

    /// The local date in `zone` at `instant`.
    package static func day(of instant: Date, in zone: TimeZone) -> CalendarDay {
        reading(of: instant, in: zone).day
    }

    /// The instant of a local date and time at a fixed offset of `hours` from UTC.
    package static func instant(
        _ day: CalendarDay,
        _ time: TimeOfDay,
        hoursAhead hours: Int
    ) -> Date {
        Date(timeIntervalSince1970: shownSeconds(day, time) - Double(hours * 3600))
    }

    private static func shownSeconds(_ day: CalendarDay, _ time: TimeOfDay) -> TimeInterval {
        Double(day.number) * secondsOfDay + Double(time.minutes * 60)
    }

    private static func offset(_ zone: TimeZone, _ seconds: TimeInterval) -> TimeInterval {
        Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
    }
}
