import Foundation
import Model
import Ports
import Relational

extension SQLStore: WorkspaceStore {
    package func createWorkspace(
        name: String,
        timeZone: String,
        now: Date
    ) async throws -> WorkspaceID {
        try await write { database in
            try Self.insertWorkspace(name, timeZone, now, database)
        }
    }

    static func insertWorkspace(
        _ name: String,
        _ timeZone: String,
        _ now: Date,
        _ database: Database
    ) throws -> WorkspaceID {
        let number = try Int64.fetchOnly(
            database,
            sql: """
                INSERT INTO workspaces (name, time_zone, created_at) VALUES (?, ?, ?) RETURNING id
                """,
            arguments: [name, timeZone, now.milliseconds]
        )
        return WorkspaceID(number)
    }

    package func workspaces() async throws -> [Workspace] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM workspaces ORDER BY id")
                .map(Workspace.init(row:))
        }
    }

    package func workspace(_ id: WorkspaceID) async throws -> Workspace? {
        try await read { try Self.workspace(id, $0) }
    }

    package func changeWorkspace(
        _ id: WorkspaceID,
        _ change:
            @escaping @Sendable (WorkspaceSettings) throws -> (
                settings: WorkspaceSettings, audit: AuditRecord
            )
    ) async throws -> Workspace? {
        try await write { database in
            guard var workspace = try Self.workspace(id, database) else { return nil }
            let (settings, audit) = try change(workspace.settings)
            try database.execute(
                sql: """
                    UPDATE workspaces
                    SET name = ?, time_zone = ?, currency = ?, languages = ?, color = ?,
                        requires_second_factor = ?, record_id_days = ?, audit_days = ?,
                        custom_event_days = ?, session_days = ?, in_app_report_days = ?,
                        push_report_days = ?, dispatch_days = ?
                    WHERE id = ?
                    """,
                arguments: [
                    settings.name, settings.timeZone, settings.currency,
                    settings.languages.joined(separator: ","), settings.color.rawValue,
                    settings.requiresSecondFactor, settings.retention.recordIDs,
                    settings.retention.audit, settings.retention.customEvents,
                    settings.retention.sessions, settings.retention.inAppReports,
                    settings.retention.pushReports, settings.retention.dispatches, id.rawValue,
                ]
            )
            try Self.addAudit(audit, in: id, database)
            workspace.settings = settings
            return workspace
        }
    }

    static func workspace(_ id: WorkspaceID, _ database: Database) throws -> Workspace? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM workspaces WHERE id = ?"),
            arguments: [id.rawValue]
        ).map(Workspace.init(row:))
    }
}

extension Workspace {
    fileprivate init(row: Row) {
        let languages: String = row["languages"]
        self.init(
            id: WorkspaceID(row["id"]),
            settings: WorkspaceSettings(
                name: row["name"],
                timeZone: row["time_zone"],
                currency: row["currency"],
                languages: languages.split(separator: ",").map(String.init),
                // An unknown color of a later version must not make the workspace unreadable.
                color: WorkspaceColor(rawValue: row["color"]) ?? .ember,
                requiresSecondFactor: row["requires_second_factor"],
                retention: RetentionPeriods(
                    recordIDs: row["record_id_days"],
                    audit: row["audit_days"],
                    customEvents: row["custom_event_days"],
                    sessions: row["session_days"],
                    inAppReports: row["in_app_report_days"],
                    pushReports: row["push_report_days"],
                    dispatches: row["dispatch_days"]
                )
            )
        )
    }
}
