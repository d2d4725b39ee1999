import Foundation
import Model

/// Pages on which users say which messages they want.
package protocol PreferenceCenterStore: Sendable {
    /// Adds one, unless there are `limit` in the workspace. Whether it was added.
    ///
    /// - Throws: `StoreError` with code `exists` when the workspace has one of this name.
    func createPreferenceCenter(_ center: PreferenceCenter, limit: Int) async throws -> Bool
    /// In the order of their making.
    func preferenceCenters(in workspace: WorkspaceID) async throws -> [PreferenceCenter]
    func preferenceCenter(_ id: UUID, in workspace: WorkspaceID) async throws -> PreferenceCenter?
    /// Stores everything but the name. Whether there was one in the workspace.
    func updatePreferenceCenter(_ center: PreferenceCenter) async throws -> Bool
}
