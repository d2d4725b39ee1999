import Foundation
import NoroshiWire

/// A user's activity, by name.
package struct UserActivity: Sendable, Hashable {
    /// The app's own events.
    package var events: [UserRecord.Activity] = []
    /// Purchases by product.
    package var purchases: [UserRecord.Activity] = []

    package init() {}
}
