import Foundation
import Model
import Ports

/// Where a send stands, for people who watch it.
package struct DeliveryProgress: Sendable, Hashable {
    package var send: SendID
    package var state: SendState
    package var counts: SendCounts
    /// Whether all recipients are in the ledger; the total grows until then.
    package var isTotalFinal: Bool
    /// Outcomes other than accepted, and what rows wait for, the most frequent first.
    package var reasons: [FailureReason]
    /// Lanes that are not used for now; pushes of all sends wait for them.
    package var closedLanes: [ClosedLane]

    package var total: Int { counts.total }
    package var done: Int { counts.total - counts[.queued] - counts[.sending] }
    /// From 0 to 1.
    package var share: Double { total == 0 ? 0 : Double(done) / Double(total) }
    package var isOver: Bool { state == .finished || state == .cancelled }

    /// Reads it from the kept counts, which cost the same for a million rows and for ten.
    ///
    /// - Returns: `nil` when there is no such send.
    package static func read(
        _ id: SendID,
        from store: any SendStore & DispatchStore
    ) async throws -> DeliveryProgress? {
        guard let send = try await store.send(id) else { return nil }
        return DeliveryProgress(
            send: id,
            state: send.state,
            counts: try await store.counts(of: [id])[id] ?? SendCounts(),
            isTotalFinal: send.state != .scheduled && send.state != .planning,
            reasons: try await store.failureReasons(of: id),
            closedLanes: try await store.closedLanes()
        )
    }
}
