import Foundation
import Model
import Ports
import Reasons

/// The file of a database and the files that SQLite keeps beside it: accessible to their owner
/// only, and identified by one path.
struct DatabaseFile: Sendable {
    /// Readable and writable by the owner, regardless of the process's umask.
    private static let mode: mode_t = 0o600

    /// The path without symbolic links, so that two paths to the same file are equal.
    let path: String

    /// Creates the file if it is missing, and removes other users' permissions.
    ///
    /// - Throws: `StoreError` if the folder or the file cannot be used.
    init(preparing path: String) throws {
        // SQLite gives its log and its index the mode of the file, so this comes first. An existing
        // file is not opened, because closing it again would release the locks of this process.
        // Behind a symbolic link there may be no file yet.
        guard
            Self.isMade(path, O_EXCL) || access(path, R_OK | W_OK) == 0 || Self.isMade(path)
        else {
            throw StoreError(
                .unavailable,
                .cannotBeOpened,
                ["path": .text(path), "reason": .text(Self.reason(errno))]
            )
        }
        var facts = stat()
        guard stat(path, &facts) == 0, let resolved = realpath(path, nil) else {
            throw StoreError(
                .unavailable,
                .cannotBeSeen,
                ["path": .text(path), "reason": .text(Self.reason(errno))]
            )
        }
        defer { free(resolved) }
        self.path = String(cString: resolved)
        guard facts.st_nlink <= 1 else {
            throw StoreError(
                .unavailable,
                .hardLinks,
                ["path": .text(path), "count": "\(facts.st_nlink)"]
            )
        }
        tighten()
    }

    /// The paths of the files, whether they exist or not.
    var all: [String] { [path, path + "-wal", path + "-shm"] }

    /// The size of the file with its log.
    var bytes: Int64 {
        all.prefix(2).reduce(0) { sum, name in
            var facts = stat()
            return stat(name, &facts) == 0 ? sum + Int64(facts.st_size) : sum
        }
    }

    /// Removes permissions that an earlier version, or a copy, left for other users.
    private func tighten() {
        for name in all {
            var facts = stat()
            guard stat(name, &facts) == 0, facts.st_mode & 0o077 != 0 else { continue }
            // A user who may write the file but does not own it cannot change this; the database
            // works anyway.
            _ = chmod(name, Self.mode)
        }
    }

    private static func isMade(_ path: String, _ condition: Int32 = 0) -> Bool {
        guard let file = opened(path, O_RDWR | O_CREAT | condition) else { return false }
        close(file)
        return true
    }

    /// The descriptor of an opened file, or of one that is made; `nil` with the reason in `errno`.
    static func opened(_ path: String, _ flags: Int32) -> Int32? {
        let file = open(path, flags | O_CLOEXEC, mode)
        return file < 0 ? nil : file
    }

    static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
