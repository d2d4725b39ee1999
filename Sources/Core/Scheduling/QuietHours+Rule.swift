import Foundation
import Model

extension QuietHours {
    /// Whether clocks that show `time` are in them; ones of no length hold no time.
    package func contains(_ time: TimeOfDay) -> Bool {
        start <= end ? start <= time && time < end : time >= start || time < end
    }

    /// When the quiet hours end in which `instant` lies; `nil` when it lies in none.
    package func end(afterQuiet instant: Date, in zone: TimeZone) -> Date? {
        let (day, time, seconds) = WallClock.reading(of: instant, in: zone)
        guard contains(time) else { return nil }
        let isTomorrow = time >= end
        let found = WallClock.instant(isTomorrow ? day.adding(days: 1) : day, end, in: zone)
        if found > instant { return found }
        // In the second pass of a doubled hour the first end is over: wait for the second one.
        let left = end.minutes - time.minutes + (isTomorrow ? 1440 : 0)
        return instant.addingTimeInterval(Double(left * 60) - seconds)
    }
}
