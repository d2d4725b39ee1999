import Foundation
import Model
import NoroshiWire
import Ports
import Relational

extension SQLStore: CatalogStore {
    package func createCatalog(_ catalog: Catalog, noting audit: AuditRecord?, now: Date)
        async throws
    {
        try await write { database in
            try unlessTaken(catalog.name, database) {
                try database.execute(
                    sql: """
                        INSERT INTO catalogs (workspace_id, name, description, fields, updated_at)
                        VALUES (?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        catalog.workspace.rawValue, catalog.name, catalog.description,
                        try StoredJSON.text(catalog.fields), now.milliseconds,
                    ]
                )
            }
            try Self.addAudit(audit, in: catalog.workspace, database)
        }
    }

    static let catalogColumns = """
        catalogs.*, (SELECT count(*) FROM catalog_items WHERE catalog_id = catalogs.id) AS items,
            (SELECT coalesce(sum(length(CAST(content AS BLOB))), 0) FROM catalog_items
                WHERE catalog_id = catalogs.id) AS bytes
        """

    package func catalogs(in workspace: WorkspaceID) async throws -> [Catalog] {
        try await read { [unreadable] database in
            try unreadable.values(
                Row.fetchAll(
                    database,
                    sql:
                        "SELECT \(Self.catalogColumns) FROM catalogs WHERE workspace_id = ? ORDER BY name",
                    arguments: [workspace.rawValue]
                ),
                of: "catalogs"
            ) { try Catalog(row: $0, database, unreadable) }
        }
    }

    package func catalog(named name: String, in workspace: WorkspaceID) async throws -> Catalog? {
        try await read { [unreadable] database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT \(Self.catalogColumns) FROM catalogs WHERE workspace_id = ? AND name = ?
                    """,
                arguments: [workspace.rawValue, name]
            ).map { try Catalog(row: $0, database, unreadable) }
        }
    }

    package func deleteCatalog(
        named name: String,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM catalogs WHERE workspace_id = ? AND name = ?",
                arguments: [workspace.rawValue, name]
            )
            guard try database.changesCount > 0 else { return false }
            try Self.addAudit(audit, in: workspace, database)
            return true
        }
    }

    package func saveCatalogItems(
        _ items: [CatalogItem],
        as change: CatalogItemChange,
        in catalog: String,
        of workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> [String] {
        try await write { database in
            guard let number = try Self.number(of: catalog, workspace, database) else {
                return items.map(\.id)
            }
            // The fields may have changed since the items were checked.
            let fields = Set(try Self.fields(of: number, database).map(\.name))
            var stored: [String: CatalogItem] = [:]
            if change != .replace {
                for id in Set(items.map(\.id)) {
                    stored[id] = try Self.item(id, number, database)
                }
                let refused = items.map(\.id).filter { (stored[$0] == nil) == (change == .edit) }
                guard refused.isEmpty else { return refused }
            }
            for item in items {
                var values = stored[item.id]?.values ?? [:]
                values.merge(item.values.filter { fields.contains($0.key) }) { $1 }
                stored[item.id]?.values = values
                try database.execute(
                    sql: """
                        INSERT INTO catalog_items (catalog_id, item_id, content) VALUES (?, ?, ?)
                        ON CONFLICT (catalog_id, item_id) DO UPDATE SET content = excluded.content
                        """,
                    arguments: [number, item.id, try StoredJSON.text(values)]
                )
            }
            try Self.touch(number, now, database)
            try Self.addAudit(audit, in: workspace, database)
            return []
        }
    }

    package func deleteCatalogItems(
        _ ids: [String],
        in catalog: String,
        of workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Int {
        try await write { database in
            guard let number = try Self.number(of: catalog, workspace, database) else { return 0 }
            var count = 0
            for id in ids {
                try database.execute(
                    sql: "DELETE FROM catalog_items WHERE catalog_id = ? AND item_id = ?",
                    arguments: [number, id]
                )
                count += try database.changesCount
            }
            guard count > 0 else { return 0 }
            try Self.touch(number, now, database)
            try Self.addAudit(audit, in: workspace, database)
            return count
        }
    }

    package func catalogItems(
        _ ids: [String],
        in catalog: String,
        of workspace: WorkspaceID
    ) async throws -> [CatalogItem] {
        try await read { database in
            guard let number = try Self.number(of: catalog, workspace, database) else { return [] }
            return try ids.compactMap { try Self.item($0, number, database) }
        }
    }

    package func catalogItems(
        after id: String?,
        limit: Int,
        in catalog: String,
        of workspace: WorkspaceID
    ) async throws -> [CatalogItem] {
        try await read { [unreadable] database in
            guard let number = try Self.number(of: catalog, workspace, database) else { return [] }
            return try unreadable.values(
                Row.fetchAll(
                    database,
                    sql: """
                        SELECT item_id, content FROM catalog_items
                        WHERE catalog_id = ? AND item_id > ? ORDER BY item_id LIMIT ?
                        """,
                    arguments: [number, id ?? "", limit]
                ),
                of: "catalog_items",
                CatalogItem.init(row:)
            )
        }
    }

    // MARK: Parts

    static func number(
        of catalog: String,
        _ workspace: WorkspaceID,
        _ database: Database
    ) throws -> Int64? {
        try Int64.fetchOne(
            database,
            sql: "SELECT id FROM catalogs WHERE workspace_id = ? AND name = ?",
            arguments: [workspace.rawValue, catalog]
        )
    }

    static func item(
        _ id: String,
        _ catalog: Int64,
        _ database: Database
    ) throws -> CatalogItem? {
        try Row.fetchOne(
            database,
            sql: """
                SELECT item_id, content FROM catalog_items WHERE catalog_id = ? AND item_id = ?
                """,
            arguments: [catalog, id]
        ).map(CatalogItem.init(row:))
    }

    static func touch(_ catalog: Int64, _ now: Date, _ database: Database) throws {
        try database.execute(
            sql: "UPDATE catalogs SET updated_at = ? WHERE id = ?",
            arguments: [now.milliseconds, catalog]
        )
    }
}

extension Catalog {
    init(row: Row, _ database: Database, _ unreadable: UnreadableRows) throws {
        self.init(
            workspace: WorkspaceID(row["workspace_id"]),
            name: row["name"],
            description: row["description"],
            fields: try StoredJSON.value(row["fields"], as: [Field].self),
            selections: try SQLStore.selections(of: row["id"], database, unreadable),
            itemCount: row["items"],
            itemBytes: row["bytes"],
            updatedAt: Date(milliseconds: row["updated_at"])
        )
    }
}

extension CatalogItem {
    fileprivate init(row: Row) throws {
        self.init(id: row["item_id"], values: try StoredJSON.object(row["content"]))
    }
}
