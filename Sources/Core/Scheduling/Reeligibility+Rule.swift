import Foundation
import Model

extension Reeligibility {
    /// Whether a user who last had the campaign at `last` can have it at `time`.
    ///
    /// Whole days are days of the user's calendar, whatever the time: a daily message arrives every
    /// day, even when clocks change.
    package func allows(messageAt time: Date, last: Date?, in zone: TimeZone) -> Bool {
        guard let last else { return true }
        switch self {
        case .never: return false
        case .after(let pause):
            guard pause.truncatingRemainder(dividingBy: 86_400) == 0 else {
                return time >= last.addingTimeInterval(pause)
            }
            let days = Int(pause / 86_400)
            let lastDay = WallClock.day(of: last, in: zone)
            return WallClock.day(of: time, in: zone) >= lastDay.adding(days: days)
        }
    }
}
