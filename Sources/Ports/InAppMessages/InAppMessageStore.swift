import Foundation
import Model

/// In-app messages and what came of them.
package protocol InAppMessageStore: Sendable {
    /// Stores a new message.
    ///
    /// - Throws: `StoreError` with code `exists` when the workspace has one of this name;
    ///   `DraftFinished` when the draft of its origin has become a message before.
    func createInAppMessage(
        _ message: StoredInAppMessage,
        from origin: EditOrigin,
        noting audit: AuditRecord?
    ) async throws
    /// Changes the message with this id. Whether there was one in its workspace.
    ///
    /// - Throws: `StoreError` with code `exists` when another message has the name, with code
    ///   `changed` when it was changed after its origin; `DraftFinished` when the draft of its
    ///   origin was saved before.
    func updateInAppMessage(
        _ message: StoredInAppMessage,
        from origin: EditOrigin,
        noting audit: AuditRecord?
    ) async throws -> Bool
    func inAppMessage(_ id: UUID, in workspace: WorkspaceID) async throws -> StoredInAppMessage?
    /// Oldest first.
    func inAppMessages(
        in workspace: WorkspaceID,
        states: Set<StoredInAppMessage.State>,
        limit: Int,
        offset: Int
    ) async throws -> [StoredInAppMessage]
    /// Newest first, with how many there are on all pages.
    func inAppMessages(
        in workspace: WorkspaceID,
        matching query: InAppMessageQuery
    ) async throws -> (messages: [StoredInAppMessage], total: Int)
    /// What devices reported of some messages; those of which they reported nothing are missing, and
    /// so are the users of a control group.
    func inAppMessageCounts(
        of ids: [UUID],
        in workspace: WorkspaceID
    ) async throws -> [UUID: InAppMessageCounts]
    /// All contents that the variants of a message have had, by their numbers.
    func inAppVariantRecords(
        of id: UUID,
        in workspace: WorkspaceID
    ) async throws -> [InAppVariantRecord]
    /// What devices reported of the variants of a message by the numbers of their contents, and of
    /// its control group under `InAppExperiment.controlName`.
    func inAppMessageVariantCounts(
        of id: UUID,
        in workspace: WorkspaceID
    ) async throws -> [String: InAppMessageCounts]
    /// What devices reported of a message between one moment and the next.
    ///
    /// - Parameter boundaries: in their order; there is one step less.
    func inAppMessageSteps(
        of id: UUID,
        in workspace: WorkspaceID,
        between boundaries: [Date]
    ) async throws -> [InAppMessageStep]
    /// What users did with a message, the latest report first.
    func inAppMessageContacts(
        of id: UUID,
        in workspace: WorkspaceID,
        matching query: InAppMessageContactQuery
    ) async throws -> [InAppMessageContact]
}

extension InAppMessageStore {
    package func createInAppMessage(
        _ message: StoredInAppMessage,
        from origin: EditOrigin = .direct
    ) async throws {
        try await createInAppMessage(message, from: origin, noting: nil)
    }

    package func updateInAppMessage(
        _ message: StoredInAppMessage,
        from origin: EditOrigin = .direct
    ) async throws -> Bool {
        try await updateInAppMessage(message, from: origin, noting: nil)
    }
}
