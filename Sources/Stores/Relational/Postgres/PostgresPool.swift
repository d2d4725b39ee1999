import Dispatch
import PostgresClient
import Synchronization

/// Connections to one PostgreSQL database: one that writes, several that read, and one for what cannot wait.
final class PostgresPool: Sendable {
    private struct State {
        var idle: [PostgresLane]
        var waiting: [CheckedContinuation<PostgresLane, Never>] = []
        var isClosed = false
    }

    private let address: String
    private let writer: PostgresLane
    /// Made when it is needed.
    private let ahead: PostgresLane
    /// Of the one that writes and those that read.
    private let reach = PostgresReach()
    private let readers: Mutex<State>

    /// - Parameter pooler: The address of a pooler for all that does not last, which may give each transaction another
    ///   connection.
    init(_ address: String, pooler: String?, readers count: Int) throws {
        self.address = address
        let (place, isPooled) = (pooler ?? address, pooler != nil)
        writer = PostgresLane(place, isPooled: isPooled, isWriter: true, reach: reach, "writer")
        ahead = PostgresLane(address, isWriter: true, "upkeep")
        // Whoever cannot be reached is found now and not with the first request.
        try writer.connect()
        readers = Mutex(
            State(
                idle: (0..<max(1, count)).map { [reach] in
                    PostgresLane(place, isPooled: isPooled, reach: reach, "reader \($0 + 1)")
                }
            )
        )
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let number = reach.failures
        let lane = await reader()
        defer { giveBack(lane) }
        return try await lane.perform(.read, since: number, body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await writer.perform(.write, body)
    }

    /// A transaction that writes and does not wait for those that the writer is about to begin.
    func writeAhead<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await ahead.perform(.write, body)
    }

    /// Statements that are transactions of their own and wait for nobody.
    func performAhead<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await ahead.performUnbound { try body(Database(.postgres($0))) }
    }

    /// Snapshots of one state: the first one's transaction exports it, and the others begin with it. They last, and
    /// would wait for each other behind a pooler of few connections.
    func makeSnapshots(_ count: Int) async throws -> [PostgresLane] {
        let first = PostgresLane(address, "snapshot")
        let name = try await first.performUnbound { session in
            try session.run(script: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            guard case .text(let name) = try session.value("SELECT pg_export_snapshot()") else {
                throw DatabaseError(.mismatch, "the server exports no snapshot")
            }
            return name
        }
        var lanes = [first]
        for _ in 1..<max(1, count) {
            let lane = PostgresLane(address, "snapshot")
            try await lane.performUnbound { session in
                try session.run(script: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                // The name is the server's own.
                try session.run(script: "SET TRANSACTION SNAPSHOT '\(name)'")
            }
            lanes.append(lane)
        }
        return lanes
    }

    /// Runs a statement that no transaction may have.
    func run(outsideTransactions sql: String) async throws {
        try await writer.performUnbound { try $0.run(script: sql) }
    }

    /// Before the pool is used.
    func migrate(_ body: (PostgresMigrator) throws -> Void) throws {
        try writer.use { session in
            try session.begin(.schema)
            do {
                try body(PostgresMigrator(session: session))
                try session.commit()
            } catch {
                session.rollback()
                throw error
            }
        }
    }

    /// From now on transactions write only while the database is in this turn.
    func fence(_ epoch: Int64) {
        writer.fence(epoch)
        ahead.fence(epoch)
    }

    func close() {
        writer.close()
        ahead.close()
        let idle = readers.withLock { state in
            state.isClosed = true
            return state.idle
        }
        for lane in idle { lane.close() }
    }

    private func reader() async -> PostgresLane {
        await withCheckedContinuation { continuation in
            let lane = readers.withLock { state -> PostgresLane? in
                if let lane = state.idle.popLast() { return lane }
                state.waiting.append(continuation)
                return nil
            }
            if let lane { continuation.resume(returning: lane) }
        }
    }

    private func giveBack(_ lane: PostgresLane) {
        let next = readers.withLock { state -> CheckedContinuation<PostgresLane, Never>? in
            if state.isClosed { lane.close() }
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.idle.append(lane)
            return nil
        }
        next?.resume(returning: lane)
    }
}
