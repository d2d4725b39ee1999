import Foundation
import Model

/// Sends, and the planning of their ledgers.
package protocol SendStore: Sendable {
    /// - Parameter audit: What is written down of the send in the same transaction.
    func createSend(
        _ content: SendContent,
        in workspace: WorkspaceID,
        scheduledAt: Date,
        noting audit: @escaping @Sendable (SendID) -> AuditRecord?,
        now: Date
    ) async throws -> Send
    /// Makes a send once for each key: a second call with the same key answers with the first one,
    /// and nothing is written down.
    func createSend(
        _ content: SendContent,
        for key: RequestKey,
        in workspace: WorkspaceID,
        scheduledAt: Date,
        noting audit: @escaping @Sendable (SendID) -> AuditRecord?,
        now: Date
    ) async throws -> KeyedSend
    func send(_ id: SendID) async throws -> Send?
    func send(publicID: UUID, in workspace: WorkspaceID) async throws -> Send?
    /// Newest first.
    func sends(in workspace: WorkspaceID, limit: Int, offset: Int) async throws -> [Send]
    /// Gives a send another content and time, as long as it waits, ends the draft in which it was
    /// changed, and writes down who did, in one transaction. Whether it still waited; where not,
    /// nothing is written.
    func updateScheduledSend(
        _ id: SendID,
        content: SendContent,
        scheduledAt: Date,
        ofDraft draft: UUID?,
        noting audit: AuditRecord?
    ) async throws -> Bool
    /// Pauses, resumes or stops a send and writes down who did, in one transaction. Whether its
    /// state allowed it; where not, nothing is written.
    ///
    /// - Parameter audit: `nil` when the system does it by itself.
    func control(
        _ send: SendID,
        _ step: SendStep,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Bool

    /// Sends that wait for planning: `planning`, and `scheduled` ones whose time has come, which
    /// become `planning`.
    func beginPlanning(now: Date) async throws -> [Send]
    /// Writes the next `limit` recipients into the ledger and moves the send's cursor past them.
    /// When there are none left the send becomes `sending`. Repeating a step adds nothing twice.
    func planNextChunk(of send: SendID, limit: Int, now: Date) async throws -> PlanStep
    /// Marks sends as finished whose rows all have an outcome, and returns them.
    func finishSends(now: Date) async throws -> [SendID]
    func counts(of sends: [SendID]) async throws -> [SendID: SendCounts]
    /// Outcomes other than accepted by reason, most frequent first.
    func failureReasons(of send: SendID) async throws -> [FailureReason]
    /// Where the kept counts differ from the rows they are counted from; empty when all is well.
    func countDifferences(of send: SendID) async throws -> [CountDifference]
    /// Counts a send's rows anew.
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

    /// The send that a `dispatch_id` or `schedule_id` names. Earlier versions gave out its number.
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

package struct PlanStep: Sendable, Hashable {
    package var added: Int
    package var isComplete: Bool

    package init(added: Int, isComplete: Bool) {
        self.added = added
        self.isComplete = isComplete
    }
}
