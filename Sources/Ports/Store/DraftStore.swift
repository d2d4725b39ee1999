import Foundation
import Model

/// What is written in forms before it is sent.
package protocol DraftStore: Sendable {
    /// Stores a draft, or its new fields. One that was sent stays as it is. Of a workspace the
    /// newest `limit` are kept, and those that were sent for as long as `sentSince` says.
    ///
    /// - Returns: The send that it has become; `nil` for one that was stored.
    func saveDraft(_ draft: FormDraft, limit: Int, sentSince: Date) async throws -> SendID?
    func draft(_ id: UUID, in workspace: WorkspaceID) async throws -> FormDraft?
    /// Those that were not sent, the newest first.
    func drafts(_ kind: FormDraft.Kind, in workspace: WorkspaceID) async throws -> [FormDraft]
    /// Whether there was one.
    func deleteDraft(_ id: UUID, in workspace: WorkspaceID) async throws -> Bool
    /// Marks a draft whose content was given to a send that was there already.
    func finishDraft(_ id: UUID, in workspace: WorkspaceID, as send: SendID) async throws
    /// Makes the send of a draft, once, however often it is asked for.
    func createSend(
        _ content: SendContent,
        ofDraft id: UUID,
        in workspace: WorkspaceID,
        scheduledAt: Date,
        now: Date
    ) async throws -> DraftedSend
}

/// What became of a draft that was to be sent.
package enum DraftedSend: Sendable, Hashable {
    case made(Send)
    /// It was sent before.
    case known(SendID)
    /// There is no such draft.
    case missing
}
