import Foundation
import Model

/// In-app messages and what came of them.
package protocol InAppMessageStore: Sendable {
    /// Stores a new message.
    ///
    /// - Throws: `StoreError` with code `exists` when the workspace has one of this name.
    func createInAppMessage(_ message: StoredInAppMessage) async throws
    /// Changes the message with this id. Whether there was one in its workspace.
    ///
    /// - Throws: `StoreError` with code `exists` when another message has the name.
    func updateInAppMessage(_ message: StoredInAppMessage) async throws -> Bool
    func inAppMessage(_ id: UUID, in workspace: WorkspaceID) async throws -> StoredInAppMessage?
    /// Oldest first.
    func inAppMessages(
        in workspace: WorkspaceID,
        states: Set<StoredInAppMessage.State>,
        limit: Int,
        offset: Int
    ) async throws -> [StoredInAppMessage]
    /// What devices reported of a message.
    func inAppMessageCounts(
        of id: UUID,
        in workspace: WorkspaceID
    ) async throws -> InAppMessageCounts
}
