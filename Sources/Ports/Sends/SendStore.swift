import Foundation
import Model

/// Sends and their planning.
package protocol SendStore: Sendable {
    /// - Parameter audit: Makes the audit record of the send, written in the same transaction.
    func createSend(
        _ content: SendContent,
        in workspace: WorkspaceID,
        scheduledAt: Date,
        noting audit: @escaping @Sendable (SendID) -> AuditRecord?,
        now: Date
    ) async throws -> Send
    /// Creates one send per key: a second call with the same key returns the first send and writes
    /// nothing.
    func createSend(
        _ content: SendContent,
        for key: IdempotencyKey,
        in workspace: WorkspaceID,
        scheduledAt: Date,
        noting audit: @escaping @Sendable (SendID) -> AuditRecord?,
        now: Date
    ) async throws -> IdempotentSend
    func send(_ id: SendID) async throws -> Send?
    func send(publicID: UUID, in workspace: WorkspaceID) async throws -> Send?
    /// Newest first.
    func sends(in workspace: WorkspaceID, limit: Int, offset: Int) async throws -> [Send]
    /// Replaces the content and time of a send that is still `scheduled`, finishes the draft in
    /// which it was edited, and writes an audit record, in one transaction.
    ///
    /// - Returns: `false` if the send is no longer scheduled; nothing is written then.
    func updateScheduledSend(
        _ id: SendID,
        content: SendContent,
        scheduledAt: Date,
        ofDraft draft: UUID?,
        noting audit: AuditRecord?
    ) async throws -> Bool
    /// Pauses, resumes or stops a send and writes an audit record, in one transaction.
    ///
    /// - Parameter audit: `nil` if the system does it by itself.
    /// - Returns: `false` if the state of the send does not allow it; nothing is written then.
    func control(
        _ send: SendID,
        _ step: SendStep,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Bool

    /// Sends to plan: those in state `planning`, and due `scheduled` ones, which become `planning`.
    func startPlanningDueSends(now: Date) async throws -> [Send]
    /// Writes the dispatches of the next `limit` recipients and moves the send's cursor after them.
    /// If no recipients are left the send becomes `sending`. Repeating a step adds nothing twice.
    func planNextBatch(of send: SendID, limit: Int, now: Date) async throws -> RecipientBatchResult
    /// Marks sends as finished if all of their dispatches have an outcome, and returns them.
    func markFinishedSends(now: Date) async throws -> [SendID]
    func counts(of sends: [SendID]) async throws -> [SendID: SendCounts]
    /// Outcomes other than accepted by reason, most frequent first.
    func failureReasons(of send: SendID) async throws -> [FailureReason]
    /// Differences between the stored counts and the rows; empty if they agree.
    func countMismatches(of send: SendID) async throws -> [CountMismatch]
    /// Recomputes a send's counts from its rows.
    func recount(_ send: SendID) async throws
}

extension SendStore {
    package func createSend(
        _ content: SendContent,
        in workspace: WorkspaceID,
        scheduledAt: Date,
        now: Date
    ) async throws -> Send {
        try await createSend(
            content,
            in: workspace,
            scheduledAt: scheduledAt,
            noting: { _ in nil },
            now: now
        )
    }

    package func updateScheduledSend(
        _ id: SendID,
        content: SendContent,
        scheduledAt: Date
    ) async throws -> Bool {
        try await updateScheduledSend(
            id,
            content: content,
            scheduledAt: scheduledAt,
            ofDraft: nil,
            noting: nil
        )
    }

    /// The send that a `dispatch_id` or `schedule_id` names. Earlier versions returned its number
    /// instead.
    package func send(named text: String, in workspace: WorkspaceID) async throws -> Send? {
        if let id = Send.publicID(named: text) {
            return try await send(publicID: id, in: workspace)
        }
        guard let number = Int64(text), let send = try await send(SendID(number)),
            send.workspace == workspace
        else { return nil }
        return send
    }
}

package struct RecipientBatchResult: Sendable, Hashable {
    package var added: Int
    package var isComplete: Bool

    package init(added: Int, isComplete: Bool) {
        self.added = added
        self.isComplete = isComplete
    }
}
