import Foundation
import GRDB
import Model
import Ports
import Reasons
import Relational
import Synchronization

/// The store on an embedded SQLite file or on a database of PostgreSQL, for one server process.
package final class SQLStore: Sendable {
    let pool: Relational.DatabasePool
    /// Only of a store that is thrown away.
    private let lone: LoneConnection?
    let identities: IdentityCache
    /// Only of a store that is thrown away.
    let recipients: KnownRecipients?
    /// Of a file that stays.
    private let checkpointer: Checkpointer?
    let unreadable: UnreadableRows
    let condition: StoreCondition
    let place: StorePlace
    /// How far the columns of this process have read; `nil` until they follow.
    let followedPosition = Mutex<ChangeCursor?>(nil)

    /// Opens the file, creates it if it is missing and migrates its schema.
    ///
    /// - Parameters:
    ///   - isThrownAway: Whether the file is a copy that need not survive anything and that nobody else
    ///     reads, so that no commit waits for the disk and few are made.
    ///   - isClaimed: Whether the caller holds the file's `DatabaseClaim`. A process without the
    ///     claim does not change the schema while a server uses the file.
    ///   - copiesBeforeUpdate: Whether a database of an earlier version is copied before its
    ///     schema is changed.
    ///   - lockPatience: How long to wait for another program's lock.
    ///   - now: Names the copy.
    ///   - onUnreadable: Called once for each row that cannot be read.
    /// - Throws: `StoreError` with code `unavailable` if the file cannot be opened, `unreadable` if
    ///   a newer version of Noroshi has written it, `taken` if its schema is older and a server has
    ///   claimed it.
    package init(
        path: String,
        synchronous: Synchronous = .full,
        isThrownAway: Bool = false,
        isClaimed: Bool = false,
        copiesBeforeUpdate: Bool = true,
        lockPatience: Duration = .seconds(10),
        now: Date = Date(),
        onUnreadable: @escaping @Sendable (UnreadableRow) -> Void = { _ in }
    ) throws {
        unreadable = UnreadableRows(report: onUnreadable)
        let file = try DatabaseFile(preparing: path)
        let place = StorePlace.file(file)
        self.place = place
        let condition = StoreCondition(place, lockPatience: lockPatience)
        self.condition = condition
        let identities = IdentityCache(isLone: isThrownAway)
        self.identities = identities
        let recipients = isThrownAway ? KnownRecipients() : nil
        self.recipients = recipients
        // With `full` a commit survives a loss of power, with `normal` the end of the process.
        let durability = isThrownAway ? "off" : synchronous.rawValue
        let checkpointer =
            isThrownAway ? nil : Checkpointer(path: file.path, durability: durability)
        self.checkpointer = checkpointer
        var configuration = Configuration()
        configuration.maximumReaderCount = 4
        configuration.allowsUnsafeTransactions = isThrownAway
        configuration.busyMode = .callback { tries in
            guard let pause = condition.pause(after: tries) else { return false }
            usleep(UInt32(pause * 1_000))
            return true
        }
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = \(durability)")
            // 64 MiB of pages for the writer; the default of 2 MiB thrashes under ingestion. A
            // reader keeps fewer, so that memory does not grow with the file.
            let cache = database.configuration.readonly ? 16_384 : 65_536
            try database.execute(sql: "PRAGMA cache_size = -\(cache)")
            // The log is copied into the file every 8,000 pages, fewer and larger writes.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 8000")
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            // What is deleted is overwritten, however SQLite was built. What is thrown away goes as a whole.
            try database.execute(sql: "PRAGMA secure_delete = \(isThrownAway ? "OFF" : "ON")")
            guard !database.configuration.readonly else { return }
            recipients?.follow(database)
            checkpointer?.follow(database)
        }
        SQLiteLibrary.prepare()
        do {
            let pool = try GRDB.DatabasePool(path: file.path, configuration: configuration)
            self.pool = DatabasePool(pool)
            lone = recipients.map { recipients in
                LoneConnection(pool) {
                    identities.removeAll()
                    recipients.removeAll()
                }
            }
            let migrator = Migrations.migrator
            if try pool.read({ try migrator.hasBeenSuperseded($0) }) {
                let copy = UpdateCopy(file: file).usable(migrator)
                guard let copy else {
                    throw StoreError(.unreadable, .newer, ["path": .text(path)])
                }
                throw StoreError(
                    .unreadable,
                    .newerWithCopy,
                    ["path": .text(path), "copy": .text(copy)]
                )
            }
            guard try pool.read({ try !migrator.hasCompletedMigrations($0) }) else { return }
            let claim =
                isClaimed
                ? nil
                : try DatabaseClaim.take(path: path, for: .current(.migration, since: Date()))
            defer { claim?.release() }
            let isNew = try pool.read { try migrator.appliedIdentifiers($0).isEmpty }
            if copiesBeforeUpdate, !isNew {
                try UpdateCopy(file: file).write(from: pool, now: now)
            }
            try migrator.migrate(pool)
        } catch {
            guard let problem = DatabaseError(error) else { throw error }
            if let trouble = place.trouble(of: problem) {
                throw StoreError(.unavailable, trouble.reason)
            }
            throw StoreError(
                .unavailable,
                .cannotBeOpened,
                ["path": .text(path), "reason": "\(error)"]
            )
        }
    }

    /// Opens a database of PostgreSQL, and makes the schema if it is empty.
    ///
    /// - Parameters:
    ///   - address: A `postgres://` address or a connection string of libpq.
    ///   - pooler: The address of a pooler of the same database, which may give each transaction another connection.
    ///   - isClaimed: Whether the caller has the database's `PostgresClaim`. A process without it does not change
    ///     the schema while a server works on the database.
    ///   - onUnreadable: Called once for each row that cannot be read.
    /// - Throws: `StoreError` with code `unavailable` if the server cannot be reached, `unreadable` if
    ///   a newer version of Noroshi has made the schema, `taken` if it is older and a server works on it.
    package init(
        postgres address: String,
        pooler: String? = nil,
        isClaimed: Bool = false,
        readers: Int = 4,
        onUnreadable: @escaping @Sendable (UnreadableRow) -> Void = { _ in }
    ) throws {
        unreadable = UnreadableRows(report: onUnreadable)
        let place = StorePlace(postgres: address)
        self.place = place
        condition = StoreCondition(place, lockPatience: .zero)
        identities = IdentityCache()
        recipients = nil
        lone = nil
        checkpointer = nil
        do {
            pool = try DatabasePool(postgres: address, pooler: pooler, readers: readers)
            try PostgresMigrations.apply(to: pool, at: place, isClaimed: isClaimed)
        } catch {
            throw place.judge(error)
        }
    }

    /// Checkpoints the log into the file and closes it; the store must not be used afterwards.
    package func close() async throws {
        try settle()
        try checkpointer?.close()
        try await pool.sqlite?.writeWithoutTransaction { database in
            _ = try database.checkpoint(.truncate)
        }
        try pool.close()
    }

    /// The failures that a commit survives.
    package enum Synchronous: String, Sendable, CaseIterable {
        /// A loss of power.
        case full
        /// The end of the process; a loss of power may lose the last commits.
        case normal
    }

    /// Lets connections besides the writer's see all that was written.
    func settle() throws { try lone?.commit() }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Relational.Database) throws -> Value
    ) async throws -> Value {
        do {
            if let lone { return try lone.read(body) }
            return try await pool.read(body)
        } catch {
            throw condition.judge(error, isWrite: false)
        }
    }

    /// - Parameter mayRefuse: Whether it may throw although the database does what it is asked. It is undone in
    ///   any case; but a store that is thrown away then loses what it wrote before, too.
    func write<Value: Sendable>(
        mayRefuse: Bool = true,
        _ body: @escaping @Sendable (Relational.Database) throws -> Value
    ) async throws -> Value {
        do {
            let value =
                if let lone {
                    try lone.write(mayRefuse: mayRefuse, body)
                } else {
                    try await pool.write(body)
                }
            condition.wrote()
            return value
        } catch {
            throw condition.judge(error, isWrite: true)
        }
    }
}
