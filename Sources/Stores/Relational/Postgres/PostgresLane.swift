import Dispatch
import PostgresClient
import Synchronization

/// One connection with a queue of its own, on which everything waits for the server.
final class PostgresLane: Sendable {
    private struct State {
        var session: PostgresSession?
        var isClosed = false
    }

    /// What the connection is called where the address does not name it.
    let application: String
    private let address: String
    /// Whether the address is a pooler's, which gives each transaction another connection.
    private let isPooled: Bool
    private let isWriter: Bool
    private let reach: PostgresReach
    private let queue: DispatchQueue
    private let state = Mutex(State())
    private let epoch = Mutex<Int64?>(nil)

    /// - Parameter reach: What the lanes to one server share.
    init(
        _ address: String,
        isPooled: Bool = false,
        isWriter: Bool = false,
        reach: PostgresReach = PostgresReach(),
        _ name: String
    ) {
        self.address = address
        self.reach = reach
        self.isPooled = isPooled
        self.isWriter = isWriter
        application = "noroshi \(name)"
        queue = DispatchQueue(label: "noroshi.postgres.\(name)")
    }

    /// - Throws: `PostgresError` if the server cannot be reached.
    func connect() throws {
        try state.withLock { state in state.session = try session() }
    }

    /// Asks the server; the connection is not made anew.
    func isConnected() async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                let isConnected = state.withLock { state in
                    guard let current = state.session, current.isAlive else { return false }
                    return (try? current.run(script: "SELECT 1")) != nil
                }
                continuation.resume(returning: isConnected)
            }
        }
    }

    /// The number of the turn that the writer's transactions belong to; `nil` for no turn at all.
    func fence(_ epoch: Int64?) { self.epoch.withLock { $0 = epoch } }

    /// For good: a connection made anew would use a database that its owner has left.
    func close() { state.withLock { $0 = State(isClosed: true) } }

    private func session() throws -> PostgresSession {
        var options = PostgresOptions()
        options.preparesStatements = !isPooled
        let connection = try PostgresConnection(
            address,
            application: application,
            options: options
        )
        // Tables that grow from nothing have no statistics at first, and small queries would be compiled.
        var settings = ["jit = off"]
        if isWriter {
            // All writers wait for the one that writes: a process that stands still in the middle of it must not
            // keep them.
            settings.append("idle_in_transaction_session_timeout = '10s'")
        }
        return try PostgresSession(connection, settings: settings, isPooled: isPooled)
    }

    /// Runs a transaction. A connection that was lost is made anew for the next one.
    ///
    /// - Parameter number: The number of failures to reach the server when the caller began to wait; that of now
    ///   without it.
    func perform<Value: Sendable>(
        _ kind: PostgresTransaction,
        since number: Int? = nil,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let epoch = ClaimTurn.epoch ?? epoch.withLock(\.self)
        return try await performUnbound(since: number) { session in
            guard kind != .open else { return try body(Database(.postgres(session))) }
            try session.begin(kind, epoch: epoch)
            do {
                let value = try body(Database(.postgres(session)))
                try session.commit()
                return value
            } catch {
                session.rollback()
                throw error
            }
        }
    }

    /// Uses the connection without a transaction of its own.
    func performUnbound<Value: Sendable>(
        since number: Int? = nil,
        _ body: @escaping @Sendable (PostgresSession) throws -> Value
    ) async throws -> Value {
        let number = number ?? reach.failures
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(with: Result { try use(since: number, body) })
            }
        }
    }

    /// Waits on the caller's thread.
    func use<Value: Sendable>(
        since number: Int? = nil,
        _ body: (PostgresSession) throws -> Value
    ) throws -> Value {
        try state.withLock { state in
            guard !state.isClosed else { throw DatabaseError(.other, "the database is closed") }
            if state.session?.isAlive != true {
                if let number, let error = reach.failure(since: number) { throw error }
                do {
                    state.session = try session()
                } catch {
                    reach.failed(error)
                    throw error
                }
            }
            guard let current = state.session else {
                throw DatabaseError(.lost, "there is no connection")
            }
            defer { if !current.isAlive { state.session = nil } }
            return try body(current)
        }
    }
}
