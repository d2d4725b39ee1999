import Liquid
import Model
import Ports

/// Rejects every call of a template.
struct NoContent: ContentFetcher {
    func fetch(
        _ request: ConnectedContentRequest,
        for workspace: WorkspaceID
    ) async throws -> ConnectedContentResponse {
        throw ContentFetchError.refused(.noCallInReview)
    }
}
