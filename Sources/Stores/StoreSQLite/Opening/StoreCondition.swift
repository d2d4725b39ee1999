import Foundation
import GRDB
import Model
import Ports
import Reasons
import Synchronization

/// The condition of the database according to the last writes.
final class StoreCondition: Sendable {
    private struct State {
        var trouble: StoreTrouble?
        /// Number of successful writes; a caller compares two readings to see whether one happened
        /// between them.
        var writes = 0
    }

    private let file: DatabaseFile
    private let patience: Int
    private let state = Mutex(State())

    init(_ file: DatabaseFile, lockPatience: Duration) {
        self.file = file
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

    /// The error that a caller gets for an SQLite error; the error itself if it does not concern
    /// the condition of the database.
    func judge(_ error: any Error, isWrite: Bool) -> any Error {
        guard let error = error as? DatabaseError,
            let trouble = Self.trouble(of: error, file)
        else { return error }
        if isWrite || trouble.isLasting {
            state.withLock { state in
                if state.trouble?.isLasting != true { state.trouble = trouble }
            }
        }
        return StoreError(.unavailable, trouble.reason)
    }

    static func trouble(of error: DatabaseError, _ file: DatabaseFile) -> StoreTrouble? {
        let path: [String: Reason.Argument] = ["path": .text(file.path)]
        switch error.resultCode {
        case .SQLITE_FULL:
            return StoreTrouble(.diskFull, path)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return StoreTrouble(
                .locked,
                ["path": .text(file.path), "holders": .text(LockOwners.words(file))]
            )
        case .SQLITE_READONLY, .SQLITE_PERM:
            return StoreTrouble(.readOnly, path)
        case .SQLITE_IOERR:
            return StoreTrouble(
                .unreadable,
                ["path": .text(file.path), "code": "\(error.extendedResultCode)"]
            )
        case .SQLITE_CANTOPEN:
            return StoreTrouble(.fileUnusable, path)
        case .SQLITE_NOMEM:
            return StoreTrouble(.noMemory)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            return StoreTrouble(damage(file.path, error), isLasting: true)
        default:
            return nil
        }
    }

    static func damage(_ path: String, _ error: DatabaseError) -> Reason {
        let detail = error.message.map { " (\($0))" } ?? ""
        return Reason(StoreReason.damaged, ["path": .text(path), "detail": .text(detail)])
    }
}
