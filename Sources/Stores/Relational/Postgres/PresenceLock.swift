import PostgresClient
import Synchronization

/// The connection on which a server, as one of several, says that it works on a PostgreSQL database. As long as
/// it is there, nobody has the database to themselves (`ClaimLock`), nor changes the schema.
package final class PresenceLock: Sendable {
    private let lane: PostgresLane

    private init(_ lane: PostgresLane) { self.lane = lane }

    /// - Returns: `nil` if somebody has the database to themselves at the moment.
    /// - Throws: `PostgresError` if the server cannot be reached.
    package static func take(_ address: String) async throws -> PresenceLock? {
        let lane = PostgresLane(address, "presence")
        do {
            guard try await lane.performUnbound({ try isShared($0) }) else {
                lane.close()
                return nil
            }
            return PresenceLock(lane)
        } catch {
            lane.close()
            throw error
        }
    }

    /// The lock is a connection's, which may have been made anew: asking for it again where it is held counts
    /// on.
    private static func isShared(_ session: PostgresSession) throws -> Bool {
        try session.watchForLostPeer()
        let key = ClaimLock.Subject.database.key
        return try session.value("SELECT pg_try_advisory_lock_shared(\(key))") == .integer(1)
    }

    /// Runs statements that are transactions of their own and wait for nobody who writes.
    ///
    /// - Returns: `nil` if somebody has the database to themselves, which only a server without a connection
    ///   can have missed.
    /// - Throws: `PostgresError` if the server cannot be reached.
    package func perform<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value? {
        try await lane.performUnbound { session in
            guard try Self.isShared(session) else { return nil }
            return try body(Database(.postgres(session)))
        }
    }

    package func release() { lane.close() }
}
