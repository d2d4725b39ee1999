import Drafts
import Foundation
import Model
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

@Suite("Drafts of forms")
struct DraftServiceTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func withDrafts(
        _ body: (DraftService, WorkspaceID) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-drafts-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let workspace = try await StoreConformance(store).fixture().workspace
        try await body(DraftService(store: store, now: { Self.now }), workspace)
    }

    private func draft(
        _ text: String,
        _ workspace: WorkspaceID,
        id: UUID,
        window: String
    ) -> FormDraft {
        FormDraft(
            id: id,
            workspace: workspace,
            kind: .campaign,
            fields: "name=\(text)",
            title: text,
            author: "Ada",
            updatedAt: Self.now,
            window: window
        )
    }

    @Test("what two windows write in one draft stays, of each")
    func twoWindows() async throws {
        try await withDrafts { drafts, workspace in
            let id = UUID()
            let first = try await drafts.keep(
                draft("one", workspace, id: id, window: "a"),
                seen: 0
            )
            #expect(first.id == id && first.revision == 1)
            // A second window that has read it writes on.
            let second = try await drafts.keep(
                draft("two", workspace, id: id, window: "b"),
                seen: 1
            )
            #expect(second.id == id && second.revision == 2)
            // The first one does not know that: its words become a draft of their own …
            let third = try await drafts.keep(
                draft("three", workspace, id: id, window: "a"),
                seen: 1
            )
            #expect(third.id != id && third.revision == 1)
            // … in which it writes on.
            let fourth = try await drafts.keep(
                draft("four", workspace, id: third.id, window: "a"),
                seen: third.revision
            )
            #expect(fourth.id == third.id && fourth.revision == 2)
            let kept = try await drafts.drafts(.campaign, in: workspace)
            #expect(Set(kept.map(\.title)) == ["two", "four"])
        }
    }
}
