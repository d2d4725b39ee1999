import Campaigns
import Foundation
import Liquid
import Model
import Ports
import Synchronization

/// A push service that takes every push that is not too large, and shows it to nobody.
struct RehearsedPushService: PushTransport {
    let payload: PayloadMeter

    func send(_ push: OutgoingPush) async -> PushOutcome {
        guard payload.bytes(push.message) > payload.limit else { return .accepted(providerID: nil) }
        return .rejected(
            PushRejection(
                reason: "PayloadTooLarge",
                consequence: .fixMessage,
                advice: "Shorten the message."
            )
        )
    }
}

/// A server that is not asked: all calls are counted and answered with the same status.
final class RehearsedServer: ContentFetcher {
    private let status: Int
    private let count = Mutex(0)

    /// - Parameter status: 0 stands for a server that did not answer.
    init(status: Int) { self.status = status }

    var calls: Int { count.withLock { $0 } }

    func fetch(
        _ request: ConnectedContentRequest,
        for workspace: WorkspaceID
    ) async throws -> ConnectedContentResponse {
        count.withLock { $0 += 1 }
        return ConnectedContentResponse(status: status, body: [])
    }
}
