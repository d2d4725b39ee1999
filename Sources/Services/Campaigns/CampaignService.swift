import Foundation
import Model
import NoroshiWire
import Ports
import Scheduling

/// What people and the REST API do with campaigns. Launching by the clock and by events is the
/// `CampaignScheduler`'s work.
package struct CampaignService: Sendable {
    private let store: any Store
    private let planner: SendPlanner
    private let now: @Sendable () -> Date
    private let makeID: @Sendable () -> UUID
    private let announce: @Sendable (SendID, WorkspaceID) -> Void

    /// `announce` is called with every send that is made or changed.
    package init(
        store: any Store,
        planner: SendPlanner,
        now: @escaping @Sendable () -> Date,
        makeID: @escaping @Sendable () -> UUID = { UUID() },
        announce: @escaping @Sendable (SendID, WorkspaceID) -> Void
    ) {
        self.store = store
        self.planner = planner
        self.now = now
        self.makeID = makeID
        self.announce = announce
    }

    // MARK: Writing

    /// Makes a draft.
    ///
    /// - Throws: `PushProblems` that names every field at fault.
    package func create(
        _ content: CampaignContent,
        in workspace: WorkspaceID
    ) async throws -> Campaign {
        try CampaignCheck.check(content)
        return try await store.createCampaign(
            content,
            apiID: makeID(),
            in: workspace,
            now: now()
        )
    }

    /// Gives a campaign another content. Sends that run keep theirs; what is reserved follows.
    ///
    /// - Throws: `PushProblems`, or `CampaignRefusal` when it is archived or was moved meanwhile.
    package func update(_ campaign: Campaign, to content: CampaignContent) async throws {
        try CampaignCheck.check(content)
        guard campaign.state != .archived else { throw CampaignRefusal.archived }
        let now = now()
        var changed = campaign
        changed.content = content
        let isRunning = campaign.state == .active || campaign.state == .paused
        let isWaiting = try await updateReservations(of: changed)
        let nextDueAt =
            isRunning && !isWaiting
            ? try firstDue(of: content, since: now, isAgain: content.delivery == .immediately)
            : campaign.nextDueAt
        let isUpdated = try await store.updateCampaign(
            campaign.id,
            in: campaign.state,
            content: content,
            nextDueAt: isRunning ? nextDueAt : nil,
            now: now
        )
        guard isUpdated else { throw CampaignRefusal.moved }
    }

    /// Gives the reserved sends of a campaign its new content. Whether there were any.
    private func updateReservations(of campaign: Campaign) async throws -> Bool {
        var exist = false
        for send in try await store.openSends(of: campaign.id) where send.state == .scheduled {
            guard let launch = send.content.launch else { continue }
            var content = campaign.launchContent(launch.occurrence, part: launch.part)
            content.launch?.activatedAt = launch.activatedAt
            var scheduledAt = send.scheduledAt
            if case .scheduled(let schedule) = campaign.content.delivery {
                let timetable = Timetable(schedule)
                guard let occurrence = timetable.first(notOverAt: now()) else {
                    throw Self.passed
                }
                scheduledAt = occurrence.launchAt
                if schedule.clock == .eachUser {
                    content.launch?.localDay = occurrence.day
                    content.launch?.localTime = occurrence.time
                }
            } else {
                content.audience = send.content.audience
                content.triggerProperties = send.content.triggerProperties
                content.launch?.trackingID = launch.trackingID
                content.launch?.localDay = launch.localDay
                content.launch?.localTime = launch.localTime
            }
            exist =
                try await store.updateScheduledSend(
                    send.id,
                    content: content,
                    scheduledAt: scheduledAt
                ) || exist
            announce(send.id, campaign.workspace)
        }
        return exist
    }

    // MARK: Running

    /// Lets a draft or a stopped campaign begin.
    ///
    /// - Throws: `PushProblems` when its content no longer holds or its time has passed.
    package func activate(_ campaign: Campaign) async throws {
        try CampaignCheck.check(campaign.content)
        let now = now()
        let nextDueAt = try firstDue(of: campaign.content, since: now, isAgain: false)
        try await move(campaign, from: [.draft, .stopped], to: .active, nextDueAt, now)
    }

    /// Launches nothing until it is resumed; its sends wait too.
    package func pause(_ campaign: Campaign) async throws {
        try await move(campaign, from: [.active], to: .paused, campaign.nextDueAt, now())
        for send in try await store.openSends(of: campaign.id) {
            if try await store.pauseSend(send.id, now: now()) {
                announce(send.id, campaign.workspace)
            }
        }
    }

    /// Goes on. Occurrences that came while it was paused are passed over.
    package func resume(_ campaign: Campaign) async throws {
        let now = now()
        var nextDueAt = campaign.nextDueAt
        if case .scheduled(let schedule) = campaign.content.delivery, let due = nextDueAt,
            due < now, campaign.content.winner == nil
        {
            nextDueAt = Timetable(schedule).first(notOverAt: now)?.launchAt
        }
        try await move(campaign, from: [.paused], to: .active, nextDueAt, now)
        for send in try await store.openSends(of: campaign.id) {
            if try await store.resumeSend(send.id, now: now) {
                announce(send.id, campaign.workspace)
            }
        }
    }

    /// Ends a campaign: what has not been handed to a provider is not sent.
    package func stop(_ campaign: Campaign) async throws {
        let now = now()
        try await move(campaign, from: [.active, .paused], to: .stopped, nil, now)
        for send in try await store.openSends(of: campaign.id) {
            if try await store.cancelSend(send.id, now: now) {
                announce(send.id, campaign.workspace)
            }
        }
    }

    /// Takes a campaign that does not run out of the lists.
    package func archive(_ campaign: Campaign) async throws {
        try await move(campaign, from: [.draft, .stopped], to: .archived, nil, now())
    }

    private func move(
        _ campaign: Campaign,
        from origins: Set<CampaignState>,
        to state: CampaignState,
        _ nextDueAt: Date?,
        _ now: Date
    ) async throws {
        let isMoved = try await store.moveCampaign(
            campaign.id,
            from: origins,
            to: state,
            nextDueAt: nextDueAt,
            now: now
        )
        guard isMoved else {
            let names = origins.map(\.rawValue).sorted().joined(separator: " or ")
            throw CampaignRefusal("the campaign is not \(names)")
        }
    }

    /// When the scheduler looks at a campaign first; `nil` when it does not wait for the clock.
    private func firstDue(
        of content: CampaignContent,
        since now: Date,
        isAgain: Bool
    ) throws(PushProblems) -> Date? {
        switch content.delivery {
        case .immediately: return isAgain ? nil : now
        case .actionBased, .apiTriggered: return nil
        case .scheduled(let schedule):
            guard let first = Timetable(schedule).first(notOverAt: now) else { throw Self.passed }
            return content.extraction == .frozen ? now : first.launchAt
        }
    }

    private static let passed = PushProblems([
        .init(field: "delivery.start", message: "has passed for everybody; choose a later time")
    ])

    // MARK: By request

    /// Sends an API-triggered campaign, once for each key.
    ///
    /// - Throws: `CampaignRefusal` when the campaign is not active, not triggered by the API, or the
    ///   key belongs to another request.
    package func trigger(_ campaign: Campaign, _ request: CampaignTrigger) async throws -> Send {
        guard campaign.content.delivery == .apiTriggered else {
            throw CampaignRefusal("the campaign is not triggered by the API")
        }
        guard campaign.state == .active else { throw CampaignRefusal("the campaign is not active") }
        let now = now()
        let key = "api-" + (request.key ?? makeID().uuidString)
        var content = campaign.launchContent(key, audience: request.audience)
        content.triggerProperties = request.properties
        content.author = request.author
        content.launch?.trackingID = request.trackingID
        content.launch?.localDay = request.localDay
        content.launch?.localTime = request.localTime
        let outcome = try await store.launch(
            OccurrenceLaunch(
                campaign: campaign.id,
                key: key,
                dueAt: request.scheduledAt ?? now,
                content: content,
                scheduledAt: request.scheduledAt ?? now,
                properties: request.users.mapValues { DispatchProperties(trigger: $0) },
                keyExpiredBefore: now.addingTimeInterval(-CampaignTrigger.keyLifetime)
            ),
            now: now
        )
        switch outcome {
        case .launched(let send):
            announce(send.id, campaign.workspace)
            return send
        case .known(let send?):
            guard send.content.audience == content.audience,
                send.content.triggerProperties == content.triggerProperties
            else { throw CampaignRefusal.otherRequest }
            return send
        case .known(nil), .skipped, .outdated:
            throw CampaignRefusal.moved
        }
    }

    // MARK: Asking

    /// What became of a campaign for one user, launch by launch, the newest first.
    package func explain(
        _ profile: ProfileID,
        in campaign: Campaign,
        limit: Int = 20
    ) async throws -> [CampaignExplanation] {
        let entries = Dictionary(
            try await store.entries(of: profile, in: campaign.id).map { ($0.send, $0) },
            uniquingKeysWith: { $1 }
        )
        var explanations: [CampaignExplanation] = []
        for send in try await store.sends(of: campaign.id, limit: limit, offset: 0) {
            let entry = entries[send.id]
            explanations.append(
                CampaignExplanation(
                    send: send,
                    entry: entry,
                    decision: entry == nil
                        ? try await planner.decision(for: profile, in: send) : nil
                )
            )
        }
        return explanations
    }
}

