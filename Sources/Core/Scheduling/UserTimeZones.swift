import Foundation
import Model

/// The local times of users, computed once per time zone: many users share a few zones.
package struct UserTimeZones {
    package struct Clock: Sendable, Hashable {
        package var zone: TimeZone
        /// The time of a delivery in local time; `nil` if the moment is the same for all users.
        package var localTime: Date?
    }

    private let moment: LocalDateTime?
    private let fallback: TimeZone
    private let zoneNamed: (String) -> TimeZone?
    private var known: [String: Clock] = [:]

    /// - Parameters:
    ///   - fallback: The zone of users without one, or with an unknown name.
    ///   - zoneNamed: Finds a time zone by its IANA name.
    package init(
        moment: LocalDateTime?,
        fallback: TimeZone,
        zoneNamed: @escaping (String) -> TimeZone?
    ) {
        self.moment = moment
        self.fallback = fallback
        self.zoneNamed = zoneNamed
    }

    package mutating func clock(inZone name: String?) -> Clock {
        if let clock = known[name ?? ""] { return clock }
        let zone = name.flatMap(zoneNamed) ?? fallback
        let clock = Clock(
            zone: zone,
            localTime: moment.map { WallClock.instant($0.day, $0.time, in: zone) }
        )
        known[name ?? ""] = clock
        return clock
    }
}
