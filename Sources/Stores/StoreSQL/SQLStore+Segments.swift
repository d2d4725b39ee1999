import Foundation
import Model
import Ports
import Relational

extension SQLStore: SegmentStore {
    package func createSegment(
        _ content: SegmentContent,
        in workspace: WorkspaceID,
        from origin: EditOrigin,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> StoredSegment {
        try await write { database in
            try origin.begin(in: workspace, database)
            let apiID = UUID()
            let number = try unlessTaken(content.name, database) {
                try Int64.fetchOnly(
                    database,
                    sql: """
                        INSERT INTO segments (workspace_id, api_id, name, description, definition,
                            author, created_at, updated_at)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
                        """,
                    arguments: [
                        workspace.rawValue, apiID, content.name, content.description,
                        content.definition, content.author, now.milliseconds, now.milliseconds,
                    ]
                )
            }
            let id = SegmentID(number)
            try origin.finish(as: String(id.rawValue), in: workspace, database)
            try Self.addAudit(audit, in: workspace, database)
            return StoredSegment(
                id: id,
                workspace: workspace,
                apiID: apiID,
                content: content,
                createdAt: now,
                updatedAt: now
            )
        }
    }

    package func controlGroup(of workspace: WorkspaceID) async throws -> ControlGroup? {
        try await limits(of: workspace).controlGroup
    }

    package func segment(_ id: SegmentID) async throws -> StoredSegment? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM segments WHERE id = ?",
                arguments: [id.rawValue]
            ).map(StoredSegment.init(row:))
        }
    }

    package func segment(
        apiID: UUID,
        in workspace: WorkspaceID
    ) async throws -> StoredSegment? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM segments WHERE api_id = ? AND workspace_id = ?",
                arguments: [apiID, workspace.rawValue]
            ).map(StoredSegment.init(row:))
        }
    }

    package func segments(in workspace: WorkspaceID) async throws -> [StoredSegment] {
        try await read { [unreadable] database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT * FROM segments WHERE workspace_id = ? AND archived_at IS NULL
                        ORDER BY updated_at DESC, id DESC
                        """
                ),
                arguments: [workspace.rawValue]
            )
            return try unreadable.values(rows, of: "segments", StoredSegment.init(row:))
        }
    }

    package func updateSegment(
        _ id: SegmentID,
        to content: SegmentContent,
        from origin: EditOrigin,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Bool {
        try await write { database in
            let owner = try Int64.fetchOne(
                database,
                sql: "SELECT workspace_id FROM segments WHERE id = ? AND archived_at IS NULL",
                arguments: [id.rawValue]
            )
            guard let workspace = owner.map({ WorkspaceID($0) }) else { return false }
            try origin.begin(in: workspace, database)
            try origin.check(
                "SELECT updated_at FROM segments WHERE id = ?",
                id.rawValue,
                database
            )
            try unlessTaken(content.name, database) {
                try database.execute(
                    sql: """
                        UPDATE segments SET name = ?, description = ?, definition = ?, author = ?,
                            updated_at = max(?, updated_at + 1)
                        WHERE id = ? AND archived_at IS NULL
                        """,
                    arguments: [
                        content.name, content.description, content.definition, content.author,
                        now.milliseconds, id.rawValue,
                    ]
                )
            }
            try origin.finish(as: String(id.rawValue), in: workspace, database)
            try Self.addAudit(audit, in: workspace, database)
            return true
        }
    }

    package func archiveSegment(_ id: SegmentID, noting audit: AuditRecord?, now: Date) async throws
        -> Bool
    {
        try await write { database in
            let owner = try Int64.fetchOne(
                database,
                sql: """
                    UPDATE segments SET archived_at = ? WHERE id = ? AND archived_at IS NULL
                    RETURNING workspace_id
                    """,
                arguments: [now.milliseconds, id.rawValue]
            )
            guard let owner else { return false }
            try Self.addAudit(audit, in: WorkspaceID(owner), database)
            return true
        }
    }

    // MARK: Sizes

    package func saveSegmentSizes(_ sizes: [SegmentID: Int], day: Int) async throws {
        try await write { database in
            for (segment, users) in sizes {
                try database.execute(
                    sql: """
                        INSERT INTO segment_sizes (segment_id, day, users)
                        SELECT id, ?, ? FROM segments WHERE id = ?
                        ON CONFLICT (segment_id, day) DO UPDATE SET users = excluded.users
                        """,
                    arguments: [day, users, segment.rawValue]
                )
            }
        }
    }

    package func segmentSizes(
        of segment: SegmentID,
        days: ClosedRange<Int>
    ) async throws -> [SegmentSize] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT day, users FROM segment_sizes
                    WHERE segment_id = ? AND day BETWEEN ? AND ? ORDER BY day
                    """,
                arguments: [segment.rawValue, days.lowerBound, days.upperBound]
            ).map { SegmentSize(day: $0["day"], users: $0["users"]) }
        }
    }

    // MARK: Lists

    package func saveUserList(
        named name: String,
        profiles: [ProfileID],
        author: String,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> UploadedList {
        try await write { database in
            let id =
                try Int64.fetchOnly(
                    database,
                    sql: """
                        INSERT INTO user_lists (workspace_id, name, author, updated_at)
                        VALUES (?, ?, ?, ?)
                        ON CONFLICT (workspace_id, name COLLATE NOCASE) DO UPDATE SET name = excluded.name,
                            author = excluded.author, updated_at = excluded.updated_at
                        RETURNING id
                        """,
                    arguments: [workspace.rawValue, name, author, now.milliseconds]
                )
            try database.execute(
                sql: "DELETE FROM user_list_members WHERE list_id = ?",
                arguments: [id]
            )
            // Deleted users, and users of another workspace, are left out.
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO user_list_members (list_id, profile_id)
                    SELECT ?, profiles.id FROM json_each(?)
                    JOIN profiles ON profiles.id = CAST(value AS INTEGER)
                    WHERE workspace_id = ?
                    """,
                arguments: [id, try StoredJSON.text(profiles), workspace.rawValue]
            )
            let users = try database.changesCount
            try ChangeLogWriter(database, in: workspace).wrote(list: id)
            try Self.addAudit(audit, in: workspace, database)
            return UploadedList(
                id: UserListID(id),
                workspace: workspace,
                name: name,
                author: author,
                users: users,
                updatedAt: now
            )
        }
    }

    package func userLists(in workspace: WorkspaceID) async throws -> [UploadedList] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT *, (SELECT count(*) FROM user_list_members WHERE list_id = id) AS users
                        FROM user_lists WHERE workspace_id = ? ORDER BY name COLLATE NOCASE
                        """
                ),
                arguments: [workspace.rawValue]
            ).map {
                UploadedList(
                    id: UserListID($0["id"]),
                    workspace: workspace,
                    name: $0["name"],
                    author: $0["author"],
                    users: $0["users"],
                    updatedAt: Date(milliseconds: $0["updated_at"])
                )
            }
        }
    }

    package func userLists(of profile: ProfileID) async throws -> [UserListID] {
        try await read { database in
            try Int64.fetchAll(
                database,
                sql: "SELECT list_id FROM user_list_members WHERE profile_id = ?",
                arguments: [profile.rawValue]
            ).map { UserListID($0) }
        }
    }

    package func deleteUserList(
        _ id: UserListID,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM user_lists WHERE id = ? AND workspace_id = ?",
                arguments: [id.rawValue, workspace.rawValue]
            )
            guard try database.changesCount > 0 else { return false }
            try ChangeLogWriter(database, in: workspace).wrote(list: id.rawValue)
            try Self.addAudit(audit, in: workspace, database)
            return true
        }
    }

    package func renameUserList(
        _ id: UserListID,
        to name: String,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws -> Bool {
        try await write { database in
            try unlessTaken(name, database) {
                try database.execute(
                    sql: "UPDATE user_lists SET name = ? WHERE id = ? AND workspace_id = ?",
                    arguments: [name, id.rawValue, workspace.rawValue]
                )
            }
            guard try database.changesCount > 0 else { return false }
            try Self.addAudit(audit, in: workspace, database)
            return true
        }
    }

    package func campaignReferences(
        in workspace: WorkspaceID
    ) async throws -> [CampaignReference] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT id, api_id, name FROM campaigns
                        WHERE workspace_id = ? AND journey_step_id IS NULL ORDER BY id DESC
                        """
                ),
                arguments: [workspace.rawValue]
            ).map {
                CampaignReference(
                    id: CampaignID($0["id"]),
                    apiID: $0["api_id"],
                    name: $0["name"]
                )
            }
        }
    }

    package func profiles(
        externalIDs: [String],
        in workspace: WorkspaceID
    ) async throws -> [String: ProfileID] {
        try await read { database in
            var found: [String: ProfileID] = [:]
            for id in externalIDs {
                found[id] = try ProfileLookup.find(.external(id), in: workspace, database)
            }
            return found
        }
    }
}

extension StoredSegment {
    init(row: Row) throws {
        self.init(
            id: SegmentID(row["id"]),
            workspace: WorkspaceID(row["workspace_id"]),
            apiID: try StoredUUID.value(row, "api_id"),
            content: SegmentContent(
                name: row["name"],
                description: row["description"],
                definition: row["definition"],
                author: row["author"]
            ),
            createdAt: Date(milliseconds: row["created_at"]),
            updatedAt: Date(milliseconds: row["updated_at"]),
            archivedAt: (row["archived_at"] as Int64?).map(Date.init(milliseconds:))
        )
    }
}
