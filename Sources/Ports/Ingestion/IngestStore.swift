import Foundation
import Model
import NoroshiWire

/// Stores incoming data.
package protocol IngestStore: Sendable {
    /// Stores many requests in one transaction and returns an outcome for each item of each
    /// request.
    ///
    /// An item with a stored record id is acknowledged and not stored again. An item that cannot be
    /// stored gets its reason as the outcome; the others are stored.
    func ingest(_ requests: [IngestRequest], now: Date) async throws -> [[IngestOutcome]]
}
