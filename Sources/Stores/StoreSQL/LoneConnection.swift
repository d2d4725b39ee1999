import GRDB
import Relational
import Synchronization

/// The one connection of a store that is thrown away: nobody else reads its file, so that everything is
/// done on it at once, and a transaction stays open over many writes.
///
/// A commit writes every page that was changed, and each reader of its own would read them again: a
/// rehearsal changes the same pages thousands of times.
final class LoneConnection: Sendable {
    /// Number of writes in one transaction; the pages they change stay in memory until then.
    private static let limit = 1_000

    private let pool: GRDB.DatabasePool
    private let undone: @Sendable () -> Void
    private let state = Mutex(State())

    private struct State {
        var writes = 0
        /// Why what was written before is lost: then nothing is answered any more, for it would be wrong.
        var loss: (any Error)?
    }

    /// - Parameters:
    ///   - pool: Its configuration allows transactions that stay open.
    ///   - undone: Called when a write has failed, and with what was cached of it.
    init(_ pool: GRDB.DatabasePool, undone: @escaping @Sendable () -> Void) {
        self.pool = pool
        self.undone = undone
    }

    func read<Value>(_ body: (Relational.Database) throws -> Value) throws -> Value {
        try pool.writeWithoutTransaction { database in
            try check()
            return try body(Relational.Database(database))
        }
    }

    /// What fails is undone. What was written before stays where it may refuse; else it is not worth the price,
    /// for a savepoint copies every page that is changed, and the store ends with the failure.
    func write<Value>(
        mayRefuse: Bool,
        _ body: (Relational.Database) throws -> Value
    ) throws -> Value {
        try pool.writeWithoutTransaction { database in
            try check()
            if !database.isInsideTransaction { try database.beginTransaction(.immediate) }
            let value: Value
            do {
                value =
                    try mayRefuse ? undoably(database, body) : body(Relational.Database(database))
            } catch {
                undone()
                if !mayRefuse, database.isInsideTransaction { try database.rollback() }
                // After some failures SQLite has ended the transaction itself.
                if !database.isInsideTransaction { state.withLock { $0.loss = error } }
                throw error
            }
            let count = state.withLock { state in
                state.writes += 1
                return state.writes
            }
            if count >= Self.limit { try commit(database) }
            return value
        }
    }

    private func undoably<Value>(
        _ database: GRDB.Database,
        _ body: (Relational.Database) throws -> Value
    ) throws -> Value {
        try database.cachedStatement(sql: "SAVEPOINT lone").execute()
        do {
            let value = try body(Relational.Database(database))
            try database.cachedStatement(sql: "RELEASE SAVEPOINT lone").execute()
            return value
        } catch {
            if database.isInsideTransaction {
                try database.execute(sql: "ROLLBACK TO SAVEPOINT lone")
                try database.execute(sql: "RELEASE SAVEPOINT lone")
            }
            throw error
        }
    }

    private func check() throws {
        if let loss = state.withLock({ $0.loss }) { throw loss }
    }

    /// Lets other connections see what was written.
    func commit() throws { try pool.writeWithoutTransaction(commit) }

    private func commit(_ database: GRDB.Database) throws {
        state.withLock { $0.writes = 0 }
        guard database.isInsideTransaction else { return }
        do {
            try database.commit()
        } catch {
            state.withLock { $0.loss = error }
            throw error
        }
    }
}
