import Foundation
import Model

/// Pages on which users choose which messages they receive.
package protocol PreferenceCenterStore: Sendable {
    /// Adds a page, unless the workspace has `limit` of them.
    ///
    /// - Returns: `false` if it was not added.
    /// - Throws: `StoreError` with code `exists` if the workspace has one with this name.
    func createPreferenceCenter(_ center: PreferenceCenter, limit: Int) async throws -> Bool
    /// In order of creation.
    func preferenceCenters(in workspace: WorkspaceID) async throws -> [PreferenceCenter]
    func preferenceCenter(_ id: UUID, in workspace: WorkspaceID) async throws -> PreferenceCenter?
    /// Stores everything except the name.
    ///
    /// - Returns: `false` if the workspace has no such page.
    func updatePreferenceCenter(_ center: PreferenceCenter) async throws -> Bool
}
