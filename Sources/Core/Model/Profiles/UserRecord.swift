import Foundation
import NoroshiWire

/// All data of a user.
package struct UserRecord: Sendable, Hashable {
    /// How often an activity occurred, and its first and last time.
    package struct Activity: Sendable, Hashable {
        package var name: String
        package var first: Date
        package var last: Date
        package var count: Int

        package init(name: String, first: Date, last: Date, count: Int) {
            self.name = name
            self.first = first
            self.last = last
            self.count = count
        }
    }

    package var aliases: [UserAlias]
    package var devices: [Device]
    /// The app's own events by name.
    package var events: [Activity]
    /// Purchases by product.
    package var purchases: [Activity]

    package init(
        aliases: [UserAlias],
        devices: [Device],
        events: [Activity],
        purchases: [Activity]
    ) {
        self.aliases = aliases
        self.devices = devices
        self.events = events
        self.purchases = purchases
    }
}
