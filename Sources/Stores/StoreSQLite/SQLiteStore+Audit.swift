import Foundation
import GRDB
import Model
import Ports

extension SQLiteStore: AuditStore {
    package func addAudit(_ record: AuditRecord, in workspace: WorkspaceID) async throws {
        try await write { database in
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
    }

    package func audit(
        in workspace: WorkspaceID,
        matching query: AuditQuery
    ) async throws -> (records: [AuditRecord], total: Int) {
        var conditions = ["workspace_id = :workspace"]
        var arguments: StatementArguments = ["workspace": workspace.rawValue]
        if !query.text.isEmpty {
            conditions.append("instr(lower(action || ' ' || subject || ' ' || detail), :text)")
            arguments += ["text": query.text.lowercased()]
        }
        if let author = query.author {
            conditions.append("author = :author")
            arguments += ["author": author]
        }
        if let origin = query.origin {
            conditions.append("origin = :origin")
            arguments += ["origin": origin.rawValue]
        }
        if let from = query.from {
            conditions.append("at >= :from")
            arguments += ["from": from.milliseconds]
        }
        if let until = query.until {
            conditions.append("at < :until")
            arguments += ["until": until.milliseconds]
        }
        let source = "FROM audit_log WHERE " + conditions.joined(separator: " AND ")
        let limits: StatementArguments = ["limit": query.limit, "offset": query.offset]
        return try await read { [arguments] database in
            let total = try Int.fetchOne(
                database,
                sql: "SELECT count(*) \(source)",
                arguments: arguments
            )
            let records = try Row.fetchAll(
                database,
                sql: "SELECT * \(source) ORDER BY id DESC LIMIT :limit OFFSET :offset",
                arguments: arguments + limits
            ).map(AuditRecord.init(row:))
            return (records, total ?? 0)
        }
    }

    package func auditAuthors(in workspace: WorkspaceID) async throws -> [String] {
        try await read { database in
            // From one author to the next over the index: the log may be long, the team is not.
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
            throw StoreError(
                .unreadable,
                "the audit log names the unknown origin \(row["origin"] as String)"
            )
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
