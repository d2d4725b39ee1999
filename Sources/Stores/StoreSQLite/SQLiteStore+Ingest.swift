import Foundation
import GRDB
import Model
import Ports

extension SQLiteStore: IngestStore {
    package func ingest(
        _ requests: [IngestRequest],
        now: Date
    ) async throws -> [[IngestOutcome]] {
        try await write { database in
            let transaction = IngestTransaction(database, now: now)
            let outcomes = try requests.map(transaction.apply)
            try transaction.flush()
            return outcomes
        }
    }
}
