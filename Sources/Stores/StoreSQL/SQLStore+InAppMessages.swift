import Foundation
import Model
import NoroshiWire
import Ports
import Relational

extension SQLStore: InAppMessageStore {
    package func createInAppMessage(
        _ message: InAppMessageDefinition,
        from origin: EditOrigin,
        noting audit: AuditRecord?
    ) async throws {
        try await write { database in
            try origin.begin(in: message.workspace, database)
            try unlessTaken(message.name, database) {
                try database.execute(
                    sql: """
                        INSERT INTO in_app_messages (workspace_id, api_id, name, state, segment_id,
                            filter, message, experiment, goal, created_at, updated_at)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        message.workspace.rawValue, message.id, message.name,
                        message.state.rawValue, message.audience.segments.first?.rawValue,
                        message.audience.filter, try StoredJSON.text(message.message),
                        try StoredJSON.text(message.experiment),
                        try message.goal.map(StoredJSON.text),
                        message.createdAt.milliseconds, message.updatedAt.milliseconds,
                    ]
                )
            }
            try Self.number(message, database)
            let name = message.id.uuidString.lowercased()
            try origin.finish(as: name, in: message.workspace, database)
            if let audit { try Self.addAudit(audit, in: message.workspace, database) }
        }
    }

    /// Assigns identifiers and numbers to the variants of a stored message.
    static func number(_ message: InAppMessageDefinition, _ database: Database) throws {
        let numbered = try InAppVariantRows(message: message.id, database: database)
            .numbered(message)
        try database.execute(
            sql: "UPDATE in_app_messages SET experiment = ? WHERE api_id = ?",
            arguments: [try StoredJSON.text(numbered.experiment), message.id]
        )
    }

    package func inAppVariantRecords(
        of id: UUID,
        in workspace: WorkspaceID
    ) async throws -> [InAppVariantRecord] {
        try await read { database in
            let isHere = try Bool.fetchOne(
                database,
                sql: "SELECT workspace_id = ? FROM in_app_messages WHERE api_id = ?",
                arguments: [workspace.rawValue, id]
            )
            guard isHere == true else { return [] }
            return try InAppVariantRows(message: id, database: database).records()
        }
    }

    package func updateInAppMessage(
        _ message: InAppMessageDefinition,
        from origin: EditOrigin,
        noting audit: AuditRecord?
    ) async throws -> Bool {
        try await write { database in
            try origin.begin(in: message.workspace, database)
            try origin.check(
                "SELECT updated_at FROM in_app_messages WHERE api_id = ?",
                message.id,
                database
            )
            try unlessTaken(message.name, database) {
                try database.execute(
                    sql: """
                        UPDATE in_app_messages SET name = ?, state = ?, segment_id = ?,
                            filter = ?, message = ?, experiment = ?, goal = ?,
                            updated_at = max(?, updated_at + 1)
                        WHERE api_id = ? AND workspace_id = ?
                        """,
                    arguments: [
                        message.name, message.state.rawValue,
                        message.audience.segments.first?.rawValue, message.audience.filter,
                        try StoredJSON.text(message.message),
                        try StoredJSON.text(message.experiment),
                        try message.goal.map(StoredJSON.text),
                        message.updatedAt.milliseconds, message.id, message.workspace.rawValue,
                    ]
                )
            }
            guard try database.changesCount > 0 else { return false }
            try Self.number(message, database)
            let name = message.id.uuidString.lowercased()
            try origin.finish(as: name, in: message.workspace, database)
            if let audit { try Self.addAudit(audit, in: message.workspace, database) }
            return true
        }
    }

    package func inAppMessage(
        _ id: UUID,
        in workspace: WorkspaceID
    ) async throws -> InAppMessageDefinition? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM in_app_messages WHERE api_id = ? AND workspace_id = ?",
                arguments: [id, workspace.rawValue]
            ).map(InAppMessageDefinition.init(row:))
        }
    }

    package func inAppMessages(
        in workspace: WorkspaceID,
        states: Set<InAppMessageDefinition.State>,
        limit: Int,
        offset: Int
    ) async throws -> [InAppMessageDefinition] {
        let names = try StoredJSON.text(states.map(\.rawValue))
        return try await read { [unreadable] database in
            try unreadable.values(
                Row.fetchAll(
                    database,
                    sql: """
                        SELECT * FROM in_app_messages WHERE workspace_id = ?
                            AND state IN (SELECT value FROM json_each(?))
                        ORDER BY id LIMIT ? OFFSET ?
                        """,
                    arguments: [workspace.rawValue, names, limit, offset]
                ),
                of: "in_app_messages",
                InAppMessageDefinition.init(row:)
            )
        }
    }

    package func inAppMessages(
        in workspace: WorkspaceID,
        matching query: InAppMessageQuery
    ) async throws -> (messages: [InAppMessageDefinition], total: Int) {
        let names = try StoredJSON.text(query.states.map(\.rawValue))
        let condition = """
            workspace_id = :workspace AND state IN (SELECT value FROM json_each(:states))
                AND (:text = '' OR instr(lower(name), lower(:text)))
            """
        let arguments: StatementArguments = [
            "workspace": workspace.rawValue, "states": names, "text": query.text,
        ]
        return try await read { [unreadable] database in
            let messages = try unreadable.values(
                Row.fetchAll(
                    database,
                    sql: """
                        SELECT * FROM in_app_messages WHERE \(condition)
                        ORDER BY id DESC LIMIT :limit OFFSET :offset
                        """,
                    arguments: arguments + ["limit": query.limit, "offset": query.offset]
                ),
                of: "in_app_messages",
                InAppMessageDefinition.init(row:)
            )
            let total = try Int.fetchOnly(
                database,
                sql: "SELECT count(*) FROM in_app_messages WHERE \(condition)",
                arguments: arguments
            )
            return (messages, total)
        }
    }
}

extension InAppMessageDefinition {
    init(row: Row) throws {
        let state: String = row["state"]
        guard let state = State(rawValue: state) else {
            throw StoreError.unknownValue("state", in: row)
        }
        self.init(
            id: try StoredUUID.value(row, "api_id"),
            workspace: WorkspaceID(row["workspace_id"]),
            name: row["name"],
            state: state,
            audience: SegmentQuery(
                segments: (row["segment_id"] as Int64?).map { [SegmentID($0)] } ?? [],
                filter: row["filter"]
            ),
            message: try StoredJSON.value(row["message"], as: InAppMessage.self),
            experiment: try (row["experiment"] as String?).map {
                try StoredJSON.value($0, as: InAppExperiment.self)
            } ?? InAppExperiment(),
            goal: try (row["goal"] as String?).map {
                try StoredJSON.value($0, as: ConversionEvent.self)
            },
            createdAt: Date(milliseconds: row["created_at"]),
            updatedAt: Date(milliseconds: row["updated_at"])
        )
    }
}
