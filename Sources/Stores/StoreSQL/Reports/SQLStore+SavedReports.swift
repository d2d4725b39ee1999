import Foundation
import Model
import NoroshiWire
import Ports
import Relational

extension SQLStore: SavedReportStore {
    package func savedReports(in workspace: WorkspaceID) async throws -> [SavedReport] {
        try await read { [unreadable] database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT * FROM saved_reports WHERE workspace_id = ? ORDER BY name",
                arguments: [workspace.rawValue]
            )
            return try unreadable.values(rows, of: "saved_reports", SavedReport.init(row:))
        }
    }

    package func savedReport(
        _ id: UUID,
        in workspace: WorkspaceID
    ) async throws -> SavedReport? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM saved_reports WHERE id = ? AND workspace_id = ?",
                arguments: [id, workspace.rawValue]
            ).map(SavedReport.init(row:))
        }
    }

    package func saveReport(_ report: SavedReport, noting audit: AuditRecord?) async throws {
        let question = try StoredJSON.text(report.content.question)
        let schedule = try report.content.schedule.map { try StoredJSON.text($0) }
        try await write { database in
            let (content, delivery) = (report.content, report.delivery)
            try unlessTaken(content.name, database) {
                try database.execute(
                    sql: """
                        INSERT INTO saved_reports (id, workspace_id, name, kind, question,
                            is_on_overview, schedule, author, created_at, updated_at,
                            occurrence_at, due_at, attempts, sent_at, problem)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        ON CONFLICT (id) DO UPDATE SET name = excluded.name,
                            kind = excluded.kind, question = excluded.question,
                            is_on_overview = excluded.is_on_overview,
                            schedule = excluded.schedule, updated_at = excluded.updated_at,
                            occurrence_at = excluded.occurrence_at, due_at = excluded.due_at,
                            attempts = excluded.attempts, sent_at = excluded.sent_at,
                            problem = excluded.problem
                        WHERE saved_reports.workspace_id = excluded.workspace_id
                        """,
                    arguments: [
                        report.id, report.workspace.rawValue, content.name, content.kind, question,
                        content.isOnOverview, schedule, report.author,
                        report.createdAt.milliseconds, report.updatedAt.milliseconds,
                        delivery?.occurrence.milliseconds, delivery?.dueAt.milliseconds,
                        delivery?.attempts ?? 0, delivery?.sentAt?.milliseconds,
                        try StoredReason.text(delivery?.problem),
                    ]
                )
            }
            try Self.addAudit(audit, in: report.workspace, database)
        }
    }

    package func deleteReport(
        _ id: UUID,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws -> Bool {
        try await delete(from: "saved_reports", id, in: workspace, noting: audit)
    }

    package func claimDueReports(
        limit: Int,
        now: Date,
        leaseEnd: Date
    ) async throws -> [SavedReport] {
        try await write { [unreadable] database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM saved_reports
                    WHERE due_at <= ? AND \(SendingHoldSchema.isReleased)
                    ORDER BY due_at, id LIMIT ?
                    """,
                arguments: [now.milliseconds, limit]
            )
            let due = try unreadable.values(rows, of: "saved_reports", SavedReport.init(row:))
            for row in rows {
                try database.execute(
                    sql: "UPDATE saved_reports SET due_at = ? WHERE id = ?",
                    arguments: [leaseEnd.milliseconds, row["id"] as DatabaseValue]
                )
            }
            return due
        }
    }

    package func recordDelivery(
        _ delivery: SavedReport.Delivery,
        of report: SavedReport
    ) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE saved_reports
                    SET occurrence_at = ?, due_at = ?, attempts = ?, sent_at = ?, problem = ?
                    WHERE id = ? AND updated_at = ? AND due_at IS NOT NULL
                    """,
                arguments: [
                    delivery.occurrence.milliseconds, delivery.dueAt.milliseconds,
                    delivery.attempts, delivery.sentAt?.milliseconds,
                    try StoredReason.text(delivery.problem), report.id,
                    report.updatedAt.milliseconds,
                ]
            )
        }
    }
}

extension SavedReport {
    init(row: Row) throws {
        func date(_ column: String) -> Date? {
            (row[column] as Int64?).map(Date.init(milliseconds:))
        }
        let schedule: String? = row["schedule"]
        var delivery: Delivery?
        if let occurrence = date("occurrence_at"), let due = date("due_at") {
            delivery = Delivery(
                occurrence: occurrence,
                dueAt: due,
                attempts: row["attempts"],
                sentAt: date("sent_at"),
                problem: StoredReason.value(row["problem"])
            )
        }
        self.init(
            id: try StoredUUID.value(row, "id"),
            workspace: WorkspaceID(row["workspace_id"]),
            content: Content(
                name: row["name"],
                kind: row["kind"],
                question: try StoredJSON.object(row["question"]),
                isOnOverview: row["is_on_overview"],
                schedule: try schedule.map { try StoredJSON.value($0, as: Schedule.self) }
            ),
            author: row["author"],
            createdAt: Date(milliseconds: row["created_at"]),
            updatedAt: Date(milliseconds: row["updated_at"]),
            delivery: delivery
        )
    }
}
