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
        let left = (end.minutes - time.minutes + 1440) % 1440
        let days = (time.minutes + left) / 1440
        let found = WallClock.instant(day.adding(days: days), end, in: zone)
        if found > instant { return found }
        // In the second pass of a repeated hour the first end has passed: wait for the second one.
        return instant.addingTimeInterval(Double(left * 60) - seconds)
    }
}
