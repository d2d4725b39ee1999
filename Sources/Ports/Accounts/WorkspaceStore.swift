import Foundation
import Model

/// Workspaces and their settings.
package protocol WorkspaceStore: Sendable {
    func createWorkspace(name: String, timeZone: String, now: Date) async throws -> WorkspaceID
    /// All workspaces, oldest first.
    func workspaces() async throws -> [Workspace]
    func workspace(_ id: WorkspaceID) async throws -> Workspace?
    /// Changes the settings to what `change` makes of them, and writes down that they were changed,
    /// both or neither. `nil` where there is no such workspace; an error of `change` changes nothing.
    func changeWorkspace(
        _ id: WorkspaceID,
        _ change:
            @escaping @Sendable (WorkspaceSettings) throws -> (
                settings: WorkspaceSettings, audit: AuditRecord
            )
    ) async throws -> Workspace?
}

extension WorkspaceStore {
    /// The zone in which a workspace's days begin; UTC where its name is unknown here.
    package func timeZone(of workspace: WorkspaceID) async throws -> TimeZone {
        try await self.workspace(workspace)?.zone ?? .gmt
    }
}
