import Foundation
import Model
import Ports

/// The progress of a send, for display.
package struct DeliveryProgress: Sendable, Hashable {
    package var send: SendID
    package var state: SendState
    package var counts: SendCounts
    /// Whether all dispatches are written; the total grows until then.
    package var isTotalFinal: Bool
    /// Outcomes other than accepted, and the reasons for waiting, the most frequent first.
    package var reasons: [FailureReason]
    /// Suspended lanes, for which pushes of all sends wait.
    package var trippedLanes: [TrippedLane]

    package var total: Int { counts.total }
    package var done: Int { counts.total - counts[.queued] - counts[.sending] }
    /// From 0 to 1.
    package var share: Double { total == 0 ? 0 : Double(done) / Double(total) }
    package var isOver: Bool { state == .finished || state == .cancelled }

    /// Reads the progress from the stored counts, at a cost independent of the number of
    /// dispatches.
    ///
    /// - Returns: `nil` if the send does not exist.
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
            trippedLanes: try await store.trippedLanes()
        )
    }
}
