import Campaigns
import ContentTesting
import Foundation
import Model
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

@testable import Delivery

@Suite("The texts of running sends")
struct RendererCacheTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func withCache(
        _ body: (RendererCache, SQLStore) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-renderers-\(UUID().uuidString).sqlite").path
        defer {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
        }
        let store = try SQLStore.testing(at: path)
        let cache = RendererCache(
            store: store,
            content: RendererCache.Content(
                store: store,
                catalogs: CatalogReader(store: store, now: { now }, random: { 0.5 }),
                fetcher: NoContent(),
                renderer: MessageRenderer()
            )
        )
        try await body(cache, store)
    }

    @Test("sends keep the content blocks they began with, also those before the last 64")
    func limit() async throws {
        try await withCache { cache, store in
            let conformance = StoreConformance(store)
            let fixture = try await conformance.fixture()
            _ = try await conformance.register("ada", token: "aa", in: fixture)
            var block = ContentBlock(
                id: UUID(),
                workspace: fixture.workspace,
                name: "greeting",
                description: "",
                content: "one",
                tags: [],
                createdAt: now,
                updatedAt: now
            )
            try await store.createContentBlock(block, noting: nil)
            var sends: [SendID] = []
            for _ in 0..<65 {
                sends.append(
                    try await store.createSend(
                        SendContent(
                            message: PushMessage(body: "{{content_blocks.${greeting}}}"),
                            audience: .everyone
                        ),
                        in: fixture.workspace,
                        scheduledAt: now,
                        now: now
                    ).id
                )
            }
            _ = try await conformance.plannedSend(to: .everyone, in: fixture)
            let claimed = try #require(try await conformance.claim(1).first)
            func text(of send: SendID) async throws -> String? {
                let outcome = try await cache.renderer(of: send)
                    .render(for: claimed, dispatch: claimed.dispatch, now: now)
                guard case .message(let message, _) = outcome else { return nil }
                return message.body
            }

            for send in sends.prefix(64) { #expect(try await text(of: send) == "one") }
            block.content = "two"
            #expect(try await store.updateContentBlock(block, noting: nil))
            #expect(try await text(of: sends[0]) == "one")
            #expect(try await text(of: sends[64]) == "two")
            #expect(try await text(of: sends[1]) == "one")
            #expect(try await text(of: sends[0]) == "one")
        }
    }

    @Test("a send that has rows and no row of its own is said")
    func missing() async throws {
        try await withCache { cache, _ in
            await #expect(throws: StoreError.self) { try await cache.renderer(of: SendID(7)) }
        }
    }
}