/// What the REST API asks of an API-triggered campaign.
package struct CampaignTrigger: Sendable {
    /// How long a repeated request with the same key is recognised: 30 days.
    package static let keyLifetime: TimeInterval = 30 * 86_400

    package var audience: Audience
    package var properties: [String: JSONValue]
    package var users: [ProfileID: [String: JSONValue]]
    /// The request's `Idempotency-Key`.
    package var key: String?
    package var trackingID: String?
    /// `nil` is now.
    package var scheduledAt: Date?
    package var localDay: CalendarDay?
    package var localTime: TimeOfDay?
    /// The API key, by name.
    package var author: String

    package init(audience: Audience, author: String) {
        self.audience = audience
        self.author = author
        properties = [:]
        users = [:]
    }
}

/// Why something cannot be done with a campaign.
package struct CampaignRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }

    package static let archived = CampaignRefusal("the campaign is archived")
    package static let moved = CampaignRefusal(
        "the campaign was changed meanwhile; read it again"
    )
    package static let otherRequest = CampaignRefusal(
        "the Idempotency-Key was used for another request; send a new key"
    )
}

/// What became of one launch for one user.
package struct CampaignExplanation: Sendable, Hashable {
    package var send: Send
    /// The row of a user who was included.
    package var entry: CampaignEntry?
    /// What the rules say of a user who was not.
    package var decision: RecipientDecision?
}
