import Foundation
import Synchronization

/// The clock of a demo, which everything in it goes by: the server, the push services and the
/// phones. It can be moved on, so that a week of waits takes a minute.
package final class DemoClock: Sendable {
    private let source: @Sendable () -> Date
    /// Remembers how far the clock was moved; `nil` forgets it with the process.
    private let file: URL?
    private let moved: Mutex<TimeInterval>

    /// - Parameter file: Where a demo that keeps its data keeps its time, too: nothing in it may lie
    ///   in the future after a restart.
    package init(
        source: @escaping @Sendable () -> Date = { Date() },
        file: URL? = nil
    ) {
        self.source = source
        self.file = file
        let known = file.flatMap { try? Data(contentsOf: $0) }.flatMap {
            try? JSONDecoder().decode(TimeInterval.self, from: $0)
        }
        moved = Mutex(max(0, known ?? 0))
    }

    package var now: Date { source().addingTimeInterval(ahead) }

    /// How many seconds the clock was moved.
    package var ahead: TimeInterval { moved.withLock { $0 } }

    /// Moves the clock on. It never goes back.
    ///
    /// - Throws: If the time cannot be kept; the clock is then where it was.
    package func move(by seconds: TimeInterval) throws {
        try moved.withLock { moved in
            let ahead = moved + max(0, seconds)
            if let file { try JSONEncoder().encode(ahead).write(to: file, options: .atomic) }
            moved = ahead
        }
    }
}
