import Foundation
import GRDB
import Ports

/// The store on one embedded SQLite file, for one server process.
package final class SQLiteStore: Sendable {
    let pool: DatabasePool
    let identities = IdentityCache()
    let unreadable: UnreadableRows

    /// Opens the file, makes it where it is missing and brings its schema up to date.
    ///
    /// - Parameter onUnreadable: Called for rows that cannot be read, each once.
    /// - Throws: `StoreError` with code `unavailable` when the file cannot be opened, `unreadable`
    ///   when a newer version of Noroshi has written it.
    package init(
        path: String,
        synchronous: Synchronous = .full,
        onUnreadable: @escaping @Sendable (UnreadableRow) -> Void = { _ in }
    ) throws {
        unreadable = UnreadableRows(report: onUnreadable)
        var configuration = Configuration()
        configuration.maximumReaderCount = 4
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
            // With `full` a commit survives the loss of power, with `normal` that of the process.
            try database.execute(sql: "PRAGMA synchronous = \(synchronous.rawValue)")
            // 64 MiB of pages for the writer; the default of 2 MiB thrashes under ingestion. A
            // reader keeps fewer, so that memory does not grow with the file.
            let cache = database.configuration.readonly ? 16_384 : 65_536
            try database.execute(sql: "PRAGMA cache_size = -\(cache)")
            // The log is folded into the file every 8,000 pages, fewer and larger writes.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 8000")
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        do {
            pool = try DatabasePool(path: path, configuration: configuration)
        } catch {
            throw StoreError(
                .unavailable,
                "the database \(path) cannot be opened: \(error). Check the folder and its rights."
            )
        }
        let migrator = Migrations.migrator
        if try pool.read({ try migrator.hasBeenSuperseded($0) }) {
            throw StoreError(
                .unreadable,
                "the database \(path) was written by a newer version of Noroshi; use that version"
            )
        }
        try migrator.migrate(pool)
    }

    /// Folds the log into the file and closes it; nothing may use the store any more.
    package func close() async throws {
        try await pool.writeWithoutTransaction { database in
            _ = try database.checkpoint(.truncate)
        }
        try pool.close()
    }

    /// What a commit survives.
    package enum Synchronous: String, Sendable, CaseIterable {
        /// The loss of power.
        case full
        /// The end of the process; the last commits may be lost with the power.
        case normal
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await pool.read(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await pool.write(body)
    }
}
