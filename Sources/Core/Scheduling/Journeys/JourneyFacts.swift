import Foundation
import Model
import NoroshiWire

/// What decides how a person goes on.
package struct JourneyFacts {
    package var now: Date
    /// Of the person's calendar; `nil` if it was not looked up.
    package var zone: TimeZone?
    package var quietHours: QuietHours?
    /// Whether the person matches now; `nil` if it was not looked up.
    package var isMember: (SegmentQuery) -> Bool?

    package init(
        now: Date,
        zone: TimeZone? = nil,
        quietHours: QuietHours? = nil,
        isMember: @escaping (SegmentQuery) -> Bool? = { _ in nil }
    ) {
        self.now = now
        self.zone = zone
        self.quietHours = quietHours
        self.isMember = isMember
    }
}

/// An event of the person.
package struct JourneyEvent: Sendable, Hashable {
    package var name: String
    package var properties: [String: JSONValue]
    package var time: Date

    package init(name: String, properties: [String: JSONValue], time: Date) {
        self.name = name
        self.properties = properties
        self.time = time
    }
}

/// A fact that has to be looked up before a person can go on.
package enum MissingFactError: Error, Sendable, Hashable {
    case membership(SegmentQuery)
    case zone
}
