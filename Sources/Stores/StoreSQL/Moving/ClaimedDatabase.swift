import Foundation
import Model
import Ports
import Reasons
import Relational

/// A database that one command has to itself: no server works on it meanwhile.
package struct ClaimedDatabase: Sendable {
    private enum Claim {
        case file(DatabaseClaim)
        case postgres(PostgresClaim)
    }

    package let store: SQLStore
    private let claim: Claim

    /// Opens a database, and makes it where there is none; on PostgreSQL its schema only.
    ///
    /// - Throws: `StoreError` with code `taken`, which names who has it.
    package init(_ location: DatabaseLocation, now: Date) async throws {
        let holder = DatabaseClaim.Holder.current(.command, since: now)
        switch location {
        case .file(let path):
            let claim = try DatabaseClaim.take(path: path, for: holder)
            self.claim = .file(claim)
            store = try SQLStore(path: path, isClaimed: true)
        case .postgres(let address):
            let claim = try await PostgresClaim.take(.database, of: address, for: holder) { other in
                throw StoreError(
                    .taken,
                    .inUseElsewhere,
                    [
                        "path": .text(location.name),
                        "holder": .text(other?.sentence ?? "another server has it"),
                    ]
                )
            }
            store = try SQLStore(postgres: address, isClaimed: true, readers: 1)
            claim.fence(store)
            self.claim = .postgres(claim)
        }
    }

    /// Closes the database and lets others have it.
    package func close() async throws {
        defer {
            switch claim {
            case .file(let claim): claim.release()
            case .postgres(let claim): claim.release()
            }
        }
        try await store.close()
    }
}
