import Foundation
import JSON
import Model
import NoroshiWire
import Ports

/// Checks a push that somebody has written and makes a send of it. It never sends.
package struct PushComposer: Sendable {
    /// The most key-value pairs of a push.
    package static let pairLimit = 50

    private let store: any SendStore & ContentBlockStore
    private let now: @Sendable () -> Date
    private let announce: @Sendable (SendID, WorkspaceID) -> Void

    /// `announce` is called with every new send, so that nobody has to look for it.
    package init(
        store: any SendStore & ContentBlockStore,
        now: @escaping @Sendable () -> Date,
        announce: @escaping @Sendable (SendID, WorkspaceID) -> Void
    ) {
        self.store = store
        self.now = now
        self.announce = announce
    }

    /// Makes a send for `scheduledAt`, or for now.
    ///
    /// - Throws: `PushProblems` that names every field at fault.
    package func send(
        _ content: SendContent,
        in workspace: WorkspaceID,
        at scheduledAt: Date? = nil
    ) async throws -> Send {
        try Self.check(content)
        try await checkContentBlocks(of: content, in: workspace)
        let now = now()
        let send = try await store.createSend(
            content,
            in: workspace,
            scheduledAt: scheduledAt ?? now,
            now: now
        )
        announce(send.id, workspace)
        return send
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
        let templates = try PushTemplates(parsing: content.message)
        let blocks = try await ContentBlockReader(store: store).blocks(
            named: templates.contentBlocks,
            in: workspace
        )
        let problems = templates.problems(with: blocks)
        guard problems.isEmpty else { throw PushProblems(problems) }
    }

    /// Tells of a send that another verb has changed, such as one that goes on after a pause.
    package func announceChange(of send: Send) {
        announce(send.id, send.workspace)
    }

    /// Checks what can be checked before a user is known.
    package static func check(_ content: SendContent) throws(PushProblems) {
        let message = content.message
        var problems: [PushProblems.Problem] = []
        if message.title.isEmpty, message.body.isEmpty, !message.isSilent {
            problems.append(.init(field: "body", message: "write a title or a message"))
        }
        for key in message.keyValuePairs.keys where PushPayloadKey.reserved.contains(key) {
            problems.append(
                .init(
                    field: "key_value_pairs.\(key)",
                    message: "'\(key)' is used by the payload itself; choose another key"
                )
            )
        }
        if message.keyValuePairs.keys.contains("") {
            problems.append(.init(field: "key_value_pairs", message: "every pair needs a key"))
        }
        if message.keyValuePairs.count > pairLimit {
            problems.append(
                .init(field: "key_value_pairs", message: "at most \(pairLimit) pairs")
            )
        }
        if case .set(let number) = message.badge, !(0...99_999).contains(number) {
            problems.append(.init(field: "badge", message: "is a number from 0 to 99999"))
        }
        if let text = message.customVariables, !text.contains("{{"), !text.contains("{%") {
            do {
                _ = try JSONReader.read(Array(text.utf8))
            } catch {
                problems.append(.init(field: "custom_vars", message: "is no JSON: \(error)"))
            }
        }
        if let id = content.options.collapseID, id.utf8.count > 64 {
            problems.append(.init(field: "collapse_id", message: "has at most 64 bytes"))
        }
        if let score = message.relevanceScore, !(0...1).contains(score) {
            problems.append(.init(field: "relevance_score", message: "is a number from 0 to 1"))
        }
        do {
            _ = try PushTemplates(parsing: message)
        } catch {
            problems += error.problems
        }
        guard problems.isEmpty else { throw PushProblems(problems) }
    }
}
