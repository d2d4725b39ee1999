import Foundation
import Model
import Ports
import Reasons
import Relational
import Synchronization

/// The condition of the database according to the last writes.
final class StoreCondition: Sendable {
    private struct State {
        var trouble: StoreTrouble?
        /// Number of successful writes; a caller compares two readings to see whether one happened
        /// between them.
        var writes = 0
    }

    private let place: StorePlace
    private let patience: Int
    private let state = Mutex(State())

    init(_ place: StorePlace, lockPatience: Duration) {
        self.place = place
        patience = Int(lockPatience / .milliseconds(1))
    }

    var trouble: StoreTrouble? { state.withLock(\.trouble) }
    var writes: Int { state.withLock(\.writes) }

    func wrote() {
        state.withLock { state in
            state.writes &+= 1
            // A damaged file still accepts writes to its sound pages; only a restart examines it
            // again.
            if state.trouble?.isLasting == false { state.trouble = nil }
        }
    }

    /// How long to wait for another program's lock, in milliseconds. The wait is short after one
    /// has failed, because all writers share one queue.
    func lockPatience() -> Int { trouble == nil ? patience : min(patience, 200) }

    /// How long to wait for a lock before the next attempt, in milliseconds; `nil` if it has taken
    /// too long.
    ///
    /// - Parameter attempts: Number of earlier ones.
    func pause(after attempts: Int) -> Int? {
        let waited = (0..<attempts).reduce(0) { $0 + Self.pause($1) }
        return waited < lockPatience() ? Self.pause(attempts) : nil
    }

    /// A lock that is not free soon is asked for less often.
    private static func pause(_ attempt: Int) -> Int { min(attempt + 1, 20) }

    /// The error that a caller gets for a database's error; the error itself if it does not concern the
    /// condition of the database.
    func judge(_ error: any Error, isWrite: Bool) -> any Error {
        guard let problem = DatabaseError(error), let trouble = place.trouble(of: problem) else {
            return error
        }
        // The database is fine: what a task did for all servers, another server does now.
        if problem.kind == .superseded, ClaimTurn.epoch != nil { return CancellationError() }
        if isWrite || trouble.isLasting {
            state.withLock { state in
                if state.trouble?.isLasting != true { state.trouble = trouble }
            }
        }
        return StoreError(.unavailable, trouble.reason)
    }
}
