import Campaigns
import ContentTesting
import Foundation
import Liquid
import Model
import NoroshiWire
import Ports
import Reasons
import StoreConformance
import StoreSQL
import StoreTesting
import Synchronization
import Testing

@Suite("What messages are made of besides their own text")
struct MessageContentTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private struct Bench {
        let store: SQLStore
        let workspace: WorkspaceID

        func add(_ name: String, _ content: String) async throws {
            try await store.createContentBlock(
                ContentBlock(
                    id: UUID(),
                    workspace: workspace,
                    name: name,
                    content: content,
                    createdAt: now,
                    updatedAt: now
                ),
                noting: nil
            )
        }

        /// The outcome of a push with this text.
        func render(
            _ body: String,
            fetcher: AddressFetcher = AddressFetcher()
        ) async throws -> PushTemplates.Outcome {
            let templates = try PushTemplates(parsing: PushMessage(title: "", body: body))
            let blocks = try await ContentBlockReader(store: store).blocks(
                named: templates.contentBlocks,
                in: workspace
            )
            return try await templates.render(
                for: ProfileVariables(profile: nil),
                now: now,
                blocks: blocks,
                answerer: MessageDataSource(
                    workspace: workspace,
                    catalogs: CatalogReader(store: store, now: { now }, random: { 0.5 }),
                    fetcher: fetcher
                ),
                by: MessageRenderer()
            )
        }

        func text(_ body: String, fetcher: AddressFetcher = AddressFetcher()) async throws -> String
        {
            switch try await render(body, fetcher: fetcher) {
            case .message(let message): message.body
            case .skip(let reason), .overdue(let reason): reason.description
            }
        }
    }

    private func bench(_ work: (Bench) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-content-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLStore.testing(at: folder.appending(path: "test.sqlite").path)
        let fixture = try await StoreConformance(store).fixture()
        try await work(Bench(store: store, workspace: fixture.workspace))
    }

    @Test("a block is put into the message, with the blocks it includes")
    func blocks() async throws {
        try await bench { bench in
            try await bench.add("outer", "<{{content_blocks.${inner}}}>")
            try await bench.add("inner", "{{ 1 | plus: 2 }}")
            #expect(try await bench.text("a {{content_blocks.${outer}}} b") == "a <3> b")
        }
    }

    @Test("a block that cannot be used ends the message with its name and the reason")
    func problems() async throws {
        try await bench { bench in
            try await bench.add("wrong", "{{ 1 | plus }}")
            try await bench.add("broken", "{% if %}")
            try await bench.add("self", "{{content_blocks.${self}}}")
            let wrong = try await bench.text("{{content_blocks.${wrong}}}")
            #expect(wrong.contains("wrong line 1"), "\(wrong)")
            let broken = try await bench.text("{{content_blocks.${broken}}}")
            #expect(broken.contains("'broken' cannot be used"), "\(broken)")
            let cycle = try await bench.text("x {{content_blocks.${self}}}")
            #expect(cycle.contains("'self' cannot be used: it includes itself, self → self"))
            let none = try await bench.text("{{content_blocks.${none}}}")
            #expect(none.contains("'none' cannot be used: there is none of this name"))
        }
    }

    @Test("a call in a block is made, and one that is refused ends the message")
    func fetching() async throws {
        try await bench { bench in
            try await bench.add(
                "price",
                "{% connected_content http://a.example/1 %}{{connected.from}}"
            )
            let fetcher = AddressFetcher()
            let text = try await bench.text("{{content_blocks.${price}}}", fetcher: fetcher)
            #expect(text == "http://a.example/1")
            #expect(fetcher.urls == ["http://a.example/1"])
            let refused = try await bench.text(
                "{% connected_content http://b.example/ %}",
                fetcher: AddressFetcher(failure: .refused(.noHostAddress, ["host": "b.example"]))
            )
            #expect(refused == "ConnectedContent: b.example has no address")
            await #expect(throws: ContentFetchError.unavailable(.noAnswer)) {
                try await bench.render(
                    "{% connected_content http://b.example/ :retry %}",
                    fetcher: AddressFetcher(failure: .unavailable(.noAnswer))
                )
            }
        }
    }

    @Test("items of a catalog are read while the message is rendered")
    func catalogs() async throws {
        try await bench { bench in
            try await bench.store.createCatalog(
                Catalog(
                    workspace: bench.workspace,
                    name: "teas",
                    fields: [
                        Catalog.Field(name: "id", type: .string),
                        Catalog.Field(name: "price", type: .number),
                        Catalog.Field(name: "tags", type: .array),
                    ],
                    updatedAt: Self.now
                ),
                noting: nil,
                now: Self.now
            )
            _ = try await bench.store.saveCatalogItems(
                [CatalogItem(id: "a", values: ["price": 12, "tags": ["green"]])],
                as: .add,
                in: "teas",
                of: bench.workspace,
                noting: nil,
                now: Self.now
            )
            let text = try await bench.text(
                "{% catalog_items teas a z %}{{items.size}} {{items[0].id}} {{items[0].price}} "
                    + "{{items[0].tags[0]}}"
            )
            #expect(text == "1 a 12 green")
            let none = try await bench.text("{% catalog_items cups a %}")
            #expect(none.contains("there is no catalog named 'cups'"))
            _ = try await bench.store.addCatalogSelection(
                CatalogSelection(name: "all", order: .init(field: "id", isDescending: false)),
                to: "teas",
                of: bench.workspace,
                limit: 1,
                noting: nil,
                now: Self.now
            )
            let selected = try await bench.text(
                "{% catalog_selection_items teas all %}{% for tea in items %}{{tea.price}}"
                    + "{% endfor %}"
            )
            #expect(selected == "12")
            let unknown = try await bench.text("{% catalog_selection_items teas some %}")
            #expect(unknown.contains("there is no selection 'some' of a catalog 'teas'"))
        }
    }
}
