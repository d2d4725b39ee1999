import Foundation
import Model
import NoroshiWire
import Ports
import Scheduling
import Synchronization

/// Keeps in-app messages and hands each device those that its user may see.
package struct InAppMessageService: Sendable {
    /// The most messages that are active in a workspace at once; a device fetches all of them.
    package static let activeLimit = 200

    package typealias Membership =
        @Sendable (ProfileID, SegmentQuery, WorkspaceID) async throws -> Bool

    private let store: any InAppMessageStore & ContentBlockStore & IdentityStore
    private let isMember: Membership
    private let renderer: MessageRenderer
    private let strikes = InAppStrikes()
    private let now: @Sendable () -> Date

    /// - Parameter isMember: Whether a user matches, exact at the moment of the answer.
    package init(
        store: any InAppMessageStore & ContentBlockStore & IdentityStore,
        renderer: MessageRenderer = MessageRenderer(),
        now: @escaping @Sendable () -> Date,
        isMember: @escaping Membership
    ) {
        self.store = store
        self.renderer = renderer
        self.now = now
        self.isMember = isMember
    }

    // MARK: Keeping

    /// - Throws: `PushProblems` naming each field at fault, or `DraftFinished` when the form's draft
    ///   was saved before.
    package func create(
        _ message: StoredInAppMessage,
        from origin: EditOrigin = .direct
    ) async throws {
        try await check(message)
        do {
            try await store.createInAppMessage(message, from: origin)
        } catch let error as StoreError where error.code == .exists {
            throw PushProblems([.init(field: "name", message: "is taken: \(error.message)")])
        }
    }

    /// Whether there was such a message.
    ///
    /// - Throws: `PushProblems` naming each field at fault, `DraftFinished` when the form's draft
    ///   was saved before, or `StoreError` with code `changed` when somebody else has saved it
    ///   since the editing began.
    package func update(
        _ message: StoredInAppMessage,
        from origin: EditOrigin = .direct
    ) async throws -> Bool {
        try await check(message)
        do {
            return try await store.updateInAppMessage(message, from: origin)
        } catch let error as StoreError where error.code == .exists {
            throw PushProblems([.init(field: "name", message: "is taken: \(error.message)")])
        }
    }

    private func check(_ stored: StoredInAppMessage) async throws {
        var problems = InAppMessageCheck.problems(stored)
        for (index, content) in ([stored.message] + stored.experiment.others).enumerated() {
            let found = try await parse(content, in: stored.workspace).problems
            problems += found.map { InAppMessageCheck.renamed($0, variant: index) }
        }
        if stored.state == .active, problems.isEmpty {
            let active = try await store.inAppMessages(
                in: stored.workspace,
                states: [.active],
                limit: Self.activeLimit,
                offset: 0
            ).filter { $0.id != stored.id }
            if active.count >= Self.activeLimit {
                problems.append(
                    .init(
                        field: "state",
                        message: "there are \(Self.activeLimit) active messages; stop one first"
                    )
                )
            }
        }
        guard problems.isEmpty else { throw PushProblems(problems) }
    }

    /// The templates of a message, unless they cannot be parsed, and what is wrong with them.
    private func parse(
        _ message: InAppMessage,
        in workspace: WorkspaceID
    ) async throws -> (
        templates: InAppMessageTemplates?, blocks: ContentBlockSet, problems: [PushProblems.Problem]
    ) {
        do {
            let templates = try InAppMessageTemplates(parsing: message)
            let names = templates.contentBlocks
            let blocks = try await blocks(names, in: workspace)
            let problems = names.compactMap { name in
                blocks.problem(of: name).map {
                    PushProblems.Problem(field: "message", message: $0)
                }
            }
            return (templates, blocks, problems)
        } catch let found as PushProblems {
            return (nil, .none, found.problems)
        }
    }

    /// A message that is being written as one user would get it, and what is wrong with its
    /// templates; no outcome when they cannot be parsed.
    package func preview(
        _ message: InAppMessage,
        for profile: Profile?,
        of app: App?,
        in workspace: WorkspaceID
    ) async throws -> (outcome: InAppMessageTemplates.Outcome?, problems: [PushProblems.Problem]) {
        let parsed = try await parse(message, in: workspace)
        guard parsed.problems.isEmpty else { return (nil, parsed.problems) }
        let outcome = await parsed.templates?.render(
            for: ProfileVariables(profile: profile, app: app),
            now: now(),
            blocks: parsed.blocks,
            by: renderer
        )
        return (outcome, [])
    }

    // MARK: Handing out

    /// The messages that a device may show, rendered for the user who is logged in on it.
    ///
    /// A device says who it is by the random identifier of its installation, so that nobody reads
    /// what a message says of a user by guessing the user's name. Where the device has another user
    /// than it says, or is unknown yet, it gets the messages that are for everybody and that name
    /// nobody. So does, where the app requires signed tokens, a device that has never brought one of
    /// the user.
    ///
    /// - Parameter isProved: Whether this very request comes with such a token.
    /// - Throws: `AudienceProblem` while the audience is being read.
    package func messages(
        for installation: UUID?,
        user: String?,
        isProved: Bool = false,
        of app: App
    ) async throws -> [InAppMessage] {
        let active = try await store.inAppMessages(
            in: app.workspace,
            states: [.active],
            limit: Self.activeLimit,
            offset: 0
        )
        guard !active.isEmpty else { return [] }
        var profile: Profile?
        if let installation {
            let owner = try await store.owner(ofInstallation: installation, in: app.workspace)
            let needsProof = app.authentication.mode == .required && !isProved
            if let owner, owner.isProved || !needsProof { profile = owner.user }
        }
        if profile?.externalID != user { profile = nil }
        var messages: [InAppMessage] = []
        for stored in active {
            guard !hasExpired(stored.message), try await isEligible(profile, stored),
                let message = try await render(
                    content(of: stored, for: profile, installation),
                    for: profile,
                    of: app,
                    strikes: strikes.strikes(of: stored)
                )
            else { continue }
            messages.append(message)
        }
        return messages
    }

    private func hasExpired(_ message: InAppMessage) -> Bool {
        message.rules.expiresAtMilliseconds.map { $0 <= now().milliseconds } ?? false
    }

    private func isEligible(_ profile: Profile?, _ stored: StoredInAppMessage) async throws -> Bool
    {
        guard stored.audience != SegmentQuery() else { return true }
        guard let profile else { return false }
        do {
            return try await isMember(profile.id, stored.audience, stored.workspace)
        } catch let problem as AudienceProblem where problem.code == .unknownSegment {
            // The segment has been archived; the others are handed out all the same.
            return false
        }
    }

    /// The variant of a user, the same at every session as long as the weights are; nothing to see
    /// for the control group. A device without a user is drawn by itself.
    private func content(
        of stored: StoredInAppMessage,
        for profile: Profile?,
        _ installation: UUID?
    ) -> InAppMessage {
        let variants = stored.variants
        guard stored.experiment.isRunning else { return stored.message }
        let nobody = installation.map { ProfileID($0.firstBits) } ?? ProfileID(0)
        let assignment = VariantAssignment(
            campaign: stored.id,
            controlShare: stored.experiment.controlShare,
            weights: stored.experiment.weights
        )
        switch assignment.group(of: profile?.id ?? nobody) {
        case .variant(let index) where variants.indices.contains(index):
            return variants[index]
        case .variant:
            return variants[0]
        case .control:
            var control = InAppMessage(
                id: stored.message.id,
                kind: .control,
                message: "",
                rules: stored.message.rules
            )
            control.variant = InAppExperiment.controlName
            return control
        }
    }

    private func render(
        _ content: InAppMessage,
        for profile: Profile?,
        of app: App,
        strikes: RenderStrikes
    ) async throws -> InAppMessage? {
        // What was stored has been checked; what no longer parses is not shown.
        guard let templates = try? InAppMessageTemplates(parsing: content) else { return nil }
        let outcome = await templates.render(
            for: ProfileVariables(profile: profile, app: app),
            now: now(),
            blocks: try await blocks(templates.contentBlocks, in: app.workspace),
            by: renderer,
            strikes: strikes
        )
        guard case .message(let message) = outcome else { return nil }
        return message
    }

    private func blocks(
        _ names: [String],
        in workspace: WorkspaceID
    ) async throws -> ContentBlockSet {
        try await ContentBlockReader(store: store).blocks(named: names, in: workspace)
    }
}

/// How often each message has reached a limit since it was changed last.
private final class InAppStrikes: Sendable {
    private struct Key: Hashable {
        var message: UUID
        var updatedAt: Date
    }

    private static let kept = 1_000
    private let known = Mutex<[Key: RenderStrikes]>([:])

    func strikes(of stored: StoredInAppMessage) -> RenderStrikes {
        let key = Key(message: stored.id, updatedAt: stored.updatedAt)
        return known.withLock { known in
            if let strikes = known[key] { return strikes }
            if known.count >= Self.kept { known = [:] }
            let strikes = RenderStrikes()
            known[key] = strikes
            return strikes
        }
    }
}

extension UUID {
    /// Eight of its bytes, which are random in the identifier of an installation.
    fileprivate var firstBits: Int64 {
        withUnsafeBytes(of: uuid) { bytes in
            bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        }
    }
}
