import Foundation
import Model

/// Saved audiences and uploaded lists of users. Each change that a person makes is one transaction
/// with its audit record.
package protocol SegmentStore: Sendable {
    /// - Throws: `StoreError` with code `exists` when the name is taken; `DraftFinished` when the
    ///   draft of its origin has become a segment before.
    func createSegment(
        _ content: SegmentContent,
        in workspace: WorkspaceID,
        from origin: EditOrigin,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> StoredSegment
    func segment(_ id: SegmentID) async throws -> StoredSegment?
    func segment(apiID: UUID, in workspace: WorkspaceID) async throws -> StoredSegment?
    /// Those that are not archived, the most recently changed first.
    func segments(in workspace: WorkspaceID) async throws -> [StoredSegment]
    /// Whether there was such a segment.
    ///
    /// - Throws: `StoreError` with code `exists` when the name is taken, with code `changed` when
    ///   it was changed after its origin; `DraftFinished` when the draft of its origin was saved
    ///   before.
    func updateSegment(
        _ id: SegmentID,
        to content: SegmentContent,
        from origin: EditOrigin,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Bool
    /// Takes a segment out of the lists; its name is free again. Whether there was one.
    func archiveSegment(_ id: SegmentID, noting audit: AuditRecord?, now: Date) async throws -> Bool

    /// Keeps how many users segments have on a day; the last figure of a day stays.
    func saveSegmentSizes(_ sizes: [SegmentID: Int], day: Int) async throws
    /// The sizes that were kept between two days, these included, oldest first.
    func segmentSizes(of segment: SegmentID, days: ClosedRange<Int>) async throws -> [SegmentSize]

    /// Makes a list, or gives the list of this name other users.
    func saveUserList(
        named name: String,
        profiles: [ProfileID],
        author: String,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> UploadedList
    /// In the order of their names.
    func userLists(in workspace: WorkspaceID) async throws -> [UploadedList]
    /// The lists a user is in.
    func userLists(of profile: ProfileID) async throws -> [UserListID]
    /// Whether there was such a list.
    func deleteUserList(_ id: UserListID, in workspace: WorkspaceID, noting audit: AuditRecord?)
        async throws -> Bool
    /// Gives a list another name. Whether there was such a list.
    ///
    /// - Throws: `StoreError` with code `exists` when the name is taken.
    func renameUserList(
        _ id: UserListID,
        to name: String,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws -> Bool
    /// Those of the external ids that belong to users, with their users.
    func profiles(
        externalIDs: [String],
        in workspace: WorkspaceID
    ) async throws -> [String: ProfileID]

    /// All campaigns, also archived ones, the newest first: filters name them.
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
