import Foundation
import Model
import NoroshiWire
import Ports
import Testing

extension StoreConformance {
    private func block(
        _ name: String,
        in workspace: WorkspaceID,
        after seconds: TimeInterval = 0
    ) -> ContentBlock {
        ContentBlock(
            id: UUID(),
            workspace: workspace,
            name: name,
            description: "About \(name)",
            content: "{{ '\(name)' }} ☕️",
            tags: ["tea", "ä"],
            createdAt: now,
            updatedAt: now.addingTimeInterval(seconds)
        )
    }

    package func keepsContentBlocks() async throws {
        let here = try await fixture().workspace
        let there = try await fixture().workspace
        let first = block("first", in: here)
        var second = block("second", in: here, after: 10)
        try await store.createContentBlock(first, noting: nil)
        try await store.createContentBlock(second, noting: nil)
        // The same name in another workspace is another block.
        try await store.createContentBlock(block("first", in: there), noting: nil)
        await #expect(throws: StoreError.self) {
            try await store.createContentBlock(block("first", in: here), noting: nil)
        }
        #expect(try await store.contentBlock(first.id, in: here) == first)
        #expect(try await store.contentBlock(first.id, in: there) == nil)
        let named = try await store.contentBlocks(named: ["second", "none", "first"], in: here)
        #expect(named == [second, first])
        second.content = "new"
        second.state = .draft
        second.updatedAt = now.addingTimeInterval(20)
        #expect(try await store.updateContentBlock(second, noting: nil))
        #expect(try await store.contentBlock(second.id, in: here) == second)
        second.name = "first"
        await #expect(throws: StoreError.self) {
            try await store.updateContentBlock(second, noting: nil)
        }
        var stranger = first
        stranger.workspace = there
        stranger.name = "other"
        #expect(try await !store.updateContentBlock(stranger, noting: nil))
    }

    package func listsContentBlocks() async throws {
        let here = try await fixture().workspace
        for number in 0..<5 {
            try await store.createContentBlock(
                block("b\(number)", in: here, after: Double(number)),
                noting: nil
            )
        }
        func names(_ query: ContentBlockQuery) async throws -> [String] {
            try await store.contentBlocks(in: here, matching: query).map(\.name)
        }
        #expect(try await names(ContentBlockQuery(limit: 3)) == ["b4", "b3", "b2"])
        #expect(try await names(ContentBlockQuery(limit: 3, offset: 3)) == ["b1", "b0"])
        let between = ContentBlockQuery(
            modifiedAfter: now,
            modifiedBefore: now.addingTimeInterval(3),
            limit: 10
        )
        #expect(try await names(between) == ["b2", "b1"])
    }

    package func keepsCatalogs() async throws {
        let here = try await fixture().workspace
        let there = try await fixture().workspace
        let teas = Catalog(
            workspace: here,
            name: "teas",
            description: "What we sell",
            fields: [
                Catalog.Field(name: "id", type: .string), Catalog.Field(name: "n", type: .number),
                Catalog.Field(name: "t", type: .string),
            ],
            updatedAt: now
        )
        try await store.createCatalog(teas, noting: nil, now: now)
        await #expect(throws: StoreError.self) {
            try await store.createCatalog(teas, noting: nil, now: now)
        }
        func save(
            _ items: [CatalogItem],
            _ change: CatalogItemChange,
            in workspace: WorkspaceID? = nil
        ) async throws -> [String] {
            try await store.saveCatalogItems(
                items,
                as: change,
                in: "teas",
                of: workspace ?? here,
                noting: nil,
                now: now.addingTimeInterval(5)
            )
        }
        func item(_ id: String) async throws -> [String: JSONValue]? {
            try await store.catalogItems([id], in: "teas", of: here).first?.values
        }
        let a = CatalogItem(id: "a", values: ["n": 1, "t": "x"])
        let b = CatalogItem(id: "b", values: ["n": 2.5])
        #expect(try await save([a, b], .add) == [])
        // All or nothing.
        let c = CatalogItem(id: "c", values: [:])
        #expect(try await save([c, a], .add) == ["a"])
        #expect(try await item("c") == nil)
        #expect(try await save([CatalogItem(id: "a", values: ["n": 7]), c], .edit) == ["c"])
        #expect(try await save([CatalogItem(id: "a", values: ["n": 7])], .edit) == [])
        #expect(try await item("a") == ["n": 7, "t": "x"])
        #expect(try await save([CatalogItem(id: "a", values: ["n": 8]), c], .replace) == [])
        #expect(try await item("a") == ["n": 8])
        #expect(try await save([a], .add, in: there) == ["a"])
        let asked = try await store.catalogItems(["c", "x", "b"], in: "teas", of: here)
        #expect(asked.map(\.id) == ["c", "b"])
        #expect(try await store.catalogItems(["a"], in: "teas", of: there).isEmpty)
        let page = try await store.catalogItems(after: "a", limit: 1, in: "teas", of: here)
        #expect(page == [b])
        let stored = try #require(await store.catalog(named: "teas", in: here))
        #expect(stored.itemCount == 3)
        #expect(stored.fields == teas.fields)
        #expect(stored.updatedAt == now.addingTimeInterval(5))
        #expect(try await store.catalogs(in: here).map(\.name) == ["teas"])
        let deleted = try await store.deleteCatalogItems(
            ["a", "x"],
            in: "teas",
            of: here,
            noting: nil,
            now: now
        )
        #expect(deleted == 1)
        let nothing = try await store.deleteCatalogItems(
            ["a"],
            in: "coffees",
            of: here,
            noting: nil,
            now: now
        )
        #expect(nothing == 0)
        #expect(try await !store.deleteCatalog(named: "teas", in: there, noting: nil))
        #expect(try await store.deleteCatalog(named: "teas", in: here, noting: nil))
        #expect(try await store.catalogItems(["b"], in: "teas", of: here).isEmpty)
    }

    package func keepsCatalogFields() async throws {
        let here = try await fixture().workspace
        let there = try await fixture().workspace
        for workspace in [here, there] {
            try await store.createCatalog(
                Catalog(
                    workspace: workspace,
                    name: "teas",
                    fields: [.init(name: "id", type: .string), .init(name: "n", type: .number)],
                    updatedAt: now
                ),
                noting: nil,
                now: now
            )
            _ = try await store.saveCatalogItems(
                [CatalogItem(id: "a", values: ["n": 1]), CatalogItem(id: "b", values: [:])],
                as: .add,
                in: "teas",
                of: workspace,
                noting: nil,
                now: now
            )
        }
        func add(
            _ names: String...,
            to catalog: String = "teas",
            limit: Int = 4
        ) async throws -> CatalogChangeOutcome {
            try await store.addCatalogFields(
                names.map { Catalog.Field(name: $0, type: .string) },
                to: catalog,
                of: here,
                limit: limit,
                noting: nil,
                now: now.addingTimeInterval(9)
            )
        }
        func remove(_ name: String) async throws -> CatalogChangeOutcome {
            try await store.removeCatalogField(name, from: "teas", of: here, noting: nil, now: now)
        }
        #expect(try await add("x", to: "cups") == .noCatalog)
        #expect(try await add("x", "n") == .known(["n"]))
        #expect(try await add("x", "y", "z") == .full)
        #expect(try await add("x", "y") == .changed)
        let grown = try #require(await store.catalog(named: "teas", in: here))
        #expect(grown.fields.map(\.name) == ["id", "n", "x", "y"])
        #expect(grown.updatedAt == now.addingTimeInterval(9))
        let catalog = try #require(await store.catalog(named: "teas", in: there))
        #expect(catalog.fields.map(\.name) == ["id", "n"])
        #expect(try await remove("z") == .unknown(["z"]))
        let selection = CatalogSelection(
            name: "s",
            filters: [.init(field: "x", comparison: .equals, value: "a")],
            order: .init(field: "y", isDescending: false)
        )
        let added = try await store.addCatalogSelection(
            selection,
            to: "teas",
            of: here,
            limit: 9,
            noting: nil,
            now: now
        )
        #expect(added == .changed)
        #expect(try await remove("x") == .needed(by: ["s"]))
        #expect(try await remove("y") == .needed(by: ["s"]))
        #expect(try await remove("n") == .changed)
        // The values went along, here and not elsewhere.
        let items = try await store.catalogItems(["a", "b"], in: "teas", of: here)
        #expect(items.map(\.values) == [[:], [:]])
        let others = try await store.catalogItems(["a"], in: "teas", of: there)
        #expect(others.map(\.values) == [["n": 1]])
        // A value of a field that was removed meanwhile is not stored.
        _ = try await store.saveCatalogItems(
            [CatalogItem(id: "a", values: ["n": 2, "x": "k"])],
            as: .replace,
            in: "teas",
            of: here,
            noting: nil,
            now: now
        )
        let saved = try await store.catalogItems(["a"], in: "teas", of: here)
        #expect(saved.map(\.values) == [["x": "k"]])
    }

    package func keepsCatalogSelections() async throws {
        let here = try await fixture().workspace
        let there = try await fixture().workspace
        for workspace in [here, there] {
            try await store.createCatalog(
                Catalog(
                    workspace: workspace,
                    name: "teas",
                    fields: [.init(name: "id", type: .string), .init(name: "n", type: .number)],
                    updatedAt: now
                ),
                noting: nil,
                now: now
            )
        }
        func selection(_ name: String, field: String = "n") -> CatalogSelection {
            CatalogSelection(
                name: name,
                description: "ä",
                externalID: "7",
                source: "Shop",
                filters: [.init(field: field, comparison: .isLess, value: 2.5)],
                order: .init(field: "id", isDescending: true),
                limit: 3
            )
        }
        func add(
            _ selection: CatalogSelection,
            to catalog: String = "teas"
        ) async throws -> CatalogChangeOutcome {
            try await store.addCatalogSelection(
                selection,
                to: catalog,
                of: here,
                limit: 2,
                noting: nil,
                now: now
            )
        }
        func remove(_ name: String) async throws -> CatalogChangeOutcome {
            try await store.removeCatalogSelection(
                named: name,
                from: "teas",
                of: here,
                noting: nil,
                now: now
            )
        }
        #expect(try await add(selection("b"), to: "cups") == .noCatalog)
        #expect(try await add(selection("b", field: "m")) == .unknown(["m"]))
        #expect(try await add(selection("b")) == .changed)
        #expect(try await add(selection("b")) == .known(["b"]))
        #expect(try await add(selection("a")) == .changed)
        #expect(try await add(selection("c")) == .full)
        let catalogs = try await store.catalogs(in: here)
        #expect(catalogs.map(\.selections) == [[selection("a"), selection("b")]])
        #expect(try await store.catalog(named: "teas", in: there)?.selections == [])
        #expect(try await remove("c") == .unknown(["c"]))
        #expect(try await remove("b") == .changed)
        #expect(try await store.deleteCatalog(named: "teas", in: here, noting: nil))
        #expect(try await remove("a") == .noCatalog)
    }

    package func keepsSecrets() async throws {
        let here = try await fixture().workspace
        let there = try await fixture().workspace
        try await store.saveSecret(Data([1]), named: "shop", in: here, noting: nil, now: now)
        try await store.saveSecret(Data([2]), named: "shop", in: here, noting: nil, now: now)
        try await store.saveSecret(Data([3]), named: "bank", in: here, noting: nil, now: now)
        #expect(try await store.secret(named: "shop", in: here) == Data([2]))
        #expect(try await store.secret(named: "shop", in: there) == nil)
        #expect(try await store.secretNames(in: here) == ["bank", "shop"])
        #expect(try await store.deleteSecret(named: "shop", in: here, noting: nil))
        #expect(try await !store.deleteSecret(named: "shop", in: here, noting: nil))
        #expect(try await store.secret(named: "shop", in: here) == nil)
    }
}
