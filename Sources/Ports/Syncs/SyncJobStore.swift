import Foundation
import Model

/// Readings of files of the operator's folder.
package protocol SyncJobStore: Sendable {
    /// Begins a job; `nil` while another one of the same integration runs. Of the jobs that are
    /// over, the last `kept` of the integration stay.
    func startSyncJob(
        of integration: UUID,
        in workspace: WorkspaceID,
        fileChangedAt: Date,
        kept: Int,
        now: Date
    ) async throws -> SyncJob?
    /// Stores what a job has come to.
    func updateSyncJob(_ job: SyncJob) async throws
    /// In the order of their beginning.
    func runningSyncJobs() async throws -> [SyncJob]
    /// The newest first.
    func syncJobs(
        of integration: UUID,
        in workspace: WorkspaceID,
        limit: Int,
        offset: Int
    ) async throws -> [SyncJob]
}
