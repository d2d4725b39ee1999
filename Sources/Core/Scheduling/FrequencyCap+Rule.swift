import Foundation
import Model

extension FrequencyCap {
    /// Whether one more message at `time` keeps the cap, in every stretch of `days` days that
    /// includes it.
    ///
    /// - Parameter others: The times of the user's other messages, future ones included.
    package func allows(messageAt time: Date, beside others: [Date]) -> Bool {
        let length = Double(days) * 86_400
        let ends = [time] + others.filter { $0 > time && $0 < time.addingTimeInterval(length) }
        return ends.allSatisfy { end in
            let start = end.addingTimeInterval(-length)
            return others.count { $0 > start && $0 <= end } < messages
        }
    }
}
