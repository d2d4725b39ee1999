import Foundation
import Model

extension Reeligibility {
    /// Whether a user can have the campaign at `time` who last had it at `last`.
    ///
    /// Whole days are days of the user's calendar, whatever the time: a daily message comes every
    /// day, also when clocks change.
    package func allows(messageAt time: Date, last: Date?, in zone: TimeZone) -> Bool {
        guard let last else { return true }
        switch self {
        case .never: return false
        case .after(let pause):
            guard pause > 0, pause.truncatingRemainder(dividingBy: 86_400) == 0 else {
                return time >= last.addingTimeInterval(pause)
            }
            let days = Int(pause / 86_400)
            let lastDay = WallClock.day(of: last, in: zone)
            return WallClock.day(of: time, in: zone) >= lastDay.adding(days: days)
        }
    }
}
