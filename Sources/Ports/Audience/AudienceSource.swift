import Foundation
import Model

/// Counts and lists the users who match a segment.
package protocol AudienceSource: Sendable {
    /// Matching users after `cursor` in ascending order, `limit` at most; fewer only if there are
    /// no more.
    ///
    /// - Throws: `AudienceError`.
    func profiles(
        in workspace: WorkspaceID,
        matching query: SegmentQuery,
        at moment: AudienceMoment,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID]

    /// Number of matching users, exact at the time of the result.
    ///
    /// - Throws: `AudienceError`.
    func count(in workspace: WorkspaceID, matching query: SegmentQuery) async throws
        -> AudienceCount
}

extension AudienceSource {
    /// Users who match now.
    ///
    /// - Throws: `AudienceError`.
    package func profiles(
        in workspace: WorkspaceID,
        matching query: SegmentQuery,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID] {
        try await profiles(in: workspace, matching: query, at: .now, after: cursor, limit: limit)
    }
}
