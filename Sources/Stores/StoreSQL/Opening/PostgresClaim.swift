import Foundation
import Model
import Ports
import Reasons
import Relational
import Synchronization

/// What only one process has of a PostgreSQL database, until it or its connection ends; the next one waits for
/// that.
package final class PostgresClaim: Sendable {
    private let lock: ClaimLock
    private let state: Mutex<DatabaseClaim.Holder>

    private init(_ lock: ClaimLock, _ holder: DatabaseClaim.Holder) {
        self.lock = lock
        state = Mutex(holder)
    }

    /// The number of its turn, for `ClaimTurn`.
    package var epoch: Int64 { lock.epoch }

    deinit { release() }

    /// Waits until nobody else has it, and takes it. A database without a schema gets one; an earlier one stays
    /// as it is until somebody opens the database with the claim.
    ///
    /// - Parameters:
    ///   - subject: What is claimed.
    ///   - silence: For how many seconds the one that leads may say nothing, as one that stands still.
    ///   - holder: What the others read about this process, asked for when it has the claim.
    ///   - pause: Waits before the next attempt; what it throws ends the wait.
    ///   - onWaiting: Called before each pause with the process that has it; `nil` if that says nothing of
    ///     itself.
    /// - Throws: `StoreError` with code `unavailable` if the server cannot be reached, `unreadable` if a newer
    ///   version of Noroshi has made the schema.
    package static func take(
        _ subject: ClaimLock.Subject,
        of address: String,
        silence: Int = 15,
        for holder: @autoclosure @escaping @Sendable () -> DatabaseClaim.Holder,
        pause: @escaping @Sendable () async throws -> Void = {
            try await Task.sleep(for: .milliseconds(250))
        },
        onWaiting: @escaping @Sendable (DatabaseClaim.Holder?) throws -> Void
    ) async throws -> PostgresClaim {
        do {
            // What a process waits with is closed: it may wait for months.
            let pool = try DatabasePool(postgres: address, readers: 1)
            try PostgresMigrations.makeIfMissing(in: pool, at: StorePlace(postgres: address))
            try pool.close()
            let taken = Mutex<DatabaseClaim.Holder?>(nil)
            let lock = try await ClaimLock.take(
                subject,
                address,
                silence: silence,
                holder: {
                    let holder = holder()
                    taken.withLock { $0 = holder }
                    return holder.note
                },
                pause: pause,
                onWaiting: { try onWaiting($0.flatMap(DatabaseClaim.Holder.init(note:))) }
            )
            return PostgresClaim(lock, taken.withLock(\.self) ?? holder())
        } catch {
            throw StorePlace(postgres: address).judge(error)
        }
    }

    /// Lets a store write only as long as nobody else has taken the claim.
    package func fence(_ store: SQLStore) { store.pool.fence(lock.epoch) }

    /// Looks whether the claim is still this process's, and takes it again after a lost connection.
    ///
    /// - Returns: `false` if another one has taken it, for good.
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

    /// Lets the next one take it.
    package func release() { lock.release() }
}
