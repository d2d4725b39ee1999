import GRDB

/// A connection, for the statements of one transaction: of SQLite or of PostgreSQL.
///
/// Statements are written in the SQL of SQLite that PostgreSQL understands or that `PostgresDialect`
/// translates.
///
/// On PostgreSQL each answer is a trip to the server. A statement of a transaction that writes is sent when
/// somebody needs an answer, or at the commit, together with all that came before it: an error may be that of
/// an earlier statement, and undoes the transaction in any case.
package final class Database {
    enum Engine {
        case sqlite(GRDB.Database)
        case postgres(PostgresSession)
    }

    let engine: Engine

    init(_ engine: Engine) { self.engine = engine }

    package convenience init(_ sqlite: GRDB.Database) { self.init(.sqlite(sqlite)) }

    package var kind: DatabaseKind {
        switch engine {
        case .sqlite: .sqlite
        case .postgres: .postgres
        }
    }

    /// Runs one statement, which is kept for the next time; without arguments also several, separated by
    /// semicolons. Its text is one of a few: what varies is in the arguments.
    package func execute(sql: String, arguments: StatementArguments = StatementArguments()) throws {
        switch engine {
        case .sqlite(let database) where arguments.isEmpty: try database.execute(sql: sql)
        case .sqlite(let database):
            try SQLiteRows.execute(database.cachedStatement(sql: sql), arguments)
        case .postgres(let session):
            try session.execute(sql, arguments)
        }
    }

    /// A statement that is kept for the next time.
    package func cachedStatement(sql: String) throws -> Statement {
        switch engine {
        case .sqlite(let database):
            Statement(source: .sqlite(try database.cachedStatement(sql: sql)))
        case .postgres(let session):
            Statement(source: .postgres(session.statement(sql), session))
        }
    }

    package func makeStatement(sql: String) throws -> Statement {
        switch engine {
        case .sqlite(let database):
            Statement(source: .sqlite(try database.makeStatement(sql: sql)))
        case .postgres(let session):
            Statement(source: .postgres(session.statement(sql), session))
        }
    }

    /// Number of rows that the last statement has inserted, updated or deleted.
    package var changesCount: Int {
        get throws {
            switch engine {
            case .sqlite(let database): database.changesCount
            case .postgres(let session): try session.changesCount()
            }
        }
    }

    /// The same of all statements of this connection.
    package var totalChangesCount: Int {
        get throws {
            switch engine {
            case .sqlite(let database): database.totalChangesCount
            case .postgres(let session): try session.totalChangesCount()
            }
        }
    }

    /// Waits until all statements have run. On PostgreSQL those whose answers nobody needs wait for the next one
    /// that has an answer, or for the commit; whoever names the reason of an error asks before.
    package func settle() throws {
        if case .postgres(let session) = engine { try session.flush() }
    }

    package var isInsideTransaction: Bool {
        switch engine {
        case .sqlite(let database): database.isInsideTransaction
        case .postgres(let session): session.isInsideTransaction
        }
    }

    /// Calls `body` once the transaction is committed.
    package func afterCommit(_ body: @escaping @Sendable () -> Void) {
        switch engine {
        case .sqlite(let database): database.afterNextTransaction { _ in body() }
        case .postgres(let session): session.afterCommit(body)
        }
    }

    package enum SavepointEnd { case commit, rollback }

    /// Takes back what `body` wrote if it says so or throws; what was written before stays.
    package func inSavepoint(_ body: () throws -> SavepointEnd) throws {
        switch engine {
        case .sqlite(let database):
            try database.inSavepoint { try body() == .commit ? .commit : .rollback }
        case .postgres(let session):
            try session.inSavepoint(body)
        }
    }

    /// Changes when another process may have changed who an external id belongs to; for the writer's
    /// transactions.
    package func identityVersion() throws -> Int64? {
        switch engine {
        // Another connection has written, whatever it was.
        case .sqlite: try Int64.fetchOne(cachedStatement(sql: "PRAGMA data_version"))
        case .postgres(let session): session.timeline << 40 + session.identityChanges
        }
    }

    /// Says that this transaction changes who external ids belong to.
    package func noteIdentityChange() throws {
        guard case .postgres(let session) = engine else { return }
        _ = try session.value("SELECT nextval('identity_changes')")
    }

    /// The history of the database that this connection sees: another one after a failover to a copy, which may
    /// not have the last commits. Always 0 on SQLite.
    package var timeline: Int64 {
        switch engine {
        case .sqlite: 0
        case .postgres(let session): session.timeline
        }
    }

    /// SQLite's own connection, for what only SQLite has; `nil` on PostgreSQL.
    package var sqlite: GRDB.Database? {
        switch engine {
        case .sqlite(let database): database
        case .postgres: nil
        }
    }
}

package enum DatabaseKind: Sendable {
    case sqlite
    case postgres
}
