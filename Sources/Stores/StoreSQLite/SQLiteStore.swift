import Foundation
import GRDB
import Model
import Ports

/// The store on one embedded SQLite file, for one server process.
package final class SQLiteStore: Sendable {
    let pool: DatabasePool
    let identities = IdentityCache()
    let unreadable: UnreadableRows
    let condition: StoreCondition

    /// Opens the file, makes it where it is missing and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - isClaimed: Whether the caller has the file's `DatabaseClaim`. Others work beside the
    ///     server that has it; they do not change the schema under it.
    ///   - lockPatience: How long to wait for another program's lock.
    ///   - onUnreadable: Called for rows that cannot be read, each once.
    /// - Throws: `StoreError` with code `unavailable` when the file cannot be opened, `unreadable`
    ///   when a newer version of Noroshi has written it, `taken` when its schema is older and a
    ///   server has it.
    package init(
        path: String,
        synchronous: Synchronous = .full,
        isClaimed: Bool = false,
        lockPatience: Duration = .seconds(10),
        onUnreadable: @escaping @Sendable (UnreadableRow) -> Void = { _ in }
    ) throws {
        unreadable = UnreadableRows(report: onUnreadable)
        let file = try DatabaseFile(preparing: path)
        let condition = StoreCondition(file, lockPatience: lockPatience)
        self.condition = condition
        var configuration = Configuration()
        configuration.maximumReaderCount = 4
        configuration.busyMode = .callback { tries in
            let pause = min(tries + 1, 20)
            let waited = tries < 20 ? tries * (tries + 1) / 2 : 210 + (tries - 20) * 20
            guard waited < condition.lockPatience() else { return false }
            usleep(UInt32(pause * 1_000))
            return true
        }
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
            pool = try DatabasePool(path: file.path, configuration: configuration)
            let migrator = Migrations.migrator
            if try pool.read({ try migrator.hasBeenSuperseded($0) }) {
                throw StoreError(
                    .unreadable,
                    "the database \(path) was written by a newer version of Noroshi; "
                        + "use that version"
                )
            }
            guard try pool.read({ try !migrator.hasCompletedMigrations($0) }) else { return }
            let claim =
                isClaimed
                ? nil
                : try DatabaseClaim.take(path: path, for: .current(.migration, since: Date()))
            defer { claim?.release() }
            try migrator.migrate(pool)
        } catch let error as DatabaseError {
            if let trouble = StoreCondition.trouble(of: error, file) {
                throw StoreError(.unavailable, trouble.reason)
            }
            throw StoreError(
                .unavailable,
                "the database \(path) cannot be opened: \(error). Check the folder and its rights."
            )
        }
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
        do {
            return try await pool.read(body)
        } catch {
            throw condition.judge(error, isWrite: false)
        }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            let value = try await pool.write(body)
            condition.wrote()
            return value
        } catch {
            throw condition.judge(error, isWrite: true)
        }
    }
}
