import Console
import Drafts
import Foundation
import Model

/// What is written in forms and not sent or saved.
extension ConsoleAdapter {
    func keep(
        _ draft: FormDraft,
        seen: Int,
        for member: ConsoleMember
    ) async throws -> FormDraft {
        try await formDrafts.keep(draft, seen: seen)
    }

    func draft(_ id: UUID, for member: ConsoleMember) async throws -> FormDraft? {
        try await formDrafts.draft(id, in: WorkspaceID(member.workspaceID))
    }

    func drafts(
        _ kind: FormDraft.Kind,
        for member: ConsoleMember
    ) async throws -> [FormDraft] {
        try await formDrafts.drafts(kind, in: WorkspaceID(member.workspaceID))
    }

    func discardDraft(_ id: UUID, for member: ConsoleMember) async throws -> Bool {
        try await formDrafts.discard(id, in: WorkspaceID(member.workspaceID))
    }
}
