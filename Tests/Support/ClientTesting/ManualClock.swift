import Foundation
import NoroshiOutbox

/// A clock that stands still until it is moved.
package final class ManualClock: Sendable {
    private let current: Locked<Date>

    package init(_ start: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        current = Locked(start)
    }

    package var now: Date { current.withLock { $0 } }

    package func advance(by seconds: TimeInterval) {
        current.withLock { $0 += seconds }
    }
}
