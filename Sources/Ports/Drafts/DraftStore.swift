import Foundation
import Model

/// What is written in forms before it is sent or saved.
package protocol DraftStore: Sendable {
    /// Stores a draft, or its new fields. One that has become something stays as it is. Of a
    /// workspace the newest `limit` are kept, and those that have become something for as long as
    /// `finishedSince` says.
    ///
    /// - Parameter seen: The revision that its window has read or written last. When another
    ///   window has written since, nothing is stored.
    func saveDraft(
        _ draft: FormDraft,
        seen: Int,
        limit: Int,
        finishedSince: Date
    ) async throws -> SavedDraft
    func draft(_ id: UUID, in workspace: WorkspaceID) async throws -> FormDraft?
    /// Those that have become nothing yet, the newest first.
    func drafts(_ kind: FormDraft.Kind, in workspace: WorkspaceID) async throws -> [FormDraft]
    /// Whether there was one.
    func deleteDraft(_ id: UUID, in workspace: WorkspaceID) async throws -> Bool
    /// Makes the send of a draft, once, however often it is asked for.
    ///
    /// - Parameter audit: What is written down of the send in the same transaction.
    func createSend(
        _ content: SendContent,
        ofDraft id: UUID,
        in workspace: WorkspaceID,
        scheduledAt: Date,
        noting audit: @escaping @Sendable (SendID) -> AuditRecord?,
        now: Date
    ) async throws -> DraftedSend
    /// Takes back the send of a draft that has not begun: it is cancelled, and the draft can be
    /// written on and sent again. `nil`, and nothing changes, when it has begun or has no draft.
    func takeBack(
        _ send: SendID,
        in workspace: WorkspaceID,
        noting audit: AuditRecord,
        now: Date
    ) async throws -> UUID?
}
