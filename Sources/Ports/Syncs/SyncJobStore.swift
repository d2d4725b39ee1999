import Foundation
import Model

/// Jobs that import files from the operator's folder.
package protocol SyncJobStore: Sendable {
    /// Starts a job; `nil` while another job of the same integration runs. Only the last `kept`
    /// jobs of the integration are kept.
    func startSyncJob(
        of integration: UUID,
        in workspace: WorkspaceID,
        fileChangedAt: Date,
        kept: Int,
        now: Date
    ) async throws -> SyncJob?
    /// Stores the progress of a job.
    func updateSyncJob(_ job: SyncJob) async throws
    /// In the order in which they started.
    func runningSyncJobs() async throws -> [SyncJob]
    /// The newest first.
    func syncJobs(
        of integration: UUID,
        in workspace: WorkspaceID,
        limit: Int,
        offset: Int
    ) async throws -> [SyncJob]
}
