import Foundation

/// The time at which a segment is evaluated: "today" is the day on each user's calendar then.
package enum AudienceMoment: Sendable, Hashable {
    case now
    case at(Date)
    /// When the local time of each user reaches it.
    case onEachClock(LocalDateTime)
}
