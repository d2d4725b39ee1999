import Foundation
import Model
import Ports
import Relational

extension SQLStore: AuditStore {
    package func addAudit(_ record: AuditRecord, in workspace: WorkspaceID) async throws {
        try await write { try Self.addAudit(record, in: workspace, $0) }
    }

    /// Writes an audit record in the transaction of its change; does nothing if `record` is `nil`.
    static func addAudit(
        _ record: AuditRecord?,
        in workspace: WorkspaceID,
        _ database: Database
    ) throws {
        guard let record else { return }
        try database.execute(
            sql: """
                INSERT INTO audit_log
                    (workspace_id, at, origin, author, action, subject, detail)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                workspace.rawValue, record.at.milliseconds, record.origin.rawValue,
                record.author, record.action, record.subject, record.detail,
            ]
        )
    }

    package func audit(
        in workspace: WorkspaceID,
        matching query: AuditQuery
    ) async throws -> (records: [AuditRecord], total: Int) {
        var page = PagedQuery(
            "audit_log",
            workspace: workspace.rawValue,
            limit: query.limit,
            offset: query.offset
        )
        if !query.text.isEmpty {
            page.filter(
                "instr(lower(action || ' ' || subject || ' ' || detail), :text)",
                ["text": query.text.lowercased()]
            )
        }
        if let author = query.author { page.filter("author = :author", ["author": author]) }
        if let origin = query.origin {
            page.filter("origin = :origin", ["origin": origin.rawValue])
        }
        if let from = query.from { page.filter("at >= :from", ["from": from.milliseconds]) }
        if let until = query.until { page.filter("at < :until", ["until": until.milliseconds]) }
        let found = try await read { [page, unreadable] in
            try page.fetch($0, unreadable, AuditRecord.init(row:))
        }
        return (found.items, found.total)
    }

    package func auditAuthors(in workspace: WorkspaceID) async throws -> [String] {
        try await read { database in
            // Seeks from one author to the next in the index: the log may be long, the team is
            // small.
            try String.fetchAll(
                database,
                sql: """
                    WITH RECURSIVE authors (name) AS (
                        SELECT min(author) FROM audit_log WHERE workspace_id = :workspace
                        UNION ALL
                        SELECT (SELECT min(author) FROM audit_log
                                WHERE workspace_id = :workspace AND author > name)
                        FROM authors WHERE name IS NOT NULL
                    )
                    SELECT name FROM authors WHERE name IS NOT NULL
                    """,
                arguments: ["workspace": workspace.rawValue]
            )
        }
    }
}

extension AuditRecord {
    fileprivate init(row: Row) throws {
        guard let origin = Origin(rawValue: row["origin"]) else {
            throw StoreError.unknownValue("origin", in: row)
        }
        self.init(
            at: Date(milliseconds: row["at"]),
            origin: origin,
            author: row["author"],
            action: row["action"],
            subject: row["subject"],
            detail: row["detail"]
        )
    }
}
