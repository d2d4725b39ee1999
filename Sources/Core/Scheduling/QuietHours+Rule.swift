import Foundation
import Model

extension QuietHours {
    /// Whether the local time `time` is within the quiet hours; a period of zero length contains no
    /// time.
    package func contains(_ time: TimeOfDay) -> Bool {
        start <= end ? start <= time && time < end : time >= start || time < end
    }

    /// The end of the quiet hours that contain `instant`; `nil` if none do.
    package func end(afterQuiet instant: Date, in zone: TimeZone) -> Date? {
        let (day, time, seconds) = WallClock.reading(of: instant, in: zone)
        guard contains(time) else { return nil }
        let isTomorrow = time >= end
        let found = WallClock.instant(isTomorrow ? day.adding(days: 1) : day, end, in: zone)
        if found > instant { return found }
        // In the second pass of a repeated hour the first end has passed: wait for the second one.
        let left = end.minutes - time.minutes + (isTomorrow ? 1440 : 0)
        return instant.addingTimeInterval(Double(left * 60) - seconds)
    }
}
