import Foundation

extension OpensInTime {
    /// The opens of a push in equal parts of the time in which there were any, of at least a minute
    /// each.
    ///
    /// The series ends with the latest open, so that a push of last month does not show an hour of
    /// opens and weeks of none, and has no part that begins after `now`.
    ///
    /// - Parameter steps: Maximum number of parts.
    package static func series(
        direct: [Date],
        influenced: [Date],
        since start: Date,
        until now: Date,
        steps: Int
    ) -> [OpensInTime] {
        let latest = (direct + influenced).max() ?? start
        // The end of the last part is not in it.
        let length = latest.timeIntervalSince(start) + 1
        let step = max(60, length / Double(steps))
        return (0..<steps).map { start.addingTimeInterval(Double($0) * step) }
            .filter { $0 <= now }
            .map { from in
                let period = from..<from.addingTimeInterval(step)
                return OpensInTime(
                    from: from,
                    direct: direct.count(where: period.contains),
                    influenced: influenced.count(where: period.contains)
                )
            }
    }
}
