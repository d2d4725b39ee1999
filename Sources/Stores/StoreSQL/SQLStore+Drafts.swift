import Foundation
import Model
import Ports
import Relational

extension SQLStore: DraftStore {
    package func saveDraft(
        _ draft: FormDraft,
        seen: Int,
        limit: Int,
        finishedSince: Date
    ) async throws -> SavedDraft {
        try await write { database in
            var draft = draft
            let known = try Self.draft(draft.id, draft.workspace, database)
            if let known {
                if known.outcome != nil { return .finished(known) }
                if known.fields == draft.fields { return .saved(known) }
                guard known.revision == seen || known.window == draft.window else {
                    return .elsewhere(known)
                }
            }
            draft.revision = (known?.revision ?? 0) + 1
            draft.outcome = nil
            try database.execute(
                sql: """
                    INSERT INTO form_drafts (public_id, workspace_id, kind, subject, fields, title,
                        author, updated_at, revision, written_in)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (workspace_id, public_id) DO UPDATE SET
                        fields = excluded.fields, title = excluded.title,
                        author = excluded.author, updated_at = excluded.updated_at,
                        revision = excluded.revision, written_in = excluded.written_in
                    """,
                arguments: [
                    draft.id, draft.workspace.rawValue, draft.kind.rawValue, draft.subject,
                    draft.fields, draft.title, draft.author, draft.updatedAt.milliseconds,
                    draft.revision, draft.window,
                ]
            )
            try database.execute(
                sql: """
                    DELETE FROM form_drafts WHERE workspace_id = :workspace AND (
                        outcome IS NOT NULL AND updated_at < :finishedSince
                        OR outcome IS NULL AND id NOT IN (
                            SELECT id FROM form_drafts
                            WHERE workspace_id = :workspace AND outcome IS NULL
                            ORDER BY updated_at DESC, id DESC LIMIT :limit))
                    """,
                arguments: [
                    "workspace": draft.workspace.rawValue, "limit": limit,
                    "finishedSince": finishedSince.milliseconds,
                ]
            )
            return .saved(draft)
        }
    }

    package func draft(_ id: UUID, in workspace: WorkspaceID) async throws -> FormDraft? {
        try await read { try Self.draft(id, workspace, $0) }
    }

    private static func draft(
        _ id: UUID,
        _ workspace: WorkspaceID,
        _ database: Database
    ) throws -> FormDraft? {
        try Row.fetchOne(
            database,
            sql: "SELECT * FROM form_drafts WHERE public_id = ? AND workspace_id = ?",
            arguments: [id, workspace.rawValue]
        ).map(FormDraft.init(row:))
    }

    package func drafts(
        _ kind: FormDraft.Kind,
        in workspace: WorkspaceID
    ) async throws -> [FormDraft] {
        try await read { [unreadable] database in
            try unreadable.values(
                Row.fetchAll(
                    database,
                    sql: """
                        SELECT * FROM form_drafts
                        WHERE workspace_id = ? AND kind = ? AND outcome IS NULL
                        ORDER BY updated_at DESC, id DESC
                        """,
                    arguments: [workspace.rawValue, kind.rawValue]
                ),
                of: "form_drafts",
                FormDraft.init(row:)
            )
        }
    }

    package func deleteDraft(_ id: UUID, in workspace: WorkspaceID) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM form_drafts WHERE public_id = ? AND workspace_id = ?",
                arguments: [id, workspace.rawValue]
            )
            return try database.changesCount > 0
        }
    }

    package func createSend(
        _ content: SendContent,
        ofDraft id: UUID,
        in workspace: WorkspaceID,
        scheduledAt: Date,
        noting audit: @escaping @Sendable (SendID) -> AuditRecord?,
        now: Date
    ) async throws -> DraftedSend {
        try await write { database in
            guard let draft = try Self.draft(id, workspace, database) else { return .missing }
            if let send = draft.outcome.flatMap(Int64.init) { return .known(SendID(send)) }
            let send = try Self.insertSend(
                content,
                in: workspace,
                scheduledAt: scheduledAt,
                now,
                database
            )
            try EditOrigin(draft: id).finish(
                as: String(send.id.rawValue),
                in: workspace,
                database
            )
            try Self.addAudit(audit(send.id), in: workspace, database)
            return .made(send)
        }
    }
}

extension SQLStore {
    package func takeBack(
        _ send: SendID,
        in workspace: WorkspaceID,
        noting audit: AuditRecord,
        now: Date
    ) async throws -> UUID? {
        try await write { database in
            let draft = try UUID.fetchOne(
                database,
                sql: """
                    SELECT public_id FROM form_drafts
                    WHERE workspace_id = ? AND kind = ? AND outcome = ?
                    """,
                arguments: [
                    workspace.rawValue, FormDraft.Kind.push.rawValue, String(send.rawValue),
                ]
            )
            guard let draft else { return nil }
            try database.execute(
                sql: """
                    UPDATE sends SET state = 'cancelled', finished_at = ?
                    WHERE id = ? AND workspace_id = ? AND state = 'scheduled'
                    """,
                arguments: [now.milliseconds, send.rawValue, workspace.rawValue]
            )
            guard try database.changesCount > 0 else { return nil }
            try database.execute(
                sql: """
                    UPDATE form_drafts SET outcome = NULL, revision = revision + 1, updated_at = ?
                    WHERE public_id = ? AND workspace_id = ?
                    """,
                arguments: [now.milliseconds, draft, workspace.rawValue]
            )
            try Self.addAudit(audit, in: workspace, database)
            return draft
        }
    }
}

extension FormDraft {
    fileprivate init(row: Row) throws {
        guard let kind = Kind(rawValue: row["kind"]) else {
            throw StoreError.unknownValue("kind", in: row)
        }
        self.init(
            id: try StoredUUID.value(row, "public_id"),
            workspace: WorkspaceID(row["workspace_id"]),
            kind: kind,
            subject: row["subject"],
            fields: row["fields"],
            title: row["title"],
            author: row["author"],
            updatedAt: Date(milliseconds: row["updated_at"]),
            revision: row["revision"],
            window: row["written_in"],
            outcome: row["outcome"]
        )
    }
}
