import Foundation
import Model
import Ports
import Relational

extension SQLStore: SyncJobStore {
    package func startSyncJob(
        of integration: UUID,
        in workspace: WorkspaceID,
        fileChangedAt: Date,
        kept: Int,
        now: Date
    ) async throws -> SyncJob? {
        try await write { database in
            let running = try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM sync_jobs
                    WHERE workspace_id = ? AND integration = ? AND state = 'running'
                    """,
                arguments: [workspace.rawValue, integration]
            )
            guard running == 0 else { return nil }
            try database.execute(
                sql: """
                    DELETE FROM sync_jobs WHERE workspace_id = :workspace
                    AND integration = :integration AND id NOT IN (
                        SELECT id FROM sync_jobs WHERE workspace_id = :workspace
                        AND integration = :integration ORDER BY id DESC LIMIT :kept
                    )
                    """,
                arguments: [
                    "workspace": workspace.rawValue, "integration": integration, "kept": kept,
                ]
            )
            let id = try Int64.fetchOnly(
                database,
                sql: """
                    INSERT INTO sync_jobs (workspace_id, integration, state, started_at,
                        file_changed_at, stored_rows, rejected_rows)
                    VALUES (?, ?, 'running', ?, ?, 0, 0) RETURNING id
                    """,
                arguments: [
                    workspace.rawValue, integration, now.milliseconds,
                    fileChangedAt.milliseconds,
                ]
            )
            return SyncJob(
                id: id,
                workspace: workspace,
                integration: integration,
                startedAt: now,
                fileChangedAt: Date(milliseconds: fileChangedAt.milliseconds)
            )
        }
    }

    package func updateSyncJob(_ job: SyncJob) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE sync_jobs SET state = ?, finished_at = ?, stored_rows = ?,
                        rejected_rows = ?, problem = ? WHERE id = ?
                    """,
                arguments: [
                    job.state.rawValue, job.finishedAt?.milliseconds, job.storedRows,
                    job.rejectedRows, job.problem, job.id,
                ]
            )
        }
    }

    package func runningSyncJobs() async throws -> [SyncJob] {
        try await read { [unreadable] database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT * FROM sync_jobs WHERE state = 'running' ORDER BY id"
            )
            return try unreadable.values(rows, of: "sync_jobs", SyncJob.init(row:))
        }
    }

    package func syncJobs(
        of integration: UUID,
        in workspace: WorkspaceID,
        limit: Int,
        offset: Int
    ) async throws -> [SyncJob] {
        try await read { [unreadable] database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM sync_jobs WHERE workspace_id = ? AND integration = ?
                    ORDER BY id DESC LIMIT ? OFFSET ?
                    """,
                arguments: [workspace.rawValue, integration, limit, offset]
            )
            return try unreadable.values(rows, of: "sync_jobs", SyncJob.init(row:))
        }
    }
}

extension SyncJob {
    fileprivate init(row: Row) throws {
        guard let state = State(rawValue: row["state"]) else {
            throw StoreError.unknownValue("state", in: row)
        }
        self.init(
            id: row["id"],
            workspace: WorkspaceID(row["workspace_id"]),
            integration: row["integration"],
            state: state,
            startedAt: Date(milliseconds: row["started_at"]),
            finishedAt: (row["finished_at"] as Int64?).map(Date.init(milliseconds:)),
            fileChangedAt: Date(milliseconds: row["file_changed_at"]),
            storedRows: row["stored_rows"],
            rejectedRows: row["rejected_rows"],
            problem: row["problem"]
        )
    }
}
