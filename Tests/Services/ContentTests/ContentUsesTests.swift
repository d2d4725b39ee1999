import Campaigns
import Content
import Foundation
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

@Suite("What uses a content block or a catalog")
struct ContentUsesTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let text = "{{content_blocks.${greeting}}} {% catalog_items teas sencha %}"

    private func withStore(_ work: (SQLStore, WorkspaceID) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-uses-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        try await work(store, try await StoreConformance(store).fixture().workspace)
    }

    private func block(_ name: String, _ content: String, in workspace: WorkspaceID) -> ContentBlock
    {
        ContentBlock(
            id: UUID(),
            workspace: workspace,
            name: name,
            content: content,
            createdAt: Self.now,
            updatedAt: Self.now
        )
    }

    @Test(
        "is every block, in-app message and push that has not all gone out, however many there are"
    )
    func everything() async throws {
        try await withStore { store, workspace in
            for number in 1...230 {
                let content = number == 3 || number == 229 ? Self.text : "Tea"
                try await store.createContentBlock(
                    block("b\(number)", content, in: workspace),
                    noting: nil
                )
            }
            let id = UUID()
            var message = InAppMessage(
                id: id.uuidString.lowercased(),
                kind: .modal,
                message: "Hello",
                rules: InAppMessageRules(triggers: [])
            )
            message.header = Self.text
            try await store.createInAppMessage(
                InAppMessageDefinition(
                    id: id,
                    workspace: workspace,
                    name: "Welcome",
                    state: .active,
                    message: message,
                    createdAt: Self.now,
                    updatedAt: Self.now
                ),
                from: .direct
            )
            let send = try await store.createSend(
                SendContent(message: PushMessage(body: Self.text), audience: .everyone),
                in: workspace,
                scheduledAt: Self.now.addingTimeInterval(3_600),
                now: Self.now
            )
            func names() async throws -> [[String]] {
                let uses = try await ContentUses(store: store, in: workspace)
                return [uses.holders(ofBlock: "greeting"), uses.holders(ofCatalog: "teas")]
                    .map { $0.map(\.name).sorted() }
            }
            let all = [Self.text, "Welcome", "b229", "b3"].sorted()
            #expect(try await names() == [all, all])
            #expect(try await store.control(send.id, .stop, noting: nil, now: Self.now))
            let rest = ["Welcome", "b229", "b3"]
            #expect(try await names() == [rest, rest])
        }
    }

    @Test(
        "keeps what it names while it is active or paused",
        arguments: [
            (InAppMessageDefinition.State.draft, false), (.active, true), (.paused, true),
            (.archived, false),
        ]
    )
    func paused(state: InAppMessageDefinition.State, isActive: Bool) {
        let id = UUID()
        let holder = ContentUses.Holder.inAppMessage(
            InAppMessageDefinition(
                id: id,
                workspace: WorkspaceID(1),
                name: "Welcome",
                state: state,
                message: InAppMessage(
                    id: id.uuidString,
                    kind: .modal,
                    message: Self.text,
                    rules: InAppMessageRules(triggers: [])
                ),
                createdAt: Self.now,
                updatedAt: Self.now
            )
        )
        #expect(holder.isActive == isActive)
    }

    @Test("keeps a catalog from being deleted while messages are made from it")
    func deletion() async throws {
        try await withStore { store, workspace in
            let catalogs = CatalogService(store: store) { Self.now }
            let actor = Actor.commandLine(account: "root", workspace)
            _ = try await catalogs.create(
                "teas",
                description: "",
                fields: [.init(name: "id", type: .string)],
                by: actor
            )
            let send = try await store.createSend(
                SendContent(message: PushMessage(body: Self.text), audience: .everyone),
                in: workspace,
                scheduledAt: Self.now.addingTimeInterval(3_600),
                now: Self.now
            )
            let refusal = await #expect(throws: CatalogError.self) {
                try await catalogs.delete(named: "teas", by: actor)
            }
            #expect(refusal?.code == .catalogInUse)
            #expect(try await catalogs.catalog(named: "teas", in: workspace).name == "teas")
            #expect(try await store.control(send.id, .stop, noting: nil, now: Self.now))
            try await catalogs.delete(named: "teas", by: actor)
        }
    }
}
