import Analytics
import Audience
import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import Reasons

/// Stores in-app messages and gives each device those that its user may see.
package struct InAppMessageService: Sendable {
    /// Maximum number of active messages per workspace; a device fetches all of them.
    package static let activeLimit = 200
    /// How many of a device's messages wait for external data at once.
    static let askingAtOnce = 8

    let store: any Store
    let audience: SegmentationService
    let renderer: MessageRenderer
    /// Makes the calls of Connected Content.
    let fetcher: any ContentFetcher
    /// How long a device waits at most for messages with external data.
    let patience: Duration
    let sleep: @Sendable (Duration) async throws -> Void
    let strikes = InAppStrikes()
    /// Caches the counts for pages.
    let figures: ReportCache?
    let makeID: @Sendable () -> UUID
    let now: @Sendable () -> Date

    /// - Parameters:
    ///   - patience: How long a device waits at most for messages with external data; those that are
    ///     not ready then are left out, and asked for again with its next request.
    ///   - sleep: Waits for a time, as `Task.sleep(for:)` does.
    package init(
        store: any Store,
        audience: SegmentationService,
        renderer: MessageRenderer = MessageRenderer(),
        fetcher: any ContentFetcher,
        figures: ReportCache? = nil,
        patience: Duration = .seconds(4),
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        },
        makeID: @escaping @Sendable () -> UUID = { UUID() },
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.audience = audience
        self.renderer = renderer
        self.fetcher = fetcher
        self.patience = patience
        self.sleep = sleep
        self.figures = figures
        self.makeID = makeID
        self.now = now
    }

    // MARK: Finding

    package func message(
        _ id: UUID,
        in workspace: WorkspaceID
    ) async throws -> InAppMessageDefinition? {
        try await store.inAppMessage(id, in: workspace)
    }

    /// Newest first, with the total number on all pages.
    package func messages(
        in workspace: WorkspaceID,
        matching query: InAppMessageQuery
    ) async throws -> (messages: [InAppMessageDefinition], total: Int) {
        try await store.inAppMessages(in: workspace, matching: query)
    }

    /// All messages, oldest first.
    package func messages(
        in workspace: WorkspaceID,
        limit: Int,
        offset: Int
    ) async throws -> [InAppMessageDefinition] {
        try await store.inAppMessages(
            in: workspace,
            states: Set(InAppMessageDefinition.State.allCases),
            limit: limit,
            offset: offset
        )
    }

    // MARK: Keeping

    /// An empty message; ``create(_:from:by:)`` stores it.
    package func blank(in workspace: WorkspaceID) -> InAppMessageDefinition {
        let id = makeID()
        let time = now()
        return InAppMessageDefinition(
            id: id,
            workspace: workspace,
            name: "",
            state: .draft,
            message: InAppMessage(
                id: id.uuidString.lowercased(),
                kind: .modal,
                message: "",
                rules: InAppMessageRules(triggers: [])
            ),
            createdAt: time,
            updatedAt: time
        )
    }

    /// - Throws: `ValidationError` naming each field at fault; `DraftFinishedError` when the form's draft
    ///   was saved before; `NotAllowedError` to members who are no marketers, and for messages of other
    ///   workspaces.
    package func create(
        _ message: InAppMessageDefinition,
        from origin: EditOrigin = .direct,
        by actor: Actor
    ) async throws {
        try check(actor, message)
        try await check(message)
        try await namingTaken(message.name) {
            try await store.createInAppMessage(
                message,
                from: origin,
                noting: record(message, nil, actor)
            )
        }
    }

    /// - Returns: `false` if the message does not exist.
    /// - Throws: As ``create(_:from:by:)``, or `StoreError` with code `changed` if another member
    ///   has saved it since the editing began.
    package func update(
        _ message: InAppMessageDefinition,
        from origin: EditOrigin = .direct,
        by actor: Actor
    ) async throws -> Bool {
        try check(actor, message)
        try await check(message)
        return try await write(message, from: origin, by: actor)
    }

    /// Performs an action on a message that is unchanged since `version`.
    ///
    /// - Parameter version: `nil` for as it is in `message`.
    /// - Throws: `ValidationError` when devices cannot show it as it is; `NotAllowedError` as
    ///   ``create(_:from:by:)``.
    package func take(
        _ step: InAppMessageDefinition.Step,
        with message: InAppMessageDefinition,
        seenAt version: Date? = nil,
        by actor: Actor
    ) async throws -> Bool {
        try check(actor, message)
        let seen = (version ?? message.updatedAt).milliseconds
        guard message.steps.contains(step), message.updatedAt.milliseconds == seen else {
            return false
        }
        var changed = message
        changed.state = step.state
        // Problems of a message must not prevent pausing it.
        if step == .activate { try await check(changed) }
        do {
            return try await write(
                changed,
                from: EditOrigin(version: message.updatedAt),
                by: actor
            )
        } catch let error as StoreError where error.code == .changed {
            return false
        }
    }

    private func write(
        _ message: InAppMessageDefinition,
        from origin: EditOrigin,
        by actor: Actor
    ) async throws -> Bool {
        let former = try await store.inAppMessage(message.id, in: message.workspace)
        guard let former else { return false }
        var message = message
        message.updatedAt = now()
        return try await namingTaken(message.name) { [message] in
            try await store.updateInAppMessage(
                message,
                from: origin,
                noting: record(message, former.state, actor)
            )
        }
    }

    // MARK: Parts

    private func check(_ actor: Actor, _ message: InAppMessageDefinition) throws(NotAllowedError) {
        try actor.require(.marketer)
        guard actor.workspace == message.workspace else { throw NotAllowedError() }
    }

    private func record(
        _ message: InAppMessageDefinition,
        _ former: InAppMessageDefinition.State?,
        _ actor: Actor
    ) -> AuditRecord {
        let action =
            switch message.state {
            case former, .draft: "in_app_saved"
            case .active: "in_app_activated"
            case .paused: "in_app_paused"
            case .archived: "in_app_archived"
            }
        return AuditRecord(
            at: now(),
            by: actor,
            action: action,
            subject: message.id.uuidString.lowercased(),
            detail: message.name
        )
    }

    private func namingTaken<Answer>(
        _ name: String,
        _ work: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await work()
        } catch let error as StoreError where error.code == .exists {
            throw ValidationError(.inApp(.name), .inAppNameTaken, ["name": .text(name)])
        }
    }

    private func check(_ stored: InAppMessageDefinition) async throws {
        var problems = InAppMessageValidator.problems(stored)
        for (index, content) in stored.contents.enumerated() {
            problems +=
                try await parse(content, variant: index, in: stored.workspace).problems
        }
        if stored.state == .active, problems.isEmpty {
            let active = try await store.inAppMessages(
                in: stored.workspace,
                states: [.active],
                limit: Self.activeLimit,
                offset: 0
            ).filter { $0.id != stored.id }
            if active.count >= Self.activeLimit {
                let count: [String: Reason.Argument] = ["count": "\(Self.activeLimit)"]
                problems.append(.init(.inApp(.state), .mostActive, count))
            }
        }
        guard problems.isEmpty else { throw ValidationError(problems) }
    }

    /// The templates of a message, unless they cannot be parsed, and its problems.
    func parse(
        _ message: InAppMessage,
        variant: Int = 0,
        in workspace: WorkspaceID
    ) async throws -> (
        templates: InAppMessageTemplates?, blocks: ContentBlockSet, problems: [FieldProblem]
    ) {
        do {
            let templates = try InAppMessageTemplates(parsing: message, variant: variant)
            let names = templates.contentBlocks
            let blocks = try await blocks(names, in: workspace)
            let problems = names.compactMap { name in
                blocks.problem(of: name).map {
                    FieldProblem(.inApp(.content(variant: variant)), $0)
                }
            }
            return (templates, blocks, problems)
        } catch let found as ValidationError {
            return (nil, .none, found.problems)
        }
    }

    /// Answers the questions of a workspace's messages.
    func answerer(in workspace: WorkspaceID) -> MessageDataSource {
        MessageDataSource(
            workspace: workspace,
            catalogs: CatalogReader(
                store: store,
                now: now,
                random: { Double.random(in: 0..<1) }
            ),
            fetcher: fetcher
        )
    }

    func blocks(
        _ names: [String],
        in workspace: WorkspaceID
    ) async throws -> ContentBlockSet {
        try await ContentBlockReader(store: store).blocks(named: names, in: workspace)
    }
}
