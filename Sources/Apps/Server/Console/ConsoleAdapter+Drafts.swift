import Console
import Foundation
import Model
import Ports
import WebPages

/// What is written in the composer and not sent.
extension ConsoleAdapter {
    /// As many are kept of a workspace.
    private static let draftLimit = 200
    /// So long one that was sent still leads to its push, in seconds.
    private static let sentLifetime: TimeInterval = 7 * 86_400

    func keep(_ form: KeptForm, for member: ConsoleMember) async throws {
        _ = try await store.saveDraft(
            FormDraft(
                id: form.id,
                workspace: WorkspaceID(member.workspaceID),
                kind: .push,
                fields: form.fields.urlEncoded,
                title: form.title,
                author: form.author,
                updatedAt: form.updatedAt
            ),
            limit: Self.draftLimit,
            sentSince: now().addingTimeInterval(-Self.sentLifetime)
        )
    }

    func keptForm(_ id: UUID, for member: ConsoleMember) async throws -> KeptForm? {
        try await store.draft(id, in: WorkspaceID(member.workspaceID)).map(KeptForm.init)
    }

    func keptForms(for member: ConsoleMember) async throws -> [KeptForm] {
        try await store.drafts(.push, in: WorkspaceID(member.workspaceID)).map(KeptForm.init)
    }

    func discardForm(_ id: UUID, for member: ConsoleMember) async throws -> Bool {
        try await store.deleteDraft(id, in: WorkspaceID(member.workspaceID))
    }
}

extension KeptForm {
    fileprivate init(_ draft: FormDraft) {
        self.init(
            id: draft.id,
            fields: FormFields(urlEncoded: draft.fields),
            title: draft.title,
            author: draft.author,
            updatedAt: draft.updatedAt,
            push: draft.send?.rawValue
        )
    }
}
