import Audience
import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import Scheduling

/// The messages for devices.
extension InAppMessageService {
    /// The messages that a device may show, rendered for its logged-in user.
    ///
    /// A device identifies itself by the random identifier of its installation, so that no one can
    /// read a user's messages by guessing the user's name. If the device reports another user than
    /// the stored one, or is unknown, it gets only the messages for all users, without personal
    /// data. The same applies, if the app requires signed tokens, to a device that has never sent
    /// one of the user.
    ///
    /// - Parameter isProved: Whether this request includes such a token.
    /// - Throws: `AudienceError` while the audience is being read.
    package func messages(
        for installation: UUID?,
        user: String?,
        isProved: Bool = false,
        of app: App
    ) async throws -> [InAppMessage] {
        let active = try await active(in: app.workspace)
        guard !active.isEmpty else { return [] }
        var profile: Profile?
        if let installation {
            let owner = try await store.owner(ofInstallation: installation, in: app.workspace)
            let needsProof = app.authentication.mode == .required && !isProved
            if let owner, owner.isProved || !needsProof { profile = owner.user }
        }
        if profile?.externalID != user { profile = nil }
        // The workspace's control group gets no campaign's messages, and so none of these; its
        // devices report when they would have shown one.
        var isWithheld = false
        if let profile {
            let group = try await store.limits(of: app.workspace).controlGroup
            isWithheld = group?.contains(profile.id) == true
        }
        let journeys = try await store.journeyMessages(
            in: app.workspace,
            for: profile?.id,
            now: now()
        )
        let withheld = journeys.reserved.subtracting(journeys.granted.keys)
        var prepared: [Prepared] = []
        for stored in active where !withheld.contains(stored.id) {
            guard !hasExpired(stored.message), try await isEligible(profile, stored) else {
                continue
            }
            // Of the entry that lets the user see it.
            let properties = journeys.granted[stored.id] ?? MessageProperties()
            let content =
                isWithheld
                ? Self.unseen(stored, as: InAppExperiment.withheldName)
                : content(of: stored, for: profile, installation)
            if let one = try await prepare(stored, content, profile, properties, app) {
                prepared.append(one)
            }
        }
        return try await render(prepared, app)
    }

    // MARK: One by one, for a rehearsal

    /// What devices may show, the order in which they get it included.
    package func active(in workspace: WorkspaceID) async throws -> [InAppMessageDefinition] {
        try await store.inAppMessages(
            in: workspace,
            states: [.active],
            limit: Self.activeLimit,
            offset: 0
        )
    }

    /// Those of some users who are in a message's audience.
    package func viewers(
        of stored: InAppMessageDefinition,
        among profiles: [ProfileID]
    ) async throws -> Set<ProfileID> {
        guard stored.audience != SegmentQuery(), !profiles.isEmpty else { return Set(profiles) }
        do {
            return Set(
                try await audience.members(
                    of: profiles,
                    matching: stored.audience,
                    in: stored.workspace
                )
            )
        } catch let problem as AudienceError where problem.code == .unknownSegment {
            // The segment was archived; the other messages are still delivered.
            return []
        }
    }

    /// One message as a user's device gets it; `nil` if its templates leave it out.
    ///
    /// - Parameter isWithheld: Whether the user is in the workspace's control group.
    package func message(
        _ stored: InAppMessageDefinition,
        for profile: Profile,
        on installation: UUID,
        of app: App,
        isWithheld: Bool,
        _ properties: MessageProperties
    ) async throws -> InAppMessage? {
        let content =
            isWithheld
            ? Self.unseen(stored, as: InAppExperiment.withheldName)
            : content(of: stored, for: profile, installation)
        guard let one = try await prepare(stored, content, profile, properties, app) else {
            return nil
        }
        return try await render([one], app).first
    }

    private func prepare(
        _ stored: InAppMessageDefinition,
        _ content: InAppMessage,
        _ profile: Profile?,
        _ properties: MessageProperties,
        _ app: App
    ) async throws -> Prepared? {
        // Stored messages are validated; one that no longer parses is not shown.
        guard let templates = try? InAppMessageTemplates(parsing: content) else { return nil }
        return Prepared(
            templates: templates,
            blocks: try await blocks(templates.contentBlocks, in: app.workspace),
            strikes: strikes.strikes(of: stored),
            variables: ProfileVariables(profile: profile, app: app, properties: properties)
        )
    }

    /// A message that a device may show, with all that rendering needs.
    private struct Prepared: Sendable {
        var templates: InAppMessageTemplates
        var blocks: ContentBlockSet
        var strikes: RenderStrikes
        var variables: ProfileVariables
    }

    private enum Progress: Sendable {
        case rendered(Int, InAppMessage?)
        case isOver
    }

    /// Renders messages, those with external data at the same time and not for longer than a device
    /// waits.
    private func render(
        _ prepared: [Prepared],
        _ app: App
    ) async throws -> [InAppMessage] {
        var rendered = [InAppMessage?](repeating: nil, count: prepared.count)
        var asking: [Int] = []
        for (index, one) in prepared.enumerated() {
            if one.templates.asksQuestions(one.blocks) {
                asking.append(index)
            } else {
                rendered[index] = try await render(one, app)
            }
        }
        guard !asking.isEmpty else { return rendered.compactMap(\.self) }
        try await withThrowingTaskGroup(of: Progress.self) { group in
            group.addTask {
                try await sleep(patience)
                return .isOver
            }
            var waiting = asking[...]
            func start() {
                guard let index = waiting.popFirst() else { return }
                group.addTask {
                    .rendered(index, try await render(prepared[index], app))
                }
            }
            for _ in 0..<Self.askingAtOnce { start() }
            var left = asking.count
            while left > 0, case .rendered(let index, let message) = try await group.next() {
                rendered[index] = message
                left -= 1
                start()
            }
            group.cancelAll()
        }
        return rendered.compactMap(\.self)
    }

    private func hasExpired(_ message: InAppMessage) -> Bool {
        message.rules.expiresAtMilliseconds.map { $0 <= now().milliseconds } ?? false
    }

    private func isEligible(_ profile: Profile?, _ stored: InAppMessageDefinition) async throws
        -> Bool
    {
        guard stored.audience != SegmentQuery() else { return true }
        guard let profile else { return false }
        return try await !viewers(of: stored, among: [profile.id]).isEmpty
    }

    /// The variant of a user, the same in every session while the weights are unchanged; nothing
    /// visible for the control group. A device without a user gets a variant derived from its
    /// installation.
    private func content(
        of stored: InAppMessageDefinition,
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
        case .control: return Self.unseen(stored, as: InAppExperiment.controlName)
        }
    }

    /// A message of which a device reports only that it would have been shown.
    private static func unseen(
        _ stored: InAppMessageDefinition,
        as variant: String
    ) -> InAppMessage {
        var unseen = InAppMessage(
            id: stored.message.id,
            kind: .control,
            message: "",
            rules: stored.message.rules
        )
        unseen.variant = variant
        return unseen
    }

    private func render(
        _ prepared: Prepared,
        _ app: App
    ) async throws -> InAppMessage? {
        let outcome = try await prepared.templates.render(
            for: prepared.variables,
            now: now(),
            blocks: prepared.blocks,
            answerer: answerer(in: app.workspace),
            by: renderer,
            strikes: prepared.strikes
        )
        guard case .message(let message) = outcome else { return nil }
        return message
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
