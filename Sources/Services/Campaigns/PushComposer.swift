import Foundation
import Model
import Ports

/// Checks a push that somebody has written and makes a send of it. It never sends.
package struct PushComposer: Sendable {
    /// The most key-value pairs of a push.
    package static let pairLimit = MessageCheck.pairLimit

    private let store: any SendStore & ContentBlockStore & DraftStore
    private let now: @Sendable () -> Date
    private let announce: @Sendable (SendID, WorkspaceID) -> Void

    /// `announce` is called with every new send, so that nobody has to look for it.
    package init(
        store: any SendStore & ContentBlockStore & DraftStore,
        now: @escaping @Sendable () -> Date,
        announce: @escaping @Sendable (SendID, WorkspaceID) -> Void
    ) {
        self.store = store
        self.now = now
        self.announce = announce
    }

    /// Makes a send for `scheduledAt`, or for now.
    ///
    /// - Parameter key: A second request with the same key answers with the send of the first.
    /// - Throws: `PushProblems` that names every field at fault, or `CampaignRefusal` for a key
    ///   that was used for another request.
    package func send(
        _ content: SendContent,
        in workspace: WorkspaceID,
        at scheduledAt: Date? = nil,
        key: RequestKey? = nil
    ) async throws -> Send {
        try Self.check(content)
        try await checkContentBlocks(of: content, in: workspace)
        let now = now()
        let send: Send
        if let key {
            let outcome = try await store.createSend(
                content,
                for: key,
                in: workspace,
                scheduledAt: scheduledAt ?? now,
                now: now
            )
            switch outcome {
            case .known(let known): return known
            case .otherRequest: throw CampaignRefusal.otherRequest
            case .made(let made): send = made
            }
        } else {
            send = try await store.createSend(
                content,
                in: workspace,
                scheduledAt: scheduledAt ?? now,
                now: now
            )
        }
        announce(send.id, workspace)
        return send
    }

    /// Makes the send of a draft for `scheduledAt`, or for now, once.
    ///
    /// - Returns: The send that the draft has become, now or before; `nil` when there is no such
    ///   draft.
    /// - Throws: `PushProblems` that names every field at fault.
    package func send(
        _ content: SendContent,
        ofDraft draft: UUID,
        in workspace: WorkspaceID,
        at scheduledAt: Date? = nil
    ) async throws -> SendID? {
        try Self.check(content)
        try await checkContentBlocks(of: content, in: workspace)
        let now = now()
        switch try await store.createSend(
            content,
            ofDraft: draft,
            in: workspace,
            scheduledAt: scheduledAt ?? now,
            now: now
        ) {
        case .made(let send):
            announce(send.id, workspace)
            return send.id
        case .known(let send): return send
        case .missing: return nil
        }
    }

    /// Makes the send of a draft that goes at once, but can be taken back for some seconds.
    ///
    /// - Parameter seconds: 0 for a send that cannot.
    /// - Returns: As for one with a time of its own.
    package func send(
        _ content: SendContent,
        ofDraft draft: UUID,
        in workspace: WorkspaceID,
        holdingBack seconds: Int
    ) async throws -> SendID? {
        guard seconds > 0 else { return try await send(content, ofDraft: draft, in: workspace) }
        var content = content
        // It is stored with its time: nothing has to remember it.
        let start = Date(milliseconds: now().milliseconds + Int64(seconds) * 1_000)
        content.heldUntil = start
        return try await send(content, ofDraft: draft, in: workspace, at: start)
    }

    /// Gives a send that waits another content or time.
    ///
    /// - Returns: Whether it still waited.
    /// - Throws: `PushProblems` that names every field at fault.
    package func update(
        _ send: Send,
        to content: SendContent,
        at scheduledAt: Date
    ) async throws -> Bool {
        try Self.check(content)
        try await checkContentBlocks(of: content, in: send.workspace)
        let isUpdated = try await store.updateScheduledSend(
            send.id,
            content: content,
            scheduledAt: scheduledAt
        )
        if isUpdated { announce(send.id, send.workspace) }
        return isUpdated
    }

    /// Checks that the content blocks a message names can be used.
    private func checkContentBlocks(
        of content: SendContent,
        in workspace: WorkspaceID
    ) async throws {
        let problems = try await MessageCheck.contentBlockProblems(
            of: [("", content.message)]
                + (content.platforms ?? [:]).map { ("\($0.rawValue).", $1.message) },
            in: workspace,
            store
        )
        guard problems.isEmpty else { throw PushProblems(problems) }
    }

    /// Checks what can be checked before a user is known.
    package static func check(_ content: SendContent) throws(PushProblems) {
        var problems = MessageCheck.problems(content.message, content.options)
        for (platform, own) in content.platforms ?? [:] {
            problems += MessageCheck.problems(
                own.message,
                own.options,
                path: "\(platform.rawValue)."
            )
        }
        guard problems.isEmpty else { throw PushProblems(problems) }
    }
}
