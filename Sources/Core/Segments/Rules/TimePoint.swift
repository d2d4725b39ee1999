/// A moment in a filter, absolute or relative to the evaluation time.
package enum TimePoint: Sendable, Hashable {
    /// Unix seconds.
    case at(Int64)
    /// Seconds after (or, negative, before) the evaluation time.
    case now(offset: Int64)
    /// Midnight UTC of the evaluation day, moved by whole days.
    case today(offsetInDays: Int64)

    package func seconds(now: Int64) -> Int64 {
        switch self {
        case .at(let seconds): seconds
        case .now(let offset): now &+ offset
        case .today(let days): (CivilDay(containing: now).daysSinceEpoch &+ days) &* 86_400
        }
    }
}
