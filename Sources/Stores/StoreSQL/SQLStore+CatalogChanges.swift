import Foundation
import Model
import Ports
import Relational

/// Changes of a catalog's fields and selections.
extension SQLStore {
    package func addCatalogFields(
        _ fields: [Catalog.Field],
        to catalog: String,
        of workspace: WorkspaceID,
        limit: Int,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> CatalogChangeOutcome {
        try await write { database in
            guard let number = try Self.number(of: catalog, workspace, database) else {
                return .noCatalog
            }
            let stored = try Self.fields(of: number, database)
            let names = Set(stored.map(\.name))
            let known = fields.map(\.name).filter(names.contains)
            guard known.isEmpty else { return .known(known) }
            guard stored.count + fields.count <= limit else { return .full }
            try Self.save(stored + fields, of: number, now, database)
            try Self.addAudit(audit, in: workspace, database)
            return .changed
        }
    }

    package func removeCatalogField(
        _ field: String,
        from catalog: String,
        of workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> CatalogChangeOutcome {
        try await write { [unreadable] database in
            guard let number = try Self.number(of: catalog, workspace, database) else {
                return .noCatalog
            }
            let stored = try Self.fields(of: number, database)
            guard stored.contains(where: { $0.name == field }) else { return .unknown([field]) }
            let needing = try Self.selections(of: number, database, unreadable)
                .filter { $0.fields.contains(field) }
            guard needing.isEmpty else { return .needed(by: needing.map(\.name)) }
            try Self.save(stored.filter { $0.name != field }, of: number, now, database)
            // A field of this name that is added later must not find the old values. A path in
            // SQLite's JSON accepts any name in double quotes, and names of fields contain none.
            try database.execute(
                sql: """
                    UPDATE catalog_items SET content = json_remove(content, ?)
                    WHERE catalog_id = ? AND json_type(content, ?) IS NOT NULL
                    """,
                arguments: ["$.\"\(field)\"", number, "$.\"\(field)\""]
            )
            try Self.addAudit(audit, in: workspace, database)
            return .changed
        }
    }

    package func addCatalogSelection(
        _ selection: CatalogSelection,
        to catalog: String,
        of workspace: WorkspaceID,
        limit: Int,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> CatalogChangeOutcome {
        try await write { [unreadable] database in
            guard let number = try Self.number(of: catalog, workspace, database) else {
                return .noCatalog
            }
            let unknown = selection.fields.subtracting(
                try Self.fields(of: number, database).map(\.name)
            )
            guard unknown.isEmpty else { return .unknown(unknown.sorted()) }
            let stored = try Self.selections(of: number, database, unreadable)
            guard !stored.contains(where: { $0.name == selection.name }) else {
                return .known([selection.name])
            }
            guard stored.count < limit else { return .full }
            try database.execute(
                sql: """
                    INSERT INTO catalog_selections (catalog_id, name, content, created_at)
                    VALUES (?, ?, ?, ?)
                    """,
                arguments: [
                    number, selection.name, try StoredJSON.text(selection), now.milliseconds,
                ]
            )
            try Self.touch(number, now, database)
            try Self.addAudit(audit, in: workspace, database)
            return .changed
        }
    }

    package func removeCatalogSelection(
        named name: String,
        from catalog: String,
        of workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> CatalogChangeOutcome {
        try await write { database in
            guard let number = try Self.number(of: catalog, workspace, database) else {
                return .noCatalog
            }
            try database.execute(
                sql: "DELETE FROM catalog_selections WHERE catalog_id = ? AND name = ?",
                arguments: [number, name]
            )
            guard try database.changesCount > 0 else { return .unknown([name]) }
            try Self.touch(number, now, database)
            try Self.addAudit(audit, in: workspace, database)
            return .changed
        }
    }

    // MARK: Parts

    static func fields(of catalog: Int64, _ database: Database) throws -> [Catalog.Field] {
        let text = try String.fetchOne(
            database,
            sql: "SELECT fields FROM catalogs WHERE id = ?",
            arguments: [catalog]
        )
        return try StoredJSON.value(text ?? "[]", as: [Catalog.Field].self)
    }

    static func selections(
        of catalog: Int64,
        _ database: Database,
        _ unreadable: UnreadableRows
    ) throws -> [CatalogSelection] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT catalog_id AS id, content FROM catalog_selections WHERE catalog_id = ?
                ORDER BY name
                """,
            arguments: [catalog]
        )
        return try unreadable.values(rows, of: "catalog_selections") {
            try StoredJSON.value($0["content"], as: CatalogSelection.self)
        }
    }

    private static func save(
        _ fields: [Catalog.Field],
        of catalog: Int64,
        _ now: Date,
        _ database: Database
    ) throws {
        try database.execute(
            sql: "UPDATE catalogs SET fields = ? WHERE id = ?",
            arguments: [try StoredJSON.text(fields), catalog]
        )
        try touch(catalog, now, database)
    }
}
