import Foundation
import Model
import Ports
import Reasons

/// Validates a push and creates a send from it. It never sends.
///
/// Each method checks the actor's permissions, is one transaction with its audit record, and
/// announces the change.
package struct PushComposer: Sendable {
    /// Maximum number of key-value pairs of a push.
    package static let pairLimit = MessageValidator.pairLimit

    private let store: any SendStore & ContentBlockStore & DraftStore
    private let undoSeconds: Int
    private let payload: PayloadMeter?
    private let now: @Sendable () -> Date
    private let announce: @Sendable (SendID, WorkspaceID) -> Void

    /// - Parameters:
    ///   - undoSeconds: For how many seconds a draft that was sent immediately can be taken back; 0
    ///     means not at all.
    ///   - payload: Measures messages for Apple; `nil` accepts every size.
    ///   - announce: Called with every new send, so that no poll is needed.
    package init(
        store: any SendStore & ContentBlockStore & DraftStore,
        undoSeconds: Int = 0,
        payload: PayloadMeter? = nil,
        now: @escaping @Sendable () -> Date,
        announce: @escaping @Sendable (SendID, WorkspaceID) -> Void
    ) {
        self.store = store
        self.undoSeconds = undoSeconds
        self.payload = payload
        self.now = now
        self.announce = announce
    }

    /// Creates a send for `scheduledAt`, or for now.
    ///
    /// - Parameters:
    ///   - key: A second request with the same key answers with the send of the first.
    ///   - detail: What the log says of it; its title where it is `nil`.
    /// - Throws: `ValidationError` that names every field at fault, `RefusalError` for a key that
    ///   was used for another request, `NotAllowedError` to members who are no marketers.
    package func send(
        _ content: SendContent,
        by actor: Actor,
        at scheduledAt: Date? = nil,
        key: IdempotencyKey? = nil,
        detail: String? = nil
    ) async throws -> Send {
        let content = try await checked(content, by: actor)
        let now = now()
        let audit = note(isScheduled: scheduledAt != nil, content, detail, at: now, by: actor)
        let send: Send
        if let key {
            let outcome = try await store.createSend(
                content,
                for: key,
                in: actor.workspace,
                scheduledAt: scheduledAt ?? now,
                noting: audit,
                now: now
            )
            switch outcome {
            case .known(let known): return known
            case .otherRequest: throw RefusalError(.otherRequest)
            case .made(let made): send = made
            }
        } else {
            send = try await store.createSend(
                content,
                in: actor.workspace,
                scheduledAt: scheduledAt ?? now,
                noting: audit,
                now: now
            )
        }
        announce(send.id, actor.workspace)
        return send
    }

    /// Sends a message at once to somebody who looks at it; lists show it as a test.
    ///
    /// - Throws: As for any other send.
    package func test(
        _ content: SendContent,
        by actor: Actor,
        detail: String
    ) async throws -> Send {
        var content = content
        content.isTest = true
        return try await send(content, by: actor, detail: detail)
    }

    /// Creates the send of a draft, once. An immediate send can be taken back for some seconds if
    /// the server is configured for it.
    ///
    /// - Returns: The send of the draft, whether created now or before; `nil` if the draft does not
    ///   exist.
    /// - Throws: As for any other send.
    package func send(
        _ content: SendContent,
        ofDraft draft: UUID,
        by actor: Actor,
        at scheduledAt: Date? = nil
    ) async throws -> SendID? {
        var content = try await checked(content, by: actor)
        let now = now()
        var start = scheduledAt ?? now
        if scheduledAt == nil, undoSeconds > 0 {
            // The time is stored with the send, so that it survives a restart.
            start = Date(milliseconds: now.milliseconds + Int64(undoSeconds) * 1_000)
            content.heldUntil = start
        }
        switch try await store.createSend(
            content,
            ofDraft: draft,
            in: actor.workspace,
            scheduledAt: start,
            noting: note(isScheduled: scheduledAt != nil, content, nil, at: now, by: actor),
            now: now
        ) {
        case .made(let send):
            announce(send.id, actor.workspace)
            return send.id
        case .known(let send): return send
        case .missing: return nil
        }
    }

    /// Replaces the content or the time of a scheduled send.
    ///
    /// - Parameter draft: The draft in which it was edited, which is then finished.
    /// - Returns: `false` if the send is no longer scheduled.
    /// - Throws: As for a new one; `NotAllowedError` also for a send of another workspace.
    package func update(
        _ send: Send,
        to content: SendContent,
        at scheduledAt: Date,
        ofDraft draft: UUID? = nil,
        by actor: Actor
    ) async throws -> Bool {
        guard send.workspace == actor.workspace else { throw NotAllowedError() }
        var content = try await checked(content, by: actor)
        content.author = send.content.author
        let isUpdated = try await store.updateScheduledSend(
            send.id,
            content: content,
            scheduledAt: scheduledAt,
            ofDraft: draft,
            noting: AuditRecord(
                at: now(),
                by: actor,
                action: "push_changed",
                subject: "#\(send.id)"
            )
        )
        if isUpdated { announce(send.id, send.workspace) }
        return isUpdated
    }

    /// The content with its author.
    private func checked(
        _ content: SendContent,
        by actor: Actor
    ) async throws -> SendContent {
        try actor.require(.marketer)
        try Self.check(content)
        try checkSize(of: content)
        try await checkContentBlocks(of: content, in: actor.workspace)
        var content = content
        content.author = actor.name
        return content
    }

    /// Checks a message that is the same for everybody: if it is too large, every iPhone refuses it.
    /// One that differs between users is measured when it is reviewed.
    private func checkSize(of content: SendContent) throws {
        guard let payload, content.onlyPlatforms?.contains(.ios) ?? true else { return }
        let own = content.platforms?[.ios]?.message
        let message = own ?? content.message
        guard try !PushTemplates(parsing: message).isPersonal else { return }
        let bytes = payload.bytes(message)
        guard bytes > payload.limit else { return }
        throw ValidationError([
            FieldProblem(
                own == nil ? .push(.body) : .push(.body, for: .ios),
                .payloadTooLarge,
                ["bytes": "\(bytes)", "limit": "\(payload.limit)"]
            )
        ])
    }

    /// The audit record of a new send, whose number is not known before.
    private func note(
        isScheduled: Bool,
        _ content: SendContent,
        _ detail: String?,
        at now: Date,
        by actor: Actor
    ) -> @Sendable (SendID) -> AuditRecord? {
        let detail = detail ?? content.message.headline
        return { send in
            AuditRecord(
                at: now,
                by: actor,
                action: isScheduled ? "push_scheduled" : "push_sent",
                subject: "#\(send)",
                detail: detail
            )
        }
    }

    /// Checks that the content blocks of a message can be used.
    private func checkContentBlocks(
        of content: SendContent,
        in workspace: WorkspaceID
    ) async throws {
        var messages: [MessageValidator.PlacedMessage] = [({ .push($0) }, content.message)]
        for (platform, own) in content.platforms ?? [:] {
            messages.append(({ .push($0, for: platform) }, own.message))
        }
        let problems = try await MessageValidator.contentBlockProblems(
            of: messages,
            in: workspace,
            store
        )
        guard problems.isEmpty else { throw ValidationError(problems) }
    }

    /// Checks what can be checked before a user is known.
    package static func check(_ content: SendContent) throws(ValidationError) {
        var problems = MessageValidator.problems(content.message, content.options)
        for (platform, own) in content.platforms ?? [:] {
            problems += MessageValidator.problems(own.message, own.options) {
                .push($0, for: platform)
            }
        }
        guard problems.isEmpty else { throw ValidationError(problems) }
    }
}
