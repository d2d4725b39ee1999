import Foundation
import Model
import Ports
import Relational

extension SQLStore: ExportLinkStore {
    package func saveExportLink(
        _ link: ExportLink,
        tokenHash: Data,
        now: Date
    ) async throws {
        let query = try link.query.map { try StoredJSON.text($0) }
        let fields = try StoredJSON.text(link.fields.sorted())
        try await write { database in
            try database.execute(
                sql: "DELETE FROM export_links WHERE expires_at <= ?",
                arguments: [now.milliseconds]
            )
            try database.execute(
                sql: "INSERT INTO export_links VALUES (?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    tokenHash, link.workspace.rawValue, query, fields, link.format.rawValue,
                    link.prefix, link.expiresAt.milliseconds,
                ]
            )
        }
    }

    package func exportLink(tokenHash: Data, now: Date) async throws -> ExportLink? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM export_links WHERE token_hash = ? AND expires_at > ?",
                arguments: [tokenHash, now.milliseconds]
            ).map(ExportLink.init(row:))
        }
    }
}

extension ExportLink {
    fileprivate init(row: Row) throws {
        guard let format = Format(rawValue: row["format"]) else {
            throw StoreError.unknownValue("format", in: row)
        }
        let query: String? = row["query"]
        self.init(
            workspace: WorkspaceID(row["workspace_id"]),
            query: try query.map { try StoredJSON.value($0, as: SegmentQuery.self) },
            fields: Set(try StoredJSON.value(row["fields"], as: [String].self)),
            format: format,
            prefix: row["prefix"],
            expiresAt: Date(milliseconds: row["expires_at"])
        )
    }
}
