import Foundation
import Model
import Ports

/// Keeps what people write into forms, so that no reload, language, session or window loses it.
package struct DraftService: Sendable {
    /// As many that have become nothing yet are kept of a workspace.
    package static let limit = 200
    /// So long one that has become something still leads to it, in seconds.
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

    /// Keeps what a window has written. Where another one has written on meanwhile, both stay: this
    /// one's becomes a draft of its own.
    ///
    /// - Parameter seen: The revision that the window has read or written last; 0 for none.
    /// - Returns: What is stored now: with another identifier where it is one of its own, with an
    ///   outcome where the draft was sent or saved before.
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

    /// Those that have become nothing yet, the newest first.
    package func drafts(
        _ kind: FormDraft.Kind,
        in workspace: WorkspaceID
    ) async throws -> [FormDraft] {
        try await store.drafts(kind, in: workspace)
    }

    /// Forgets a draft. Whether there was one.
    package func discard(_ id: UUID, in workspace: WorkspaceID) async throws -> Bool {
        try await store.deleteDraft(id, in: workspace)
    }
}
