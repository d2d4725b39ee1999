import Foundation
import Model
import Ports
import Relational

extension SQLStore: PreferenceCenterStore {
    package func createPreferenceCenter(
        _ center: PreferenceCenter,
        limit: Int
    ) async throws -> Bool {
        try await write { database in
            let count = try Int.fetchOnly(
                database,
                sql: "SELECT count(*) FROM preference_centers WHERE workspace_id = ?",
                arguments: [center.workspace.rawValue]
            )
            guard count < limit else { return false }
            try unlessTaken(center.name, database) {
                try database.execute(
                    sql: """
                        INSERT INTO preference_centers (public_id, workspace_id, name, title, page,
                            confirmation, viewport, state, created_at, updated_at)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        center.id, center.workspace.rawValue, center.name, center.title,
                        center.page, center.confirmation, center.viewport,
                        center.state.rawValue, center.createdAt.milliseconds,
                        center.updatedAt.milliseconds,
                    ]
                )
            }
            return true
        }
    }

    package func preferenceCenters(
        in workspace: WorkspaceID
    ) async throws -> [PreferenceCenter] {
        try await read { [unreadable] database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT rowid AS id, * FROM preference_centers WHERE workspace_id = ?
                    ORDER BY created_at, name
                    """,
                arguments: [workspace.rawValue]
            )
            return try unreadable.values(
                rows,
                of: "preference_centers",
                PreferenceCenter.init(row:)
            )
        }
    }

    package func preferenceCenter(
        _ id: UUID,
        in workspace: WorkspaceID
    ) async throws -> PreferenceCenter? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM preference_centers WHERE public_id = ? AND workspace_id = ?",
                arguments: [id, workspace.rawValue]
            ).map(PreferenceCenter.init(row:))
        }
    }

    package func updatePreferenceCenter(_ center: PreferenceCenter) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE preference_centers SET title = ?, page = ?, confirmation = ?,
                        viewport = ?, state = ?, updated_at = ?
                    WHERE public_id = ? AND workspace_id = ?
                    """,
                arguments: [
                    center.title, center.page, center.confirmation, center.viewport,
                    center.state.rawValue, center.updatedAt.milliseconds, center.id,
                    center.workspace.rawValue,
                ]
            )
            return try database.changesCount > 0
        }
    }
}

extension PreferenceCenter {
    init(row: Row) throws {
        guard let state = State(rawValue: row["state"]) else {
            throw StoreError.unknownValue("state", in: row)
        }
        self.init(
            id: try StoredUUID.value(row, "public_id"),
            workspace: WorkspaceID(row["workspace_id"]),
            name: row["name"],
            title: row["title"],
            page: row["page"],
            confirmation: row["confirmation"],
            viewport: row["viewport"],
            state: state,
            createdAt: Date(milliseconds: row["created_at"]),
            updatedAt: Date(milliseconds: row["updated_at"])
        )
    }
}
