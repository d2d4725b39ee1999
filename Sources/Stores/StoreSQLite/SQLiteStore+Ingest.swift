import Foundation
import GRDB
import Model
import Ports

extension SQLiteStore: IngestStore {
    package func ingest(
        _ requests: [IngestRequest],
        now: Date
    ) async throws -> [[IngestOutcome]] {
        try await write { [identities] database in
            try identities.forgetWhenOthersWrote(database)
            let transaction = try IngestTransaction(database, cache: identities, now: now)
            let outcomes = try requests.map(transaction.apply)
            try transaction.flush()
            let resolved = transaction.resolved
            database.afterNextTransaction { _ in identities.add(resolved) }
            return outcomes
        }
    }
}
