import PostgresClient
import Synchronization

/// The lock of the one server that works on a PostgreSQL database, and the number of its turn.
///
/// The lock is a connection's and ends with it, however the server ends. The number is written to the
/// database: a server that was cut off and comes back finds another one there, and its pool writes
/// nothing any more (`DatabasePool.fence`).
package final class ClaimLock: Sendable {
    /// The key of the advisory lock.
    static let key: Int64 = 0x6E6F_726F_636C_61

    /// Grows with each server that takes the database.
    package let epoch: Int64
    private let address: String
    private let lane: Mutex<PostgresLane>

    private init(_ lane: PostgresLane, _ address: String, epoch: Int64) {
        self.lane = Mutex(lane)
        self.address = address
        self.epoch = epoch
    }

    /// Waits until no other server has the database, and takes it.
    ///
    /// - Parameters:
    ///   - address: A `postgres://` address or a connection string of libpq.
    ///   - holder: What the others read about this server, asked for when it has the database.
    ///   - standby: The name of a connection that is there as long as the server waits.
    ///   - pause: Waits before the next attempt. What it throws ends the wait.
    ///   - onWaiting: Called before each pause with what the holder says of itself.
    /// - Throws: `PostgresError` if the server cannot be reached.
    package static func take(
        _ address: String,
        holder: @Sendable () -> String,
        standby: String,
        pause: @Sendable () async throws -> Void,
        onWaiting: @Sendable (String?) throws -> Void
    ) async throws -> ClaimLock {
        let lane = PostgresLane(address, "claim")
        let waiting = PostgresLane(address, standby)
        defer { waiting.close() }
        while try await !locked(lane) {
            let other = try await waiting.performUnbound { session in
                // The address may name its connections otherwise, and this one is looked for by its name.
                _ = try session.value(
                    "SELECT set_config('application_name', $1, false)",
                    [.text(waiting.application)]
                )
                return try session.value("SELECT holder FROM server_claim WHERE id = 1")
            }
            try onWaiting(String.fromDatabaseValue(other))
            try await pause()
        }
        let holder = holder()
        let epoch = try await lane.perform(.write) { database in
            try Int64.fetchOne(
                database,
                sql: """
                    UPDATE server_claim SET epoch = epoch + 1, holder = ? WHERE id = 1
                    RETURNING epoch
                    """,
                arguments: [holder]
            )
        }
        guard let epoch else { throw DatabaseError(.mismatch, "server_claim has no row") }
        return ClaimLock(lane, address, epoch: epoch)
    }

    private static func locked(_ lane: PostgresLane) async throws -> Bool {
        try await lane.performUnbound { session in
            // The server finds out within ten seconds that this one is no longer there.
            try session.run(
                script: """
                    SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2;
                    SET tcp_keepalives_count = 3
                    """
            )
            let answer = try session.value("SELECT pg_try_advisory_lock(\(key))")
            return answer == .integer(1)
        }
    }

    /// The number of the present turn.
    private static func epoch(_ lane: PostgresLane) async throws -> Int64? {
        try await lane.performUnbound { session in
            Int64.fromDatabaseValue(
                try session.value("SELECT epoch FROM server_claim WHERE id = 1")
            )
        }
    }

    /// Looks whether the lock is still held, and takes it again after a lost connection if nobody else
    /// has.
    ///
    /// - Returns: `false` if another server has taken the database: for good.
    /// - Throws: `PostgresError` if the server cannot be reached, when nobody can take it either.
    package func isHeld() async throws -> Bool {
        let current = lane.withLock(\.self)
        if await current.isConnected() { return true }
        let next = PostgresLane(address, "claim")
        let isLocked = try await Self.locked(next)
        guard try await Self.epoch(next) == epoch else { return false }
        // The server may not have noticed yet that the connection is gone, which then has the lock: the next
        // look asks for it again.
        if isLocked { lane.withLock { $0 = next } }
        return true
    }

    /// Changes what the others read about this server.
    package func announce(_ holder: String) async throws {
        let epoch = epoch
        try await lane.withLock(\.self).perform(.write) { database in
            try database.execute(
                sql: "UPDATE server_claim SET holder = ? WHERE id = 1 AND epoch = ?",
                arguments: [holder, epoch]
            )
        }
    }

    /// Lets the next server take the database.
    package func release() { lane.withLock(\.self).close() }
}
