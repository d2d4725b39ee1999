import Model

/// Tells which of some users match a segment, at a cost that does not depend on all users.
package protocol MembershipSource: Sendable {
    /// The matching ones, exact at the time of the result.
    ///
    /// - Throws: `AudienceError`.
    func members(
        of profiles: [ProfileID],
        matching query: SegmentQuery,
        in workspace: WorkspaceID
    ) async throws -> [ProfileID]
}
