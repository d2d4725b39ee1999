import Foundation
import Model
import Monitoring
import Ports
import Scheduling
import Tracing

/// Writes the dispatches of sends batch by batch; it never sends.
package struct SendPlanner: Sendable {
    /// Number of members of a segment listed at a time to find some of them.
    private static let memberPage = 10_000

    private let store: any Store
    private let audience: any AudienceSource
    private let now: @Sendable () -> Date
    private let spans: Spans
    private let traces: SendTraces
    private let onDecision: @Sendable (Send, ProfileID, RecipientDecision) -> Void

    /// - Parameter onDecision: Called for every user whom a rule was asked about; users outside of the
    ///   audience are not.
    package init(
        store: any Store,
        audience: any AudienceSource,
        now: @escaping @Sendable () -> Date,
        spans: Spans = Spans(),
        traces: SendTraces = SendTraces(),
        onDecision: @escaping @Sendable (Send, ProfileID, RecipientDecision) -> Void = { _, _, _ in
        }
    ) {
        self.store = store
        self.audience = audience
        self.now = now
        self.spans = spans
        self.traces = traces
        self.onDecision = onDecision
    }

    /// Plans the next `limit` users of a send in state `planning`. Repeating a step after a crash
    /// adds nothing twice.
    package func planNextBatch(of send: Send, limit: Int) async throws -> RecipientBatchResult {
        try await spans.measure(
            "plan send",
            .internal,
            parent: traces.trace(of: send.id.rawValue),
            ["send.id": .int64(send.id.rawValue)]
        ) { span in
            let result = try await plan(send, limit: limit)
            span?.attributes["send.dispatches"] = Int64(result.added)
            return result
        }
    }

    private func plan(_ send: Send, limit: Int) async throws -> RecipientBatchResult {
        let now = now()
        guard try await needsRules(send) else {
            return try await store.planNextBatch(of: send.id, limit: limit, now: now)
        }
        let origin = try await store.planCursor(of: send.id)
        let users = try await users(of: send, after: origin, limit: limit)
        var chunk = RecipientBatch(
            campaign: send.content.launch?.campaign,
            countsForCaps: !(send.content.launch?.content.isExemptFromCaps ?? true),
            origin: origin,
            end: users.last,
            isComplete: users.count < limit
        )
        try await fill(&chunk, with: users, of: send, now)
        let isCommitted = try await store.commitPlan(chunk, of: send.id, now: now)
        // Otherwise the send was paused, stopped or planned by another process.
        guard isCommitted else { return RecipientBatchResult(added: 0, isComplete: false) }
        return RecipientBatchResult(
            added: chunk.entries.reduce(0) { $0 + $1.devices.count },
            isComplete: chunk.isComplete
        )
    }

    /// Lists further recipients of the scheduled sends with a fixed audience.
    ///
    /// - Returns: Whether any were listed.
    package func extractNextChunk(limit: Int) async throws -> Bool {
        let sends = try await store.sendsAwaitingSnapshot()
        var didWork = false
        for send in sends {
            let origin = try await store.snapshotCursor(of: send.id)
            let users: [ProfileID]
            do {
                users = try await matchingUsers(of: send, after: origin, limit: limit)
            } catch let problem as AudienceError where problem.code == .notReady {
                // The next round tries again.
                continue
            } catch is AudienceError {
                _ = try await store.control(send.id, .stop, noting: nil, now: now())
                continue
            }
            _ = try await store.list(
                users,
                asRecipientsOf: send.id,
                after: origin,
                isComplete: users.count < limit
            )
            didWork = true
        }
        return didWork
    }

    /// The decision of a send about one user: the same rules again, with the history before the
    /// send.
    package func decision(
        for profile: ProfileID,
        in send: Send
    ) async throws -> RecipientDecision {
        try await finding(for: profile, in: send).decision
    }

    /// The decision about one user, with the data behind it.
    ///
    /// - Throws: `AudienceError` if the audience cannot be evaluated.
    package func finding(
        for profile: ProfileID,
        in send: Send
    ) async throws -> RecipientEvaluation {
        let limits = try await store.limits(of: send.workspace)
        guard let launch = send.content.launch else {
            let found = try await plainRecipients([profile], of: send)
            var clocks = try await clocks(of: send)
            return RecipientEvaluation(
                found.first.map { Self.decision(for: $0, in: send, limits, &clocks) }
                    ?? .excluded(.noDevice),
                limits: limits
            )
        }
        guard try await isNamed(profile, in: send) else {
            return RecipientEvaluation(.excluded(.notInAudience), limits: limits)
        }
        var rule = try await rule(launch, of: send, now: send.startedAt ?? now())
        let found = try await store.recipients(
            [profile],
            in: send.workspace,
            reaching: send.content.reach,
            campaign: launch.campaign,
            contactsSince: rule.contactsSince,
            before: send.startedAt == nil ? nil : send.id
        )
        guard let user = found.first else {
            return RecipientEvaluation(.excluded(.noDevice), limits: limits)
        }
        return RecipientEvaluation(
            rule.decision(for: user),
            limits: limits,
            contacts: user.contacts,
            zone: rule.zone(of: user)
        )
    }

    /// The store alone plans a send to users that one query can express.
    private func needsRules(_ send: Send) async throws -> Bool {
        let content = send.content
        if content.launch != nil || content.extraction == .whenScheduled { return true }
        if content.localMoment != nil || content.reach != DeviceTargeting() { return true }
        if case .matching = content.audience { return true }
        guard content.isWithheldFromControlGroup else { return false }
        return try await store.limits(of: send.workspace).controlGroup != nil
    }

    // MARK: Sends without a campaign

    private func plainRecipients(
        _ users: [ProfileID],
        of send: Send
    ) async throws -> [CampaignRecipient] {
        try await store.recipients(
            users,
            in: send.workspace,
            reaching: send.content.reach,
            campaign: nil,
            contactsSince: .distantFuture,
            before: nil
        )
    }

    private func clocks(of send: Send) async throws -> UserTimeZones {
        UserTimeZones(
            moment: send.content.localMoment,
            fallback: try await store.timeZone(of: send.workspace),
            zoneNamed: { TimeZone(identifier: $0) }
        )
    }

    private static func decision(
        for user: CampaignRecipient,
        in send: Send,
        _ limits: MessagingLimits,
        _ clocks: inout UserTimeZones
    ) -> RecipientDecision {
        guard !user.devices.isEmpty else { return .excluded(.noDevice) }
        let localTime = clocks.clock(inZone: user.timeZone).localTime
        if let localTime, localTime < send.createdAt { return .excluded(.localTimePassed) }
        let dueAt = localTime ?? send.scheduledAt
        if send.content.isWithheldFromControlGroup,
            limits.controlGroup?.contains(user.profile) == true
        {
            return .withheld(at: dueAt)
        }
        return .message(variant: nil, dueAt: dueAt)
    }

    // MARK: Launches of campaigns

    private func fill(
        _ chunk: inout RecipientBatch,
        with users: [ProfileID],
        of send: Send,
        _ now: Date
    ) async throws {
        guard let launch = send.content.launch else {
            var clocks = try await clocks(of: send)
            let limits = try await store.limits(of: send.workspace)
            for user in try await plainRecipients(users, of: send) {
                add(
                    Self.decision(for: user, in: send, limits, &clocks),
                    for: user,
                    of: send,
                    to: &chunk
                )
            }
            return
        }
        var rule = try await rule(launch, of: send, now: now)
        let members = try await members(users, of: send, launch)
        let recipients = try await store.recipients(
            users,
            in: send.workspace,
            reaching: send.content.reach,
            campaign: launch.campaign,
            ownContactsSince: rule.ownContactsSince,
            contactsSince: rule.contactsSince,
            before: nil
        )
        for user in recipients {
            let decision =
                members?.contains(user.profile) == false
                ? .excluded(.notInAudience) : rule.decision(for: user)
            add(decision, for: user, of: send, to: &chunk)
        }
    }

    private func add(
        _ decision: RecipientDecision,
        for user: CampaignRecipient,
        of send: Send,
        to chunk: inout RecipientBatch
    ) {
        onDecision(send, user.profile, decision)
        switch decision {
        case .excluded(let reason):
            chunk.exclusions[reason.rawValue, default: 0] += 1
        case .withheld(let time):
            let reason = ExclusionReason.workspaceControlGroup
            chunk.exclusions[reason.rawValue, default: 0] += 1
            chunk.withheld[user.profile] = time
        case .control(let time):
            chunk.exclusions[ExclusionReason.controlGroup.rawValue, default: 0] += 1
            chunk.entries.append(
                RecipientBatch.Entry(
                    profile: user.profile,
                    devices: [],
                    variant: nil,
                    isControl: true,
                    dueAt: time
                )
            )
        case .message(let variant, let dueAt):
            chunk.entries.append(
                RecipientBatch.Entry(
                    profile: user.profile,
                    devices: user.devices,
                    variant: variant,
                    isControl: false,
                    dueAt: dueAt
                )
            )
        }
    }

    private func rule(
        _ launch: LaunchContext,
        of send: Send,
        now: Date
    ) async throws -> RecipientPolicy {
        RecipientPolicy(
            launch: launch,
            scheduledAt: send.scheduledAt,
            limits: try await store.limits(of: send.workspace),
            workspaceZone: try await store.timeZone(of: send.workspace),
            now: now,
            zoneNamed: { TimeZone(identifier: $0) }
        )
    }

    // MARK: Users

    private func users(
        of send: Send,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID] {
        guard send.content.extraction == .whenScheduled else {
            return try await matchingUsers(of: send, after: cursor, limit: limit)
        }
        return try await store.snapshotRecipients(of: send.id, after: cursor, limit: limit)
    }

    private func matchingUsers(
        of send: Send,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID] {
        switch send.content.audience {
        case .everyone:
            return try await store.profiles(in: send.workspace, after: cursor, limit: limit)
        case .profiles(let named):
            let rest = Set(named).filter { user in cursor.map { user > $0 } ?? true }
            return Array(rest.sorted().prefix(limit))
        case .matching(let query):
            return try await audience.profiles(
                in: send.workspace,
                matching: query,
                at: audienceMoment(of: send),
                after: cursor,
                limit: limit
            )
        }
    }

    /// The time at which the audience of a send is evaluated: its delivery, which may be in local
    /// time; for a fixed audience, when the send is scheduled.
    package func audienceMoment(of send: Send) -> AudienceMoment {
        if send.content.extraction == .whenScheduled { return .now }
        if let local = send.content.localDelivery {
            return .onEachClock(local)
        }
        return send.startedAt.map(AudienceMoment.at) ?? .now
    }

    /// Whether the current audience of a send contains a user.
    private func isNamed(_ profile: ProfileID, in send: Send) async throws -> Bool {
        guard let launch = send.content.launch else { return true }
        if case .profiles(let named) = send.content.audience, !named.contains(profile) {
            return false
        }
        // The members of a fixed audience are not kept after planning.
        if send.content.extraction != .whenScheduled,
            case .matching(let query) = send.content.audience,
            try await members([profile], of: query, for: send).isEmpty
        {
            return false
        }
        return try await members([profile], of: send, launch)?.contains(profile) ?? true
    }

    /// Which of the users named by an event or a request are in the campaign's audience; `nil`
    /// means all of them.
    private func members(
        _ users: [ProfileID],
        of send: Send,
        _ launch: LaunchContext
    ) async throws -> Set<ProfileID>? {
        guard launch.content.audience != send.content.audience else { return nil }
        switch launch.content.audience {
        case .everyone: return nil
        case .profiles(let named): return Set(named)
        case .matching(let query):
            // A broadcast restricts the audience with a query of its own.
            guard case .profiles = send.content.audience else { return nil }
            return try await members(users, of: query, for: send)
        }
    }

    /// Which of these users are in a segment: its members are listed from the first of them to the
    /// last.
    private func members(
        _ users: [ProfileID],
        of query: SegmentQuery,
        for send: Send
    ) async throws -> Set<ProfileID> {
        guard let first = users.min(), let last = users.max() else { return [] }
        let wanted = Set(users)
        let limit = wanted.count == 1 ? 1 : Self.memberPage
        var cursor = ProfileID(first.rawValue - 1)
        var members: Set<ProfileID> = []
        while true {
            let page = try await audience.profiles(
                in: send.workspace,
                matching: query,
                at: audienceMoment(of: send),
                after: cursor,
                limit: limit
            )
            members.formUnion(page.filter(wanted.contains))
            guard page.count == limit, let end = page.last, end < last else { return members }
            cursor = end
        }
    }
}
