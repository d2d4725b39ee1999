import Foundation
import GRDB
import Model
import Ports
import Synchronization

/// What the last writes said about the database.
final class StoreCondition: Sendable {
    private struct State {
        var trouble: StoreTrouble?
        /// Writes that went well, so that one who asks knows whether there was one meanwhile.
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
            // A damaged file takes writes to its sound pages; only a restart looks at it anew.
            if state.trouble?.isLasting == false { state.trouble = nil }
        }
    }

    /// How long one waits for another program's lock, in milliseconds: not long again once it was
    /// in vain, because all who write stand in one line.
    func lockPatience() -> Int { trouble == nil ? patience : min(patience, 200) }

    /// What a caller is told of an error of SQLite; the error itself where it is none of the state
    /// the database is in.
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
        switch error.resultCode {
        case .SQLITE_FULL:
            return StoreTrouble("the disk is full; make room where \(file.path) is")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return StoreTrouble(
                "the database \(file.path) is locked\(LockOwners.words(file)); end what holds it"
            )
        case .SQLITE_READONLY, .SQLITE_PERM:
            return StoreTrouble(
                "the database \(file.path) may not be written; give this program's user the "
                    + "right to write the file and its folder"
            )
        case .SQLITE_IOERR:
            return StoreTrouble(
                "the database \(file.path) cannot be read or written "
                    + "(\(error.extendedResultCode)); the disk may be full, at a limit or broken"
            )
        case .SQLITE_CANTOPEN:
            return StoreTrouble(
                "a file of the database \(file.path) cannot be opened; see the folder, its rights "
                    + "and the limit of open files"
            )
        case .SQLITE_NOMEM:
            return StoreTrouble("there is no memory left for the database")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            return StoreTrouble(damage(file.path, error), isLasting: true)
        default:
            return nil
        }
    }

    static func damage(_ path: String, _ error: DatabaseError) -> String {
        let detail = error.message.map { " (\($0))" } ?? ""
        return "the database \(path) is damaged\(detail). Stop the server, copy the file with its "
            + "-wal and -shm to a safe place, then restore a backup, or save what can be read with: "
            + "sqlite3 \(path) .recover | sqlite3 recovered.sqlite"
    }
}
