import Campaigns
import Foundation
import Model
import Ports

/// Pauses, resumes, stops and moves sends: what the console, the REST API and the command line do
/// with a send that was made.
///
/// Each verb checks what the actor may do, is written in one transaction with its audit record, and
/// tells of the change.
package struct SendControl: Sendable {
    /// Pushes in a minute that a workspace may be limited to.
    package static let limits = 1...100_000_000

    private let store: any SendStore & DraftStore & DispatchStore & ReportStore
    private let now: @Sendable () -> Date
    private let announce: @Sendable (SendID, WorkspaceID) -> Void

    /// - Parameter announce: Called with every send that was changed: pages that are open show it,
    ///   and workers look at once.
    package init(
        store: any SendStore & DraftStore & DispatchStore & ReportStore,
        now: @escaping @Sendable () -> Date,
        announce: @escaping @Sendable (SendID, WorkspaceID) -> Void = { _, _ in }
    ) {
        self.store = store
        self.now = now
        self.announce = announce
    }

    /// The send that was given out under a name.
    package func send(named name: String, in workspace: WorkspaceID) async throws -> Send? {
        try await store.send(named: name, in: workspace)
    }

    /// The sends that have not begun, the newest first.
    package func waiting(in workspace: WorkspaceID, limit: Int) async throws -> [Send] {
        try await store.sends(
            in: workspace,
            matching: SendQuery(states: [.scheduled], limit: limit)
        ).sends
    }

    /// Whether the send's state allowed it.
    ///
    /// - Throws: `NotAllowed` to members who are no marketers, and for sends of other workspaces.
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

    /// Takes back a send that is held back, and gives its draft back to be written on.
    ///
    /// - Returns: The draft; `nil` when it is too late.
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

    /// Gives a send that waits another moment; `content` is its own, with what hangs on the moment.
    /// Whether it still waited.
    ///
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

    /// Sets the most pushes of a workspace in a minute; `nil` for no limit.
    ///
    /// - Throws: `NotAllowed` to whoever is no administrator; `PushProblems` for a number that is
    ///   not in ``limits``.
    package func limit(to perMinute: Int?, by actor: Actor) async throws {
        try actor.require(.administrator)
        if let perMinute, !Self.limits.contains(perMinute) {
            let range = "\(Self.limits.lowerBound) to \(Self.limits.upperBound)"
            throw PushProblems([.init(field: "limit", message: "is \(range) pushes a minute")])
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

    /// The most pushes of a workspace in a minute; `nil` for no limit.
    package func limit(of workspace: WorkspaceID) async throws -> Int? {
        try await store.pushLimit(of: workspace)
    }

    /// Counts the rows of a send anew and says which of the figures that are kept differ.
    package func differences(of send: Send) async throws -> [CountDifference] {
        try await store.countDifferences(of: send.id)
    }

    /// Puts the figures of a send right, which are a cache of its rows.
    ///
    /// - Throws: As ``take(_:with:by:)``.
    package func recount(_ send: Send, by actor: Actor) async throws {
        try check(actor, send)
        try await store.recount(send.id)
    }

    private func check(_ actor: Actor, _ send: Send) throws(NotAllowed) {
        try actor.require(.marketer)
        guard actor.workspace == send.workspace else { throw NotAllowed() }
    }

    private func record(_ action: String, _ send: Send, _ actor: Actor) -> AuditRecord {
        AuditRecord(at: now(), by: actor, action: action, subject: "#\(send.id)")
    }
}
