import Foundation
import Model

extension FrequencyCap {
    /// Whether another message at `time` keeps the cap, in every period of `days` days of the
    /// user's calendar that includes it.
    ///
    /// - Parameters:
    ///   - others: The times of the user's other messages, including future ones.
    ///   - zone: The time zone of the user's calendar.
    package func allows(messageAt time: Date, beside others: [Date], in zone: TimeZone) -> Bool {
        let day = WallClock.day(of: time, in: zone).number
        let otherDays = others.map { WallClock.day(of: $0, in: zone).number }
        let ends = [day] + otherDays.filter { $0 > day && $0 < day + days }
        return ends.allSatisfy { end in
            otherDays.count { $0 > end - days && $0 <= end } < messages
        }
    }
}
