import Foundation
import Model
import Ports

/// Stores the contents of unfinished forms, so that a reload, a change of language, an expired
/// session or a closed window does not lose them.
package struct DraftService: Sendable {
    /// Maximum number of unfinished drafts per workspace.
    package static let limit = 200
    /// How long a finished draft is kept, in seconds.
    package static let finishedLifetime: TimeInterval = 7 * 86_400

    private let store: any DraftStore
    private let now: @Sendable () -> Date
    private let makeID: @Sendable () -> UUID

    package init(
        store: any DraftStore,
        now: @escaping @Sendable () -> Date,
        makeID: @escaping @Sendable () -> UUID = { UUID() }
    ) {
        self.store = store
        self.now = now
        self.makeID = makeID
    }

    /// Stores the contents of a form in a window. If another window has changed the draft
    /// meanwhile, both are kept: this window's contents become a new draft.
    ///
    /// - Parameter seen: The revision that the window has read or written last; 0 for none.
    /// - Returns: The stored draft: with a new identifier if it became a new draft, with an outcome
    ///   if the draft was already sent or saved.
    package func keep(_ draft: FormDraft, seen: Int) async throws -> FormDraft {
        switch try await save(draft, seen: seen) {
        case .saved(let stored), .finished(let stored): return stored
        case .elsewhere: break
        }
        var copy = draft
        copy.id = makeID()
        switch try await save(copy, seen: 0) {
        case .saved(let stored), .finished(let stored), .elsewhere(let stored): return stored
        }
    }

    private func save(_ draft: FormDraft, seen: Int) async throws -> SavedDraft {
        try await store.saveDraft(
            draft,
            seen: seen,
            limit: Self.limit,
            finishedSince: now().addingTimeInterval(-Self.finishedLifetime)
        )
    }

    package func draft(_ id: UUID, in workspace: WorkspaceID) async throws -> FormDraft? {
        try await store.draft(id, in: workspace)
    }

    /// Unfinished drafts, the newest first.
    package func drafts(
        _ kind: FormDraft.Kind,
        in workspace: WorkspaceID
    ) async throws -> [FormDraft] {
        try await store.drafts(kind, in: workspace)
    }

    /// Deletes a draft.
    ///
    /// - Returns: `false` if it did not exist.
    package func discard(_ id: UUID, in workspace: WorkspaceID) async throws -> Bool {
        try await store.deleteDraft(id, in: workspace)
    }
}
