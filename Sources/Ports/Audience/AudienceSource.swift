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

/// How many users match, and whom of them a push can reach.
package struct AudienceCount: Sendable, Hashable {
    package var users: Int
    /// Users with a device that shows pushes and who have not unsubscribed.
    package var reachable: Int
    /// Devices that a push can reach, by platform.
    package var devices: [String: Int]

    package init(users: Int = 0, reachable: Int = 0, devices: [String: Int] = [:]) {
        self.users = users
        self.reachable = reachable
        self.devices = devices
    }

    /// All devices that a push can reach.
    package var deviceCount: Int { devices.values.reduce(0, +) }
}
