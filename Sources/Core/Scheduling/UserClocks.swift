import Foundation
import Model

/// The clocks of users, found once for each zone: many users share few.
package struct UserClocks {
    package struct Clock: Sendable, Hashable {
        package var zone: TimeZone
        /// The moment of a delivery in local time; `nil` for one at the same moment for everybody.
        package var localTime: Date?
    }

    private let moment: LocalMoment?
    private let fallback: TimeZone
    private let zoneNamed: (String) -> TimeZone?
    private var known: [String: Clock] = [:]

    /// - Parameters:
    ///   - fallback: The zone of users without one, or with a name that is unknown here.
    ///   - zoneNamed: Finds a zone by its IANA name.
    package init(
        moment: LocalMoment?,
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
