import GRDB

/// The connections of one store: one that writes, several that read.
package final class DatabasePool: Sendable {
    enum Engine {
        case sqlite(GRDB.DatabasePool)
        case postgres(PostgresPool)
    }

    let engine: Engine

    package init(_ pool: GRDB.DatabasePool) { engine = .sqlite(pool) }

    /// - Parameters:
    ///   - address: A `postgres://` address or a connection string of libpq.
    ///   - readers: Number of connections that read.
    ///   - pooler: The address of a pooler of the same database, which may give each transaction another connection.
    /// - Throws: `PostgresError` if the server cannot be reached.
    package init(postgres address: String, pooler: String? = nil, readers: Int) throws {
        engine = .postgres(try PostgresPool(address, pooler: pooler, readers: readers))
    }

    package var kind: DatabaseKind {
        switch engine {
        case .sqlite: .sqlite
        case .postgres: .postgres
        }
    }

    /// SQLite's own connections, for what only SQLite has; `nil` on PostgreSQL.
    package var sqlite: GRDB.DatabasePool? {
        switch engine {
        case .sqlite(let pool): pool
        case .postgres: nil
        }
    }

    /// Reads one state of the database.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        switch engine {
        case .sqlite(let pool): try await pool.read { try body(Database(.sqlite($0))) }
        case .postgres(let pool): try await pool.read(body)
        }
    }

    /// One transaction, which no other one that writes overlaps.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        switch engine {
        case .sqlite(let pool): try await pool.write { try body(Database(.sqlite($0))) }
        case .postgres(let pool): try await pool.write(body)
        }
    }

    /// The same, but on PostgreSQL it does not wait for what this process is about to write.
    package func writeAhead<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        guard case .postgres(let pool) = engine else { return try await write(body) }
        return try await pool.writeAhead(body)
    }

    /// On PostgreSQL, statements that are transactions of their own and wait for nobody: they may write only what
    /// no transaction relies on until its commit. On SQLite, one transaction.
    package func performAhead<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        guard case .postgres(let pool) = engine else { return try await write(body) }
        return try await pool.performAhead(body)
    }

    /// Attempts to open several snapshots of the same state of SQLite while others write.
    private static let snapshotAttempts = 20

    /// Snapshots of one and the same state, each with a connection of its own, so that several read at
    /// once.
    ///
    /// - Parameter state: What every write changes, by which two states are told apart.
    /// - Returns: At least one; fewer than asked for where others never stop writing.
    package func makeSnapshots<State: Hashable & Sendable>(
        _ count: Int,
        of state: @escaping @Sendable (Database) throws -> State
    ) async throws -> [DatabaseSnapshot] {
        switch engine {
        case .postgres(let pool):
            return try await pool.makeSnapshots(count).map { DatabaseSnapshot(.postgres($0)) }
        case .sqlite(let pool):
            for _ in 0..<(count > 1 ? Self.snapshotAttempts : 0) {
                let snapshots = try (0..<count).map { _ in
                    DatabaseSnapshot(.sqlite(try pool.makeSnapshot()))
                }
                var states: Set<State> = []
                for snapshot in snapshots { states.insert(try await snapshot.read(state)) }
                if states.count == 1 { return snapshots }
            }
            return [DatabaseSnapshot(.sqlite(try pool.makeSnapshot()))]
        }
    }

    /// From now on nothing is written once another server has taken the database: `ClaimLock`.
    package func fence(_ epoch: Int64) {
        if case .postgres(let pool) = engine { pool.fence(epoch) }
    }

    /// Lets PostgreSQL count what is in tables that have been filled, by which it plans queries from then on.
    package func gatherStatistics(of tables: [String]) async throws {
        guard case .postgres(let pool) = engine, !tables.isEmpty else { return }
        let names = tables.map { "\"\($0)\"" }.joined(separator: ", ")
        try await pool.run(outsideTransactions: "VACUUM (ANALYZE) \(names)")
    }

    package func close() throws {
        switch engine {
        case .sqlite(let pool): try pool.close()
        case .postgres(let pool): pool.close()
        }
    }
}
