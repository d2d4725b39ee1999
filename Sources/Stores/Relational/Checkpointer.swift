import GRDB
import GRDBSQLite
import Synchronization

/// Copies SQLite's write-ahead log into the file beside the writer, as soon as the log is long.
///
/// SQLite has the writer do it after a commit, and what is to be written next waits for the disk meanwhile. Here a
/// connection of its own copies what there is, and then what has come since, until little is left. The writer
/// copies that, because the log can begin anew only where all of it is in the file.
///
/// See <https://www.sqlite.org/wal.html>, "Checkpointing".
package final class Checkpointer: Sendable {
    /// What the writer does after a commit.
    enum Turn {
        case goOn
        /// Has the log copied beside it.
        case start
        /// Copies the rest itself.
        case finish
        /// Waits until the log is copied, for it grows faster than that.
        case wait
    }

    private struct State {
        var isRunning = false
        var isNearlyDone = false
        /// How long the log has to be for the next try: a reader may need what would be overwritten.
        var next: Int
        var connection: DatabaseQueue?
        var isClosed = false
    }

    private let path: String
    private let durability: String
    private let pages: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - durability: The value of `synchronous`, as of the writer.
    ///   - pages: How long the log is when it is copied.
    package init(path: String, durability: String, pages: Int = 8_000) {
        self.path = path
        self.durability = durability
        self.pages = pages
        state = Mutex(State(next: pages))
    }

    /// Follows the commits of the only connection that writes, instead of SQLite's own checkpoints.
    ///
    /// The connection has to keep this object.
    package func follow(_ database: GRDB.Database) {
        sqlite3_wal_hook(
            database.sqliteConnection,
            { checkpointer, writer, _, length in
                guard let checkpointer else { return SQLITE_OK }
                Unmanaged<Checkpointer>.fromOpaque(checkpointer).takeUnretainedValue()
                    .committed(writer, Int(length))
                return SQLITE_OK
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Ends what is under way, and follows no more.
    package func close() throws {
        let connection = state.withLock { state in
            state.isClosed = true
            defer { state.connection = nil }
            return state.connection
        }
        try connection?.close()
    }

    private func committed(_ writer: OpaquePointer?, _ length: Int) {
        switch turn(length) {
        case .goOn: return
        case .finish: copy(by: writer)
        case .start:
            guard let connection = connection() else {
                state.withLock { $0.isRunning = false }
                return copy(by: writer)
            }
            connection.asyncWriteWithoutTransaction { self.copy($0) }
        case .wait:
            connection()?.inDatabase { _ in }
        }
    }

    /// - Parameter length: Of the log, in pages.
    func turn(_ length: Int) -> Turn {
        state.withLock { state in
            guard !state.isClosed else { return .goOn }
            guard length >= pages else {
                state.isNearlyDone = false
                state.next = pages
                return .goOn
            }
            if state.isRunning { return length < pages * 4 ? .goOn : .wait }
            if state.isNearlyDone {
                state.isNearlyDone = false
                state.next = length + pages / 8
                return .finish
            }
            guard length >= state.next else { return .goOn }
            state.isRunning = true
            state.next = length + pages / 8
            return .start
        }
    }

    /// As SQLite does it: what fails is tried again later.
    private func copy(by writer: OpaquePointer?) {
        sqlite3_wal_checkpoint_v2(writer, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }

    private func copy(_ database: GRDB.Database) {
        var (length, rest) = (0, Int.max)
        while rest > pages / 16, let copied = try? database.checkpoint(.passive) {
            length = copied.walFrameCount
            let left = length - copied.checkpointedFrameCount
            // Somebody reads what was there before, or it grows as fast.
            guard left < rest else { break }
            rest = left
        }
        state.withLock { state in
            state.isRunning = false
            state.isNearlyDone = rest <= pages / 4
            state.next = max(state.next, length + pages / 8)
        }
    }

    /// The connection that copies, opened when it is needed first; `nil` if it cannot be opened, or no more.
    private func connection() -> DatabaseQueue? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            if let connection = state.connection { return connection }
            var configuration = Configuration()
            configuration.prepareDatabase { [durability] database in
                try database.execute(sql: "PRAGMA synchronous = \(durability)")
                try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            }
            state.connection = try? DatabaseQueue(path: path, configuration: configuration)
            return state.connection
        }
    }
}
