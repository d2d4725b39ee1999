import Audience
import Campaigns
import Foundation
import Liquid
import Model
import Ports
import Sends

extension DatabaseCopy {
    /// A review of what is in the copy, which asks no server: it has no effect anywhere.
    package func review(
        _ audience: SegmentationService,
        now: @escaping @Sendable () -> Date
    ) -> SendReview {
        SendReview(
            store: store,
            audience: audience,
            renderer: MessageRenderer(),
            fetcher: SilentServer(),
            payload: PayloadSize.meter,
            now: now
        )
    }
}

/// Answers nothing.
private struct SilentServer: ContentFetcher {
    func fetch(
        _ request: ConnectedContentRequest,
        for workspace: WorkspaceID
    ) async throws -> ConnectedContentResponse {
        ConnectedContentResponse(status: 0, body: [])
    }
}
