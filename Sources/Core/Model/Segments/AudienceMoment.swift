import Foundation

/// The moment for which a segment is asked: "today" is the day on each user's calendar then.
package enum AudienceMoment: Sendable, Hashable {
    case now
    case at(Date)
    /// When the clock of each user shows it.
    case onEachClock(LocalMoment)
}
