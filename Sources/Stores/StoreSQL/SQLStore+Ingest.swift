import Foundation
import Model
import Ports
import Relational

extension SQLStore: IngestStore {
    package func ingest(
        _ requests: [IngestRequest],
        now: Date
    ) async throws -> [[IngestOutcome]] {
        try await write(mayRefuse: false) { [identities] database in
            let transaction = try IngestTransaction(database, cache: identities, now: now)
            try transaction.prepare(requests)
            let outcomes = try requests.map(transaction.apply)
            try transaction.flush()
            identities.add(transaction.resolved, after: database)
            return outcomes
        }
    }
}
