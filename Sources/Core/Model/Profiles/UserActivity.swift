import Foundation
import NoroshiWire

/// What a user did, by name.
package struct UserActivity: Sendable, Hashable {
    /// The app's own events.
    package var events: [UserRecord.Activity] = []
    /// Purchases by product.
    package var purchases: [UserRecord.Activity] = []

    package init() {}
}
