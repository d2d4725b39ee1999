import Foundation
import Model
import Ports
import Relational

extension SQLStore: FactWebhookStore {
    package func factWebhooks(in workspace: WorkspaceID) async throws -> [FactWebhook] {
        try await webhooks(
            "WHERE workspace_id = ? ORDER BY name",
            [workspace.rawValue]
        )
    }

    package func factWebhook(
        _ id: UUID,
        in workspace: WorkspaceID
    ) async throws -> FactWebhook? {
        try await webhooks("WHERE id = ? AND workspace_id = ?", [id, workspace.rawValue]).first
    }

    package func activeFactWebhooks() async throws -> [FactWebhook] {
        try await webhooks("WHERE state = 'active' AND \(SendingHoldSchema.isReleased)", [])
    }

    private func webhooks(
        _ condition: String,
        _ arguments: StatementArguments
    ) async throws -> [FactWebhook] {
        try await read { [unreadable] database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT * FROM fact_webhooks \(condition)",
                arguments: arguments
            )
            return try rows.compactMap { row in
                try unreadable.value("fact_webhooks", 0) { try FactWebhook(row: row) }
            }
        }
    }

    package func saveFactWebhook(
        _ webhook: FactWebhook,
        secret: Data?,
        noting audit: AuditRecord?
    ) async throws {
        let kinds = try StoredJSON.text(webhook.kinds.map(\.rawValue).sorted())
        try await write { database in
            try unlessTaken(webhook.name, database) {
                try database.execute(
                    sql: """
                        INSERT INTO fact_webhooks (id, workspace_id, name, address, kinds, state,
                            secret, position, due_at, created_at)
                        VALUES (:id, :workspace, :name, :address, :kinds, :state,
                            coalesce(:secret, (SELECT secret FROM fact_webhooks WHERE id = :id)),
                            :position, :due, :created)
                        ON CONFLICT (id) DO UPDATE SET name = excluded.name,
                            address = excluded.address, kinds = excluded.kinds,
                            state = excluded.state, secret = excluded.secret,
                            due_at = excluded.due_at, failures = 0, failing_since = NULL
                        WHERE fact_webhooks.workspace_id = excluded.workspace_id
                        """,
                    arguments: [
                        "id": webhook.id, "workspace": webhook.workspace.rawValue,
                        "name": webhook.name, "address": webhook.address, "kinds": kinds,
                        "state": webhook.state.rawValue, "secret": secret,
                        "position": webhook.position, "due": webhook.dueAt.milliseconds,
                        "created": webhook.createdAt.milliseconds,
                    ]
                )
            }
            try Self.addAudit(audit, in: webhook.workspace, database)
        }
    }

    package func deleteFactWebhook(
        _ id: UUID,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws -> Bool {
        try await delete(from: "fact_webhooks", id, in: workspace, noting: audit)
    }

    package func factWebhookSecret(_ id: UUID) async throws -> Data? {
        try await read { database in
            try Data.fetchOne(
                database,
                sql: "SELECT secret FROM fact_webhooks WHERE id = ?",
                arguments: [id]
            )
        }
    }

    package func recordFactDelivery(_ webhook: FactWebhook) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE fact_webhooks SET position = ?, failures = ?, failing_since = ?,
                        due_at = ?, problem = ?, delivered_at = ?,
                        state = CASE WHEN ? = 'dead' AND state = 'active' THEN 'dead' ELSE state END
                    WHERE id = ?
                    """,
                arguments: [
                    webhook.position, webhook.failures, webhook.failingSince?.milliseconds,
                    webhook.dueAt.milliseconds, try StoredReason.text(webhook.problem),
                    webhook.deliveredAt?.milliseconds, webhook.state.rawValue, webhook.id,
                ]
            )
        }
    }
}

extension FactWebhook {
    fileprivate init(row: Row) throws {
        guard let state = State(rawValue: row["state"]) else {
            throw StoreError.unknownValue("state", in: row)
        }
        let kinds = try StoredJSON.value(row["kinds"], as: [String].self)
        self.init(
            id: try StoredUUID.value(row, "id"),
            workspace: WorkspaceID(row["workspace_id"]),
            name: row["name"],
            address: row["address"],
            kinds: Set(kinds.compactMap(Fact.Kind.init)),
            state: state,
            position: row["position"],
            createdAt: try StoredTime.date(row["created_at"])
        )
        failures = row["failures"]
        failingSince = try (row["failing_since"] as Int64?).map(StoredTime.date)
        dueAt = try StoredTime.date(row["due_at"])
        problem = StoredReason.value(row["problem"])
        deliveredAt = try (row["delivered_at"] as Int64?).map(StoredTime.date)
    }
}
