import PostgresClient
import Synchronization

/// What only one process at a time has of a PostgreSQL database, and the number of its turn.
///
/// The lock is a connection's and ends with it, however the process ends. The number is written to the
/// database: a process that was cut off and comes back finds another one there, and what it writes as the
/// one that has the claim is refused (`ClaimTurn`, `DatabasePool.fence`).
package final class ClaimLock: Sendable {
    package enum Subject: Sendable {
        /// What one of several servers does for all of them.
        case leadership
        /// Everything: no server works on it meanwhile.
        case database

        /// The key of the advisory lock.
        var key: Int64 {
            switch self {
            case .leadership: 0x6E6F_726F_636C_61
            case .database: 0x6E6F_726F_6461_74
            }
        }
    }

    /// Grows with each one that takes a claim.
    package let epoch: Int64
    private let subject: Subject
    private let address: String
    private let lane: Mutex<PostgresLane>

    private init(_ lane: PostgresLane, _ subject: Subject, _ address: String, epoch: Int64) {
        self.lane = Mutex(lane)
        self.subject = subject
        self.address = address
        self.epoch = epoch
    }

    /// Waits until nobody else has it, and takes it.
    ///
    /// - Parameters:
    ///   - subject: What is claimed.
    ///   - address: A `postgres://` address or a connection string of libpq.
    ///   - silence: For how many seconds the one that leads may say nothing; then its connection is ended. It asks
    ///     for the claim every two seconds (`isHeld`), and the connection of a process that stands still is alive.
    ///   - holder: What the others read about this process, asked for when it has the claim.
    ///   - pause: Waits before the next attempt. What it throws ends the wait.
    ///   - onWaiting: Called before each pause with what the holder says of itself.
    /// - Throws: `PostgresError` if the server cannot be reached.
    package static func take(
        _ subject: Subject,
        _ address: String,
        silence: Int = 15,
        holder: @Sendable () -> String,
        pause: @Sendable () async throws -> Void,
        onWaiting: @Sendable (String?) throws -> Void
    ) async throws -> ClaimLock {
        let lane = PostgresLane(address, "claim")
        do {
            while try await !locked(lane, subject) {
                if case .leadership = subject { try await endSilentLeader(lane, silence) }
                let other = try await lane.performUnbound { session in
                    try session.value("SELECT holder FROM server_claim WHERE id = 1")
                }
                try onWaiting(String.fromDatabaseValue(other))
                try await pause()
            }
        } catch {
            lane.close()
            throw error
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
        return ClaimLock(lane, subject, address, epoch: epoch)
    }

    private static func endSilentLeader(_ lane: PostgresLane, _ silence: Int) async throws {
        let key = Subject.leadership.key
        try await lane.performUnbound { session in
            try session.run(
                script: """
                    SELECT pg_terminate_backend(activity.pid)
                    FROM pg_locks JOIN pg_stat_activity AS activity ON activity.pid = pg_locks.pid
                    WHERE locktype = 'advisory' AND granted AND objsubid = 1
                        AND classid = \(key >> 32) AND objid = \(key & 0xFFFF_FFFF)
                        AND activity.datname = current_database()
                        AND state_change < clock_timestamp() - interval '\(silence) s'
                    """
            )
        }
    }

    private static func locked(_ lane: PostgresLane, _ subject: Subject) async throws -> Bool {
        try await lane.performUnbound { session in
            try session.watchForLostPeer()
            let answer = try session.value("SELECT pg_try_advisory_lock(\(subject.key))")
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
    /// - Returns: `false` if another one has taken it: for good.
    /// - Throws: `PostgresError` if the server cannot be reached, when nobody can take it either.
    package func isHeld() async throws -> Bool {
        let current = lane.withLock(\.self)
        if await current.isConnected() { return true }
        let next = PostgresLane(address, "claim")
        let isLocked = try await Self.locked(next, subject)
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

    /// Lets the next one take it.
    package func release() { lane.withLock(\.self).close() }
}

extension PostgresSession {
    /// The database finds out within ten seconds that this process is no longer there.
    func watchForLostPeer() throws {
        try run(
            script: """
                SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2;
                SET tcp_keepalives_count = 3
                """
        )
    }
}

/// The turn as which a task writes.
package enum ClaimTurn {
    /// The number of the claim's turn: transactions of the task and of what it starts write only as long as the
    /// database is in this turn. `nil` for what every server may write.
    @TaskLocal package static var epoch: Int64?
}
