import Foundation
import Model
import NoroshiWire
import Ports

extension SampleWorkspace {
    /// A content block and a catalog.
    func addContent() async throws {
        try await store.createContentBlock(
            ContentBlock(
                id: Self.id(1),
                workspace: workspace,
                name: "opening_hours",
                description: "All shops but Osaka",
                content: "Open from 8 to 20.{% if ${language} == 'ja' %} 火曜定休{% endif %}",
                createdAt: before(2 * 86_400),
                updatedAt: before(86_400)
            ),
            noting: nil
        )
        let menu = Catalog(
            workspace: workspace,
            name: "menu",
            description: "What the shops sell",
            fields: [
                Catalog.Field(name: "id", type: .string),
                Catalog.Field(name: "name", type: .string),
                Catalog.Field(name: "price", type: .number),
                Catalog.Field(name: "sizes", type: .array),
            ],
            updatedAt: before(3600)
        )
        try await store.createCatalog(menu, noting: nil, now: before(3600))
        _ = try await store.addCatalogSelection(
            CatalogSelection(name: "favorites", description: "What sells best"),
            to: "menu",
            of: workspace,
            limit: 30,
            noting: nil,
            now: before(3600)
        )
        _ = try await store.saveCatalogItems(
            [
                CatalogItem(
                    id: "latte",
                    values: [
                        "name": .string("抹茶ラテ"), "price": .integer(540),
                        "sizes": .array([.string("S"), .string("L")]),
                    ]
                ),
                CatalogItem(
                    id: "sencha",
                    values: ["name": .string("煎茶"), "price": .integer(380)]
                ),
            ],
            as: .add,
            in: "menu",
            of: workspace,
            noting: nil,
            now: before(3600)
        )
    }
}
