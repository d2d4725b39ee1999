import Foundation
import Model
import Ports
import Testing

extension StoreConformance {
    private func rehearsal(
        about subject: UUID,
        _ content: String,
        in workspace: WorkspaceID,
        player: UUID? = UUID(),
        at seconds: TimeInterval = 0
    ) -> RehearsalRecord {
        RehearsalRecord(
            id: UUID(),
            workspace: workspace,
            subject: subject,
            askedAt: now + seconds,
            content: content,
            player: player
        )
    }

    /// The last one about each subject is kept; whoever plays it reads that somebody stopped it.
    package func keepsRehearsals() async throws {
        let fixture = try await fixture()
        let workspace = fixture.workspace
        let subject = UUID()
        func found(_ subject: UUID) async throws -> RehearsalRecord? {
            try await store.rehearsal(about: subject, in: workspace)
        }
        let first = rehearsal(about: subject, "one", in: workspace)
        #expect(try await store.addRehearsal(first, keeping: 2))
        #expect(try await found(subject) == first)
        #expect(try await found(UUID()) == nil)
        #expect(try await store.rehearsal(about: subject, in: WorkspaceID(4711)) == nil)
        #expect(try await store.noteRehearsal(first.id, reached: now + 60))
        #expect(try await found(subject)?.reached == now + 60)
        // Its server does not work any more.
        let second = rehearsal(about: subject, "two", in: workspace, at: 1)
        #expect(try await store.addRehearsal(second, keeping: 2))
        #expect(try await !store.noteRehearsal(first.id, reached: nil))
        try await store.finishRehearsal(first.id, content: "late")
        #expect(try await found(subject) == second)

        try await store.stopRehearsal(about: UUID(), in: workspace)
        #expect(try await store.noteRehearsal(second.id, reached: now))
        try await store.stopRehearsal(about: subject, in: workspace)
        #expect(try await !store.noteRehearsal(second.id, reached: now))
        try await store.finishRehearsal(second.id, content: "stopped")
        let over = try #require(await found(subject))
        #expect(over.content == "stopped" && over.player == nil)

        // The oldest leave.
        let others = [UUID(), UUID()]
        for (index, other) in others.enumerated() {
            let next = rehearsal(about: other, "next", in: workspace, at: Double(2 + index))
            #expect(try await store.addRehearsal(next, keeping: 2))
        }
        #expect(try await found(subject) == nil)
        for other in others { #expect(try await found(other) != nil) }

        // Messages of any user may be in them.
        _ = try await register("ada", token: "ada", in: fixture)
        let ada = try #require(await store.profile(.external("ada"), in: workspace))
        _ = try await store.deleteUsers([ada.id], in: workspace, noting: nil, now: now)
        for other in others { #expect(try await found(other) == nil) }
    }
}
