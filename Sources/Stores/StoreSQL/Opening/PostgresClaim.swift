import Foundation
import Model
import Ports
import Reasons
import Relational
import Synchronization

/// Marks a PostgreSQL database as used by one server, until its process or its connection ends; the next
/// server waits for that.
package final class PostgresClaim: Sendable {
    private let lock: ClaimLock
    private let state: Mutex<DatabaseClaim.Holder>

    private init(_ lock: ClaimLock, _ holder: DatabaseClaim.Holder) {
        self.lock = lock
        state = Mutex(holder)
    }

    /// What others read about the server that has the database.
    package var holder: DatabaseClaim.Holder { state.withLock(\.self) }

    deinit { release() }

    /// Waits until no other server has the database, and takes it. A database without a schema gets one; an
    /// earlier one stays as it is until somebody opens the database with the claim.
    ///
    /// - Parameters:
    ///   - holder: What the others read about this server, asked for when it has the database.
    ///   - standby: What is read about it while it waits; `nil` for a command, which does not.
    ///   - pause: Waits before the next attempt; what it throws ends the wait.
    ///   - onWaiting: Called before each pause with the server that has the database; `nil` if that says
    ///     nothing of itself.
    /// - Throws: `StoreError` with code `unavailable` if the server cannot be reached, `unreadable` if a newer
    ///   version of Noroshi has made the schema.
    package static func take(
        _ address: String,
        for holder: @autoclosure @escaping @Sendable () -> DatabaseClaim.Holder,
        standby: StandbyServer? = nil,
        pause: @escaping @Sendable () async throws -> Void = {
            try await Task.sleep(for: .milliseconds(250))
        },
        onWaiting: @escaping @Sendable (DatabaseClaim.Holder?) throws -> Void
    ) async throws -> PostgresClaim {
        do {
            // What a server waits with is closed: it may wait for months.
            let pool = try DatabasePool(postgres: address, readers: 1)
            try PostgresMigrations.makeIfMissing(in: pool, at: StorePlace(postgres: address))
            try pool.close()
            let taken = Mutex<DatabaseClaim.Holder?>(nil)
            let lock = try await ClaimLock.take(
                address,
                holder: {
                    let holder = holder()
                    taken.withLock { $0 = holder }
                    return holder.note
                },
                standby: standby?.connectionName ?? "waiting",
                pause: pause,
                onWaiting: { try onWaiting($0.flatMap(DatabaseClaim.Holder.init(note:))) }
            )
            return PostgresClaim(lock, taken.withLock(\.self) ?? holder())
        } catch {
            throw Self.judge(error, address)
        }
    }

    /// Lets a store write only as long as no other server has taken the database.
    package func fence(_ store: SQLStore) { store.pool.fence(lock.epoch) }

    /// Looks whether the database is still this server's, and takes it again after a lost connection.
    ///
    /// - Returns: `false` if another server has taken it, for good.
    /// - Throws: The error of a server that cannot be reached: then nobody else can take it either.
    package func isHeld() async throws -> Bool { try await lock.isHeld() }

    /// Records the address at which the server can be reached.
    package func announce(address: String) async throws {
        let note = state.withLock { holder in
            holder.address = address
            return holder.note
        }
        try await lock.announce(note)
    }

    /// Lets the next server take the database.
    package func release() { lock.release() }

    private static func judge(_ error: any Error, _ address: String) -> any Error {
        guard let problem = DatabaseError(error) else { return error }
        let name: Reason.Argument = .text(StorePlace(postgres: address).name)
        return StoreError(
            .unavailable,
            .unreachable,
            ["path": name, "reason": .text(problem.message)]
        )
    }
}
