import Foundation
import Model

/// Who matches a segment, counted and listed.
package protocol AudienceSource: Sendable {
    /// Matching users in ascending order, those after `cursor` only, `limit` at most: fewer when
    /// there are no more.
    ///
    /// - Throws: `AudienceProblem`.
    func profiles(
        in workspace: WorkspaceID,
        matching query: SegmentQuery,
        at moment: AudienceMoment,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID]

    /// Exact at the moment of the answer.
    ///
    /// - Throws: `AudienceProblem`.
    func count(in workspace: WorkspaceID, matching query: SegmentQuery) async throws
        -> AudienceCount
}

extension AudienceSource {
    /// Users who match now.
    ///
    /// - Throws: `AudienceProblem`.
    package func profiles(
        in workspace: WorkspaceID,
        matching query: SegmentQuery,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID] {
        try await profiles(in: workspace, matching: query, at: .now, after: cursor, limit: limit)
    }
}
