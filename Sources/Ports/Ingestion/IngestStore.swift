import Foundation
import Model
import NoroshiWire

/// Where data comes in.
package protocol IngestStore: Sendable {
    /// Stores many requests in one transaction and answers for each item of each request.
    ///
    /// An item whose record id is known is acknowledged and not stored again. An item that cannot
    /// be stored is answered with its reason; the others count.
    func ingest(_ requests: [IngestRequest], now: Date) async throws -> [[IngestOutcome]]
}
