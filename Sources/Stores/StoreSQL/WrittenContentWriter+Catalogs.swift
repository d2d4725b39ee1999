import Foundation
import Model
import Ports
import Relational

/// Catalogs with their selections and items.
extension WrittenContentWriter {
    func write(_ catalog: Catalog) throws {
        try upsert(
            "catalogs",
            key: "workspace_id, name",
            named: catalog.name,
            [
                ("workspace_id", workspace.rawValue), ("name", catalog.name),
                ("description", catalog.description),
                ("fields", try StoredJSON.text(catalog.fields)),
                ("updated_at", now.milliseconds),
            ],
            keeping: ["workspace_id", "name"]
        )
        let number = try SQLStore.number(of: catalog.name, workspace, database)
        for selection in catalog.selections {
            try database.execute(
                sql: """
                    INSERT INTO catalog_selections (catalog_id, name, content, created_at)
                    VALUES (?, ?, ?, ?)
                    ON CONFLICT (catalog_id, name) DO UPDATE SET content = excluded.content
                    """,
                arguments: [
                    number, selection.name, try StoredJSON.text(selection), now.milliseconds,
                ]
            )
        }
    }

    func write(_ items: [CatalogItem], _ catalog: String) throws {
        guard let number = try SQLStore.number(of: catalog, workspace, database) else { return }
        let before = try database.totalChangesCount
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO catalog_items (catalog_id, item_id, content) VALUES (?, ?, ?)
                ON CONFLICT (catalog_id, item_id) DO UPDATE SET content = excluded.content
                    WHERE catalog_items.content <> excluded.content
                """
        )
        for item in items {
            try statement.execute(arguments: [number, item.id, try StoredJSON.text(item.values)])
        }
        if try database.totalChangesCount > before { try SQLStore.touch(number, now, database) }
    }
}
