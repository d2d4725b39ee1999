import Foundation
import GRDB
import Model
import Ports

extension SQLiteStore: DraftStore {
    package func saveDraft(
        _ draft: FormDraft,
        limit: Int,
        sentSince: Date
    ) async throws -> SendID? {
        try await write { database in
            if let known = try Self.draft(draft.id, draft.workspace, database), known.send != nil {
                return known.send
            }
            try database.execute(
                sql: """
                    INSERT INTO form_drafts
                        (public_id, workspace_id, kind, fields, title, author, updated_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (workspace_id, public_id) DO UPDATE SET
                        fields = excluded.fields, title = excluded.title,
                        author = excluded.author, updated_at = excluded.updated_at
                    """,
                arguments: [
                    draft.id, draft.workspace.rawValue, draft.kind.rawValue, draft.fields,
                    draft.title, draft.author, draft.updatedAt.milliseconds,
                ]
            )
            try database.execute(
                sql: """
                    DELETE FROM form_drafts WHERE workspace_id = :workspace AND (
                        send_id IS NOT NULL AND updated_at < :sentSince
                        OR send_id IS NULL AND id NOT IN (
                            SELECT id FROM form_drafts
                            WHERE workspace_id = :workspace AND send_id IS NULL
                            ORDER BY updated_at DESC, id DESC LIMIT :limit))
                    """,
                arguments: [
                    "workspace": draft.workspace.rawValue, "limit": limit,
                    "sentSince": sentSince.milliseconds,
                ]
            )
            return nil
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
                        WHERE workspace_id = ? AND kind = ? AND send_id IS NULL
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
            return database.changesCount > 0
        }
    }

    package func finishDraft(
        _ id: UUID,
        in workspace: WorkspaceID,
        as send: SendID
    ) async throws {
        try await write { try Self.finishDraft(id, workspace, send, $0) }
    }

    private static func finishDraft(
        _ id: UUID,
        _ workspace: WorkspaceID,
        _ send: SendID,
        _ database: Database
    ) throws {
        try database.execute(
            sql: "UPDATE form_drafts SET send_id = ? WHERE public_id = ? AND workspace_id = ?",
            arguments: [send.rawValue, id, workspace.rawValue]
        )
    }

    package func createSend(
        _ content: SendContent,
        ofDraft id: UUID,
        in workspace: WorkspaceID,
        scheduledAt: Date,
        now: Date
    ) async throws -> DraftedSend {
        try await write { database in
            guard let draft = try Self.draft(id, workspace, database) else { return .missing }
            if let send = draft.send { return .known(send) }
            let send = try Self.insertSend(
                content,
                in: workspace,
                scheduledAt: scheduledAt,
                now,
                database
            )
            try Self.finishDraft(id, workspace, send.id, database)
            return .made(send)
        }
    }
}

extension FormDraft {
    fileprivate init(row: Row) throws {
        guard let kind = Kind(rawValue: row["kind"]), let id: UUID = row["public_id"] else {
            throw StoreError(.unreadable, "a draft is of the unknown kind \(row["kind"] as String)")
        }
        self.init(
            id: id,
            workspace: WorkspaceID(row["workspace_id"]),
            kind: kind,
            fields: row["fields"],
            title: row["title"],
            author: row["author"],
            updatedAt: Date(milliseconds: row["updated_at"]),
            send: (row["send_id"] as Int64?).map { SendID($0) }
        )
    }
}
