import Foundation
import Model
import Ports
import Testing

extension StoreConformance {
    private func draft(
        _ title: String,
        _ workspace: WorkspaceID,
        id: UUID = UUID(),
        at time: TimeInterval = 0
    ) -> FormDraft {
        FormDraft(
            id: id,
            workspace: workspace,
            kind: .push,
            fields: "title=\(title)&title=%26",
            title: title,
            author: "Ada",
            updatedAt: now.addingTimeInterval(time)
        )
    }

    private func save(_ draft: FormDraft, limit: Int = 100) async throws -> SendID? {
        try await store.saveDraft(draft, limit: limit, sentSince: now.addingTimeInterval(-60))
    }

    package func keepsDraftsOfAWorkspace() async throws {
        let fixture = try await fixture()
        let other = try await self.fixture()
        let first = draft("one", fixture.workspace)
        #expect(try await save(first) == nil)
        #expect(try await store.draft(first.id, in: fixture.workspace) == first)
        #expect(try await store.draft(first.id, in: other.workspace) == nil)
        let changed = draft("two", fixture.workspace, id: first.id, at: 1)
        #expect(try await save(changed) == nil)
        let second = draft("three", fixture.workspace, at: 2)
        #expect(try await save(second) == nil)
        #expect(try await store.drafts(.push, in: fixture.workspace) == [second, changed])
        #expect(try await store.drafts(.push, in: other.workspace) == [])
        #expect(try await save(draft("four", fixture.workspace, at: 3), limit: 2) == nil)
        #expect(
            try await store.drafts(.push, in: fixture.workspace).map(\.title) == ["four", "three"]
        )
        #expect(try await !store.deleteDraft(second.id, in: other.workspace))
        #expect(try await store.deleteDraft(second.id, in: fixture.workspace))
        #expect(try await store.drafts(.push, in: fixture.workspace).map(\.title) == ["four"])
    }

    package func sendsADraftOnce() async throws {
        let fixture = try await fixture()
        let written = draft("one", fixture.workspace)
        let content = SendContent(message: PushMessage(body: "Tea?"), audience: .everyone)
        func send() async throws -> DraftedSend {
            try await store.createSend(
                content,
                ofDraft: written.id,
                in: fixture.workspace,
                scheduledAt: now,
                now: now
            )
        }
        #expect(try await send() == .missing)
        #expect(try await save(written) == nil)
        let outcomes = try await withThrowingTaskGroup(of: DraftedSend.self) { group in
            for _ in 0..<8 { group.addTask { try await send() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let made = outcomes.compactMap { outcome in
            if case .made(let send) = outcome { send } else { nil }
        }
        #expect(made.count == 1)
        let sent = try #require(made.first)
        #expect(outcomes.count { $0 == .known(sent.id) } == 7)
        #expect(try await store.sends(in: fixture.workspace, limit: 9, offset: 0) == [sent])
        // What was sent is not changed any more, nor listed.
        #expect(try await save(draft("two", fixture.workspace, id: written.id)) == sent.id)
        #expect(try await store.draft(written.id, in: fixture.workspace)?.title == "one")
        #expect(try await store.drafts(.push, in: fixture.workspace) == [])
        #expect(try await save(draft("three", fixture.workspace, at: 3600)) == nil)
        #expect(try await store.draft(written.id, in: fixture.workspace)?.send == sent.id)
        _ = try await store.saveDraft(
            draft("four", fixture.workspace),
            limit: 9,
            sentSince: now.addingTimeInterval(1)
        )
        #expect(try await store.draft(written.id, in: fixture.workspace) == nil)
    }
}
