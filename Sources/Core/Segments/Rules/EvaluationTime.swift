import Foundation

/// The time at which filters are evaluated: one instant for all users, or a local time of each
/// user.
package struct EvaluationTime: Sendable, Hashable {
    private enum Moment: Sendable, Hashable {
        case at(Int64)
        /// The local time in seconds, as if it were in UTC.
        case shown(Int64)
    }

    private let moment: Moment
    /// The zone of users without one, or with an unknown name.
    private let fallback: TimeZone

    /// - Parameter workspaceZone: The zone of users without one.
    package init(now: Int64, workspaceZone: TimeZone = .gmt) {
        moment = .at(now)
        fallback = workspaceZone
    }

    /// - Parameters:
    ///   - day: Days since 1970.
    ///   - minute: Minutes since midnight.
    package init(day: Int, minute: Int, workspaceZone: TimeZone) {
        moment = .shown(Int64(day) * 86_400 + Int64(minute) * 60)
        fallback = workspaceZone
    }

    /// The calendar of users with a time zone of this IANA name.
    package func calendar(inZone name: String?) -> UserCalendar {
        let zone = name.flatMap { TimeZone(identifier: $0) } ?? fallback
        return switch moment {
        case .at(let now): UserCalendar(zone: zone, now: now)
        case .shown(let shown): UserCalendar(zone: zone, showing: shown)
        }
    }
}
