import Foundation
import Model

/// Forms that have not been submitted yet.
package protocol DraftStore: Sendable {
    /// Stores a draft, or its new fields. A finished draft stays unchanged. A workspace keeps its
    /// newest `limit` unfinished drafts, and finished ones that changed after `finishedSince`.
    ///
    /// - Parameter seen: The revision that this window last read or wrote. If another window has
    ///   written since, nothing is stored.
    func saveDraft(
        _ draft: FormDraft,
        seen: Int,
        limit: Int,
        finishedSince: Date
    ) async throws -> SavedDraft
    func draft(_ id: UUID, in workspace: WorkspaceID) async throws -> FormDraft?
    /// Unfinished drafts, the newest first.
    func drafts(_ kind: FormDraft.Kind, in workspace: WorkspaceID) async throws -> [FormDraft]
    /// - Returns: `false` if it did not exist.
    func deleteDraft(_ id: UUID, in workspace: WorkspaceID) async throws -> Bool
    /// Creates the send of a draft, once, however often it is called.
    ///
    /// - Parameter audit: Makes the audit record of the send, written in the same transaction.
    func createSend(
        _ content: SendContent,
        ofDraft id: UUID,
        in workspace: WorkspaceID,
        scheduledAt: Date,
        noting audit: @escaping @Sendable (SendID) -> AuditRecord?,
        now: Date
    ) async throws -> DraftedSend
    /// Cancels a draft's send that is still `scheduled`, so that the draft can be edited and sent
    /// again.
    ///
    /// - Returns: The draft; `nil` if the send has started or has no draft. Nothing changes then.
    func takeBack(
        _ send: SendID,
        in workspace: WorkspaceID,
        noting audit: AuditRecord,
        now: Date
    ) async throws -> UUID?
}
