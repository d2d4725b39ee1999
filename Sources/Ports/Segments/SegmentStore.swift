import Foundation
import Model

/// Segments and uploaded lists of users. Each change by a member is one transaction with its audit
/// record.
package protocol SegmentStore: Sendable {
    /// - Throws: `StoreError` with code `exists` if the name is taken; `DraftFinishedError` if the draft
    ///   of its origin has already become a segment.
    func createSegment(
        _ content: SegmentContent,
        in workspace: WorkspaceID,
        from origin: EditOrigin,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> StoredSegment
    func segment(_ id: SegmentID) async throws -> StoredSegment?
    /// The control group of a workspace; `nil` if there is none.
    func controlGroup(of workspace: WorkspaceID) async throws -> ControlGroup?
    func segment(apiID: UUID, in workspace: WorkspaceID) async throws -> StoredSegment?
    /// Segments that are not archived, the most recently changed first.
    func segments(in workspace: WorkspaceID) async throws -> [StoredSegment]
    /// - Returns: `false` if the segment does not exist.
    /// - Throws: `StoreError` with code `exists` if the name is taken, with code `changed` if it
    ///   was changed after its origin; `DraftFinishedError` if the draft of its origin was already
    ///   saved.
    func updateSegment(
        _ id: SegmentID,
        to content: SegmentContent,
        from origin: EditOrigin,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Bool
    /// Archives a segment; its name becomes free.
    ///
    /// - Returns: `false` if it did not exist.
    func archiveSegment(_ id: SegmentID, noting audit: AuditRecord?, now: Date) async throws -> Bool

    /// Records the number of users of segments on a day; the last value of a day is kept.
    func saveSegmentSizes(_ sizes: [SegmentID: Int], day: Int) async throws
    /// The recorded sizes from the first to the last of these days, oldest first.
    func segmentSizes(of segment: SegmentID, days: ClosedRange<Int>) async throws -> [SegmentSize]

    /// Creates a list, or replaces the users of the list with this name.
    func saveUserList(
        named name: String,
        profiles: [ProfileID],
        author: String,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> UploadedList
    /// In alphabetical order.
    func userLists(in workspace: WorkspaceID) async throws -> [UploadedList]
    /// The lists a user is in.
    func userLists(of profile: ProfileID) async throws -> [UserListID]
    /// - Returns: `false` if the list did not exist.
    func deleteUserList(_ id: UserListID, in workspace: WorkspaceID, noting audit: AuditRecord?)
        async throws -> Bool
    /// Renames a list.
    ///
    /// - Returns: `false` if the list does not exist.
    /// - Throws: `StoreError` with code `exists` if the name is taken.
    func renameUserList(
        _ id: UserListID,
        to name: String,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws -> Bool
    /// The users of the given external ids; ids without a user are missing.
    func profiles(
        externalIDs: [String],
        in workspace: WorkspaceID
    ) async throws -> [String: ProfileID]

    /// All campaigns, including archived ones, the newest first, for filters that name them.
    func campaignReferences(in workspace: WorkspaceID) async throws -> [CampaignReference]
}

extension SegmentStore {
    package func createSegment(
        _ content: SegmentContent,
        in workspace: WorkspaceID,
        now: Date
    ) async throws -> StoredSegment {
        try await createSegment(content, in: workspace, from: .direct, noting: nil, now: now)
    }

    package func updateSegment(
        _ id: SegmentID,
        to content: SegmentContent,
        now: Date
    ) async throws -> Bool {
        try await updateSegment(id, to: content, from: .direct, noting: nil, now: now)
    }
}
