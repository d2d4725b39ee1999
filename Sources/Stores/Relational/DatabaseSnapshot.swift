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
}
