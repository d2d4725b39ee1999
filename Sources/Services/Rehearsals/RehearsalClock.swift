import Foundation
import Synchronization

/// The clock of a rehearsal, which stands still until it is set.
final class RehearsalClock: Sendable {
    private let time: Mutex<Date>

    init(at start: Date) { time = Mutex(start) }

    var now: Date { time.withLock { $0 } }

    func set(_ date: Date) { time.withLock { $0 = max($0, date) } }
}
