import Foundation
import Server
import Synchronization

/// A clock that is set by hand.
final class HandClock: Sendable {
    private let date: Mutex<Date>

    init(_ date: Date) { self.date = Mutex(date) }

    var now: Date { date.withLock { $0 } }

    func set(_ date: Date) { self.date.withLock { $0 = date } }

    func advance(_ seconds: TimeInterval) { date.withLock { $0 += seconds } }

    /// The live dependencies, with this clock.
    var dependencies: ServerDependencies {
        var dependencies = ServerDependencies.live
        dependencies.now = { self.now }
        return dependencies
    }
}
