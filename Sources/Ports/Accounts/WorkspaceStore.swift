import Foundation
import Model

/// Workspaces and their settings.
package protocol WorkspaceStore: Sendable {
    func createWorkspace(name: String, timeZone: String, now: Date) async throws -> WorkspaceID
    /// All workspaces, oldest first.
    func workspaces() async throws -> [Workspace]
    func workspace(_ id: WorkspaceID) async throws -> Workspace?
    /// Replaces the settings with the result of `change` and writes its audit record, in one
    /// transaction. Returns `nil` if the workspace does not exist. If `change` throws, nothing is
    /// changed.
    func changeWorkspace(
        _ id: WorkspaceID,
        _ change:
            @escaping @Sendable (WorkspaceSettings) throws -> (
                settings: WorkspaceSettings, audit: AuditRecord
            )
    ) async throws -> Workspace?
}

extension WorkspaceStore {
    /// The time zone of a workspace's days; UTC if the system does not know the stored name.
    package func timeZone(of workspace: WorkspaceID) async throws -> TimeZone {
        try await self.workspace(workspace)?.zone ?? .gmt
    }
}
