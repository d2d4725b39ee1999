import Liquid
import Model
import Ports

/// Refuses every call that a template makes.
package struct NoContent: ContentFetcher {
    package init() {}

    package func fetch(
        _ request: ConnectedContentRequest,
        for workspace: WorkspaceID
    ) async throws -> ConnectedContentResponse {
        throw ContentFetchError.refused(.noCallInReview)
    }
}
