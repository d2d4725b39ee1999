import Campaigns
import Content
import Foundation
import Model
import NoroshiWire
import Ports
import Reasons
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

@Suite("Content blocks and catalogs")
struct ContentServiceTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let id = UUID()

    private struct Bench {
        var store: SQLStore
        var blocks: ContentBlockService
        var catalogs: CatalogService
        var workspace: WorkspaceID

        func member(_ role: Member.Role) -> Actor {
            .member(
                Member(
                    id: MemberID(1),
                    workspace: workspace,
                    name: "Mio",
                    email: "mio@example.org",
                    role: role
                )
            )
        }

        /// Action, subject and detail of what is written down, the oldest first.
        func log() async throws -> [String] {
            try await store.audit(in: workspace, matching: AuditQuery()).records.reversed().map {
                "\($0.action) \($0.subject) \($0.detail)".trimmingCharacters(in: .whitespaces)
            }
        }
    }

    private func withBench(_ body: (Bench) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-content-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        try await body(
            Bench(
                store: store,
                blocks: ContentBlockService(store: store, now: { Self.now }, makeID: { Self.id }),
                catalogs: CatalogService(store: store) { Self.now },
                workspace: try await StoreConformance(store).fixture().workspace
            )
        )
    }

    @Test("a change of a block keeps what it does not touch, and is written down once")
    func block() async throws {
        try await withBench { bench in
            let marketer = bench.member(.marketer)
            let block = try await bench.blocks.create(by: marketer) {
                $0.name = "greeting"
                $0.content = "Hi"
                $0.tags = ["tea"]
            }
            let changed = try await bench.blocks.change(block.id, by: marketer) {
                $0.content = "Hello"
            }
            #expect(changed?.tags == ["tea"])
            #expect(try await bench.blocks.block(block.id, in: bench.workspace) == changed)
            #expect(try await bench.blocks.change(UUID(), by: marketer) { _ in } == nil)
            #expect(try await bench.blocks.delete(block.id, by: marketer))
            #expect(try await !bench.blocks.delete(block.id, by: marketer))
            #expect(
                try await bench.log() == [
                    "content_block_saved greeting", "content_block_saved greeting",
                    "content_block_deleted greeting",
                ]
            )
        }
    }

    @Test("a block that breaks a rule is refused at its field, and nothing is written down")
    func refused() async throws {
        try await withBench { bench in
            let marketer = bench.member(.marketer)
            let changes: [(String, (inout ContentBlock) -> Void)] = [
                ("name", { $0.name = "two words" }), ("content", { $0.content = "{% if x" }),
                ("description", { $0.description = String(repeating: "x", count: 251) }),
                ("content", { $0.content = String(repeating: "x", count: 51_201) }),
                ("tags", { $0.tags = Array(repeating: "x", count: 51) }),
            ]
            for (field, change) in changes {
                let error = await #expect(throws: ValidationError.self) {
                    try await bench.blocks.create(by: marketer) {
                        $0.name = "greeting"
                        change(&$0)
                    }
                }
                #expect(error?.problems.map(\.field) == [field])
            }
            let log = try await bench.log()
            #expect(log.isEmpty)
        }
    }

    @Test("a block is not deleted while a block that messages use includes it")
    func used() async throws {
        try await withBench { bench in
            let marketer = bench.member(.marketer)
            let block = try await bench.blocks.create(by: marketer) {
                $0.name = "greeting"
                $0.content = "Hi"
            }
            try await bench.store.createContentBlock(
                ContentBlock(
                    id: UUID(),
                    workspace: bench.workspace,
                    name: "letter",
                    content: block.liquidTag,
                    createdAt: Self.now,
                    updatedAt: Self.now
                ),
                noting: nil
            )
            await #expect(throws: RefusalError(.contentUsed, ["names": "“letter”"])) {
                try await bench.blocks.delete(block.id, by: marketer)
            }
        }
    }

    @Test("every change of a catalog is written down with what it was")
    func catalog() async throws {
        try await withBench { bench in
            let catalogs = bench.catalogs
            let marketer = bench.member(.marketer)
            _ = try await catalogs.create(
                "teas",
                description: "",
                fields: [.init(name: "id", type: .string)],
                by: marketer
            )
            let price = Catalog.Field(name: "price", type: .number)
            try await catalogs.addFields([price], to: "teas", by: marketer)
            let cheap = CatalogSelection(name: "cheap")
            try await catalogs.addSelection(cheap, to: "teas", by: marketer)
            let items = ["a", "b"].map { CatalogItem(id: $0, values: ["price": 1]) }
            try await catalogs.save(items, as: .add, in: "teas", by: marketer)
            await #expect(throws: CatalogError.self) {
                try await catalogs.save(items, as: .add, in: "teas", by: marketer)
            }
            try await catalogs.deleteItem("a", in: "teas", by: marketer)
            try await catalogs.deleteItems(["a"], in: "teas", by: marketer)
            try await catalogs.removeSelection(named: "cheap", from: "teas", by: marketer)
            try await catalogs.removeField("price", from: "teas", by: marketer)
            try await catalogs.delete(named: "teas", by: marketer)
            #expect(
                try await bench.log() == [
                    "catalog_created teas", "catalog_changed teas fields: +price",
                    "catalog_changed teas selections: +cheap", "catalog_item_saved teas a, b",
                    "catalog_item_deleted teas a", "catalog_changed teas selections: -cheap",
                    "catalog_changed teas fields: -price", "catalog_deleted teas",
                ]
            )
        }
    }

    @Test("is changed by nobody who only looks")
    func viewer() async throws {
        try await withBench { bench in
            let viewer = bench.member(.viewer)
            await #expect(throws: NotAllowedError.self) {
                try await bench.blocks.create(by: viewer) { $0.name = "greeting" }
            }
            await #expect(throws: NotAllowedError.self) {
                try await bench.blocks.delete(Self.id, by: viewer)
            }
            await #expect(throws: NotAllowedError.self) {
                try await bench.catalogs.delete(named: "teas", by: viewer)
            }
            await #expect(throws: NotAllowedError.self) {
                try await bench.catalogs.save([], as: .add, in: "teas", by: viewer)
            }
        }
    }
}
