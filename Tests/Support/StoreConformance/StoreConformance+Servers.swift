import Foundation
import Model
import Ports
import Testing

/// What several servers of one database agree on.
extension StoreConformance {
    /// Whoever keeps them first decides.
    package func keepsContentBlocksOfASend() async throws {
        let fixture = try await fixture()
        func blocks(_ content: String) -> [SentContentBlock] {
            [
                SentContentBlock(
                    ContentBlock(
                        id: UUID(),
                        workspace: fixture.workspace,
                        name: "greeting",
                        content: content,
                        createdAt: now,
                        updatedAt: now
                    )
                )
            ]
        }
        // Nobody gets it.
        let send = try await store.createSend(
            SendContent(message: PushMessage(body: "Hello"), audience: .everyone),
            in: fixture.workspace,
            scheduledAt: now,
            now: now
        ).id
        #expect(try await store.contentBlocks(of: send) == nil)
        #expect(try await store.keepContentBlocks(blocks("one"), of: send) == blocks("one"))
        #expect(try await store.keepContentBlocks(blocks("two"), of: send) == blocks("one"))
        #expect(try await store.contentBlocks(of: send) == blocks("one"))
        #expect(try await store.startPlanningDueSends(now: now).map(\.id) == [send])
        #expect(try await store.planNextBatch(of: send, limit: 10, now: now).isComplete)
        #expect(try await store.markFinishedSends(now: now) == [send])
        #expect(try await store.contentBlocks(of: send) == nil)
    }

    /// Nobody replaces it without having seen it.
    package func keepsTheFingerprintOfAKey() async throws {
        let (first, second) = (Data([1, 2, 3]), Data([4, 5, 6]))
        #expect(try await store.keyFingerprint() == nil)
        #expect(try await store.keepKeyFingerprint(first, insteadOf: nil) == first)
        #expect(try await store.keepKeyFingerprint(second, insteadOf: nil) == first)
        #expect(try await store.keyFingerprint() == first)
        #expect(try await store.keepKeyFingerprint(second, insteadOf: first) == second)
        #expect(try await store.keyFingerprint() == second)

        #expect(try await store.headsOfSecrets(length: 2) == [])
        let fixture = try await fixture()
        let boxes: [String: [UInt8]] = ["one": [7, 8, 9], "two": [7, 8], "three": [9, 8]]
        for (name, box) in boxes {
            try await store.saveSecret(
                Data(box),
                named: name,
                in: fixture.workspace,
                noting: nil,
                now: now
            )
        }
        try await store.saveCredentials(
            SealedCredentials(app: fixture.app.id, provider: .fcm, box: Data([6, 5, 4])),
            noting: nil,
            now: now
        )
        #expect(
            try await Set(store.headsOfSecrets(length: 2))
                == [Data([7, 8]), Data([9, 8]), Data([6, 5])]
        )
    }
}
