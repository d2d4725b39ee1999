import Foundation
import Model
import Ports
import Reasons
import Relational

/// Marks a PostgreSQL database as used by one server, until its process or its connection ends; the next
/// server waits for that.
package final class PostgresClaim: Sendable {
    private let lock: ClaimLock
    private let holder: DatabaseClaim.Holder

    private init(_ lock: ClaimLock, _ holder: DatabaseClaim.Holder) {
        self.lock = lock
        self.holder = holder
    }

    deinit { release() }

    /// Waits until no other server has the database, and takes it. A database without a schema gets one; an
    /// earlier one stays as it is until somebody opens the database with the claim.
    ///
    /// - Parameters:
    ///   - pause: Waits before the next attempt; what it throws ends the wait.
    ///   - onWaiting: Called before each pause with the server that has the database; `nil` if that says
    ///     nothing of itself.
    /// - Throws: `StoreError` with code `unavailable` if the server cannot be reached, `unreadable` if a newer
    ///   version of Noroshi has made the schema.
    package static func take(
        _ address: String,
        for holder: DatabaseClaim.Holder,
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
            let lock = try await ClaimLock.take(address, holder: holder.note, pause: pause) {
                note in
                try onWaiting(note.flatMap(DatabaseClaim.Holder.init(note:)))
            }
            return PostgresClaim(lock, holder)
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
        var holder = holder
        holder.address = address
        try await lock.announce(holder.note)
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
