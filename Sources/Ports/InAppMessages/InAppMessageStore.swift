import Foundation
import Model

/// In-app messages and users' interactions with them.
package protocol InAppMessageStore: Sendable {
    /// Stores a new message.
    ///
    /// - Throws: `StoreError` with code `exists` if the workspace has one with this name;
    ///   `DraftFinishedError` if the draft of its origin has already become a message.
    func createInAppMessage(
        _ message: InAppMessageDefinition,
        from origin: EditOrigin,
        noting audit: AuditRecord?
    ) async throws
    /// Changes the message with this id.
    ///
    /// - Returns: `false` if its workspace has no such message.
    /// - Throws: `StoreError` with code `exists` if another message has the name, with code
    ///   `changed` if it was changed after its origin; `DraftFinishedError` if the draft of its origin
    ///   was already saved.
    func updateInAppMessage(
        _ message: InAppMessageDefinition,
        from origin: EditOrigin,
        noting audit: AuditRecord?
    ) async throws -> Bool
    func inAppMessage(_ id: UUID, in workspace: WorkspaceID) async throws -> InAppMessageDefinition?
    /// Oldest first.
    func inAppMessages(
        in workspace: WorkspaceID,
        states: Set<InAppMessageDefinition.State>,
        limit: Int,
        offset: Int
    ) async throws -> [InAppMessageDefinition]
    /// Newest first, with the total number on all pages.
    func inAppMessages(
        in workspace: WorkspaceID,
        matching query: InAppMessageQuery
    ) async throws -> (messages: [InAppMessageDefinition], total: Int)
    /// The reported interactions with some messages, without the control groups. Messages without
    /// any report are missing.
    func inAppMessageCounts(
        of ids: [UUID],
        in workspace: WorkspaceID
    ) async throws -> [UUID: InAppMessageCounts]
    /// All contents that the variants of a message have had, by their numbers.
    func inAppVariantRecords(
        of id: UUID,
        in workspace: WorkspaceID
    ) async throws -> [InAppVariantRecord]
    /// The reported interactions with the variants of a message, by the numbers of their contents,
    /// those of its control group under `InAppExperiment.controlName`, and those of the workspace's
    /// under `withheldName`.
    func inAppMessageVariantCounts(
        of id: UUID,
        in workspace: WorkspaceID
    ) async throws -> [String: InAppMessageCounts]
    /// The users to whom some contents of a message were shown, by the number of the content that
    /// was shown first; under `nil` those of the control group, to whom nothing was shown instead.
    func inAppMessageGroups(
        of id: UUID,
        goal: ConversionEvent?,
        in workspace: WorkspaceID,
        numbers: [Int]
    ) async throws -> [Int?: InAppGroupCounts]
    /// Since when all showings of a message are there, where some are only summed up: whether
    /// somebody reached a goal after these is not known, and with a goal groups are without them.
    func inAppConversionsSince(of id: UUID, in workspace: WorkspaceID) async throws -> Date?
    /// The users of the workspace's control group to whom a message would have been shown, and who
    /// have not seen it at another time or been in its own control group.
    func inAppWithheld(
        of id: UUID,
        goal: ConversionEvent?,
        in workspace: WorkspaceID
    ) async throws -> InAppGroupCounts
    /// The reported interactions with a message between each boundary and the next.
    ///
    /// - Parameter boundaries: In ascending order; the result has one entry less.
    func inAppMessageSteps(
        of id: UUID,
        in workspace: WorkspaceID,
        between boundaries: [Date]
    ) async throws -> [InAppMessageCountsBucket]
    /// Users' interactions with a message, the latest report first.
    func inAppMessageContacts(
        of id: UUID,
        in workspace: WorkspaceID,
        matching query: InAppMessageEngagementQuery
    ) async throws -> [InAppMessageEngagement]
}

extension InAppMessageStore {
    package func createInAppMessage(
        _ message: InAppMessageDefinition,
        from origin: EditOrigin = .direct
    ) async throws {
        try await createInAppMessage(message, from: origin, noting: nil)
    }

    package func updateInAppMessage(
        _ message: InAppMessageDefinition,
        from origin: EditOrigin = .direct
    ) async throws -> Bool {
        try await updateInAppMessage(message, from: origin, noting: nil)
    }
}
