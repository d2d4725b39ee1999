import GRDB

/// A connection that sees the database as it was when the snapshot was made, for as long as the snapshot
/// lives.
package final class DatabaseSnapshot: Sendable {
    enum Engine {
        case sqlite(GRDB.DatabaseSnapshot)
        case postgres(PostgresLane)
    }

    private let engine: Engine

    init(_ engine: Engine) { self.engine = engine }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        switch engine {
        case .sqlite(let snapshot): try await snapshot.read { try body(Database(.sqlite($0))) }
        case .postgres(let lane): try await lane.perform(.open, body)
        }
    }

    /// The same on the caller's thread, which waits: for a transaction of another database, which cannot
    /// be left meanwhile.
    package func readWaiting<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        switch engine {
        case .sqlite(let snapshot): try snapshot.read { try body(Database(.sqlite($0))) }
        case .postgres(let lane): try lane.use { try body(Database(.postgres($0))) }
        }
    }
}
