import Campaigns
import Foundation
import Model
import Synchronization

/// Counts how often each message has reached a limit since its last change.
final class InAppStrikes: Sendable {
    private struct Key: Hashable {
        var message: UUID
        var updatedAt: Date
    }

    private static let kept = 1_000
    private let known = Mutex<[Key: RenderStrikes]>([:])

    func strikes(of stored: InAppMessageDefinition) -> RenderStrikes {
        let key = Key(message: stored.id, updatedAt: stored.updatedAt)
        return known.withLock { known in
            if let strikes = known[key] { return strikes }
            if known.count >= Self.kept { known = [:] }
            let strikes = RenderStrikes()
            known[key] = strikes
            return strikes
        }
    }
}
