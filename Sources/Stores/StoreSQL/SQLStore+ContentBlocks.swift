import Foundation
import Model
import Ports
import Relational

extension SQLStore: ContentBlockStore {
    package func createContentBlock(_ block: ContentBlock, noting audit: AuditRecord?) async throws
    {
        try await write { database in
            try unlessTaken(block.name, database) {
                try database.execute(
                    sql: """
                        INSERT INTO content_blocks (workspace_id, name, description, content,
                            state, tags, created_at, updated_at, id)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        block.workspace.rawValue, block.name, block.description, block.content,
                        block.state.rawValue, try StoredJSON.text(block.tags),
                        block.createdAt.milliseconds, block.updatedAt.milliseconds, block.id,
                    ]
                )
            }
            try Self.addAudit(audit, in: block.workspace, database)
        }
    }

    package func updateContentBlock(_ block: ContentBlock, noting audit: AuditRecord?) async throws
        -> Bool
    {
        try await write { database in
            try unlessTaken(block.name, database) {
                try database.execute(
                    sql: """
                        UPDATE content_blocks SET name = ?, description = ?, content = ?,
                            state = ?, tags = ?, updated_at = ?
                        WHERE id = ? AND workspace_id = ?
                        """,
                    arguments: [
                        block.name, block.description, block.content, block.state.rawValue,
                        try StoredJSON.text(block.tags), block.updatedAt.milliseconds, block.id,
                        block.workspace.rawValue,
                    ]
                )
            }
            guard try database.changesCount > 0 else { return false }
            try Self.addAudit(audit, in: block.workspace, database)
            return true
        }
    }

    package func deleteContentBlock(
        _ id: UUID,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws -> Bool {
        try await delete(from: "content_blocks", id, in: workspace, noting: audit)
    }

    package func contentBlock(
        _ id: UUID,
        in workspace: WorkspaceID
    ) async throws -> ContentBlock? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM content_blocks WHERE id = ? AND workspace_id = ?",
                arguments: [id, workspace.rawValue]
            ).map(ContentBlock.init(row:))
        }
    }

    package func contentBlocks(
        named names: [String],
        in workspace: WorkspaceID
    ) async throws -> [ContentBlock] {
        try await read { database in
            try names.compactMap { name in
                try Row.fetchOne(
                    database,
                    sql: "SELECT * FROM content_blocks WHERE workspace_id = ? AND name = ?",
                    arguments: [workspace.rawValue, name]
                ).map(ContentBlock.init(row:))
            }
        }
    }

    package func contentBlocks(of send: SendID) async throws -> [SentContentBlock]? {
        try await read { try Self.contentBlocks(of: send, $0) }
    }

    private static func contentBlocks(
        of send: SendID,
        _ database: Database
    ) throws -> [SentContentBlock]? {
        try String.fetchOne(
            database,
            sql: "SELECT blocks FROM send_blocks WHERE send_id = ?",
            arguments: [send.rawValue]
        ).map { try StoredJSON.value($0, as: [SentContentBlock].self) }
    }

    package func keepContentBlocks(
        _ blocks: [SentContentBlock],
        of send: SendID
    ) async throws -> [SentContentBlock] {
        try await write { database in
            if let kept = try Self.contentBlocks(of: send, database) { return kept }
            try database.execute(
                sql: "INSERT INTO send_blocks (send_id, blocks) VALUES (?, ?)",
                arguments: [send.rawValue, try StoredJSON.text(blocks)]
            )
            return blocks
        }
    }

    package func contentBlocks(
        in workspace: WorkspaceID,
        matching query: ContentBlockQuery
    ) async throws -> [ContentBlock] {
        try await read { [unreadable] database in
            try unreadable.values(
                Row.fetchAll(
                    database,
                    sql: """
                        SELECT * FROM content_blocks
                        WHERE workspace_id = ? AND updated_at > ? AND updated_at < ?
                        ORDER BY updated_at DESC, name LIMIT ? OFFSET ?
                        """,
                    arguments: [
                        workspace.rawValue, query.modifiedAfter?.milliseconds ?? Int64.min,
                        query.modifiedBefore?.milliseconds ?? Int64.max, query.limit, query.offset,
                    ]
                ),
                of: "content_blocks",
                ContentBlock.init(row:)
            )
        }
    }
}

extension ContentBlock {
    init(row: Row) throws {
        let state: String = row["state"]
        guard let state = State(rawValue: state) else {
            throw StoreError.unknownValue("state", in: row)
        }
        self.init(
            id: try StoredUUID.value(row, "id"),
            workspace: WorkspaceID(row["workspace_id"]),
            name: row["name"],
            description: row["description"],
            content: row["content"],
            state: state,
            tags: try StoredJSON.value(row["tags"], as: [String].self),
            createdAt: Date(milliseconds: row["created_at"]),
            updatedAt: Date(milliseconds: row["updated_at"])
        )
    }
}
