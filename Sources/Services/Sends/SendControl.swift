import Campaigns
import Foundation
import Model
import Ports
import Reasons

/// Pauses, resumes, stops and reschedules existing sends, for the console, the REST API and the
/// command line.
///
/// Each method checks the actor's permissions, is one transaction with its audit record, and
/// announces the change.
package struct SendControl: Sendable {
    /// The permitted limits of a workspace, in pushes per minute.
    package static let limits = 1...100_000_000

    private let store: any SendStore & DraftStore & DispatchStore & ReportStore
    private let now: @Sendable () -> Date
    private let announce: @Sendable (SendID, WorkspaceID) -> Void

    /// - Parameter announce: Called with every changed send, so that open pages are updated and
    ///   workers poll at once.
    package init(
        store: any SendStore & DraftStore & DispatchStore & ReportStore,
        now: @escaping @Sendable () -> Date,
        announce: @escaping @Sendable (SendID, WorkspaceID) -> Void = { _, _ in }
    ) {
        self.store = store
        self.now = now
        self.announce = announce
    }

    /// The send with a name that the REST API has returned.
    package func send(named name: String, in workspace: WorkspaceID) async throws -> Send? {
        try await store.send(named: name, in: workspace)
    }

    /// The scheduled sends, the newest first.
    package func waiting(in workspace: WorkspaceID, limit: Int) async throws -> [Send] {
        try await store.sends(
            in: workspace,
            matching: SendQuery(states: [.scheduled], limit: limit)
        ).sends
    }

    /// - Returns: `false` if the send's state does not allow the action.
    /// - Throws: `NotAllowedError` for members who are not marketers, and for sends of other workspaces.
    package func take(_ step: SendStep, with send: Send, by actor: Actor) async throws -> Bool {
        try check(actor, send)
        let isDone = try await store.control(
            send.id,
            step,
            noting: record(step.action, send, actor),
            now: now()
        )
        if isDone { announce(send.id, send.workspace) }
        return isDone
    }

    /// Takes back a send that is still held, and reopens its draft.
    ///
    /// - Returns: The draft; `nil` if it is too late.
    /// - Throws: As ``take(_:with:by:)``.
    package func takeBack(_ send: Send, by actor: Actor) async throws -> UUID? {
        try check(actor, send)
        guard send.content.heldUntil != nil else { return nil }
        let draft = try await store.takeBack(
            send.id,
            in: send.workspace,
            noting: record(SendStep.stop.action, send, actor),
            now: now()
        )
        if draft != nil { announce(send.id, send.workspace) }
        return draft
    }

    /// Changes the time of a scheduled send; `content` is its own, with the values that depend on
    /// the time.
    ///
    /// - Returns: `false` if the send is no longer scheduled.
    /// - Throws: As ``take(_:with:by:)``.
    package func move(
        _ send: Send,
        to scheduledAt: Date,
        content: SendContent,
        by actor: Actor
    ) async throws -> Bool {
        try check(actor, send)
        let isMoved = try await store.updateScheduledSend(
            send.id,
            content: content,
            scheduledAt: scheduledAt,
            ofDraft: nil,
            noting: record("push_changed", send, actor)
        )
        if isMoved { announce(send.id, send.workspace) }
        return isMoved
    }

    /// Sets a workspace's maximum number of pushes per minute; `nil` means no limit.
    ///
    /// - Throws: `NotAllowedError` to whoever is no administrator; `ValidationError` for a number that is
    ///   not in ``limits``.
    package func limit(to perMinute: Int?, by actor: Actor) async throws {
        try actor.require(.administrator)
        if let perMinute, !Self.limits.contains(perMinute) {
            throw ValidationError(
                .limits(.rate),
                .pushesAMinute,
                ["first": "\(Self.limits.lowerBound)", "last": "\(Self.limits.upperBound)"]
            )
        }
        try await store.setPushLimit(
            perMinute,
            of: actor.workspace,
            noting: AuditRecord(
                at: now(),
                by: actor,
                action: "push_limit_changed",
                subject: perMinute.map { "\($0)" } ?? "none"
            )
        )
    }

    /// A workspace's maximum number of pushes per minute; `nil` means no limit.
    package func limit(of workspace: WorkspaceID) async throws -> Int? {
        try await store.pushLimit(of: workspace)
    }

    /// Counts the dispatches of a send and returns the stored counts that differ.
    package func differences(of send: Send) async throws -> [CountMismatch] {
        try await store.countMismatches(of: send.id)
    }

    /// Recomputes the stored counts of a send from its dispatches.
    ///
    /// - Throws: As ``take(_:with:by:)``.
    package func recount(_ send: Send, by actor: Actor) async throws {
        try check(actor, send)
        try await store.recount(send.id)
    }

    private func check(_ actor: Actor, _ send: Send) throws(NotAllowedError) {
        try actor.require(.marketer)
        guard actor.workspace == send.workspace else { throw NotAllowedError() }
    }

    private func record(_ action: String, _ send: Send, _ actor: Actor) -> AuditRecord {
        AuditRecord(at: now(), by: actor, action: action, subject: "#\(send.id)")
    }
}
