import Foundation
import Model
import NoroshiWire
import Ports
import Reasons
import Scheduling

/// The actions of members and the REST API on campaigns. Launching by schedule and by events is
/// done by `CampaignScheduler`.
///
/// Every change checks the actor's permissions and records the actor.
package struct CampaignService: Sendable {
    let store: any Store
    private let planner: SendPlanner
    let now: @Sendable () -> Date
    let makeID: @Sendable () -> UUID
    let announce: @Sendable (SendID, WorkspaceID) -> Void
    let announceUsers: @Sendable (WorkspaceID) -> Void

    /// `announce` is called with every send that is created or changed, `announceUsers` after a
    /// request has changed users.
    package init(
        store: any Store,
        planner: SendPlanner,
        now: @escaping @Sendable () -> Date,
        makeID: @escaping @Sendable () -> UUID = { UUID() },
        announceUsers: @escaping @Sendable (WorkspaceID) -> Void = { _ in },
        announce: @escaping @Sendable (SendID, WorkspaceID) -> Void
    ) {
        self.store = store
        self.planner = planner
        self.now = now
        self.makeID = makeID
        self.announceUsers = announceUsers
        self.announce = announce
    }

    // MARK: Reading

    /// `nil` if the campaign does not exist or belongs to another workspace.
    package func campaign(
        _ id: CampaignID,
        in workspace: WorkspaceID
    ) async throws -> Campaign? {
        let campaign = try await store.campaign(id)
        return campaign?.workspace == workspace ? campaign : nil
    }

    /// The newest campaigns first, and the total number on all pages.
    ///
    /// - Parameters:
    ///   - text: A text in the name or a tag.
    ///   - state: `nil` means all except archived ones.
    package func campaigns(
        in workspace: WorkspaceID,
        matching text: String = "",
        state: CampaignState? = nil,
        order: CampaignQuery.Order = .newestFirst,
        page: ListPage
    ) async throws -> (campaigns: [Campaign], total: Int) {
        try await store.campaigns(
            in: workspace,
            matching: CampaignQuery(
                text: text,
                states: state.map { [$0] } ?? [],
                order: order,
                limit: page.size,
                offset: page.offset
            )
        )
    }

    package func campaign(
        apiID: UUID,
        in workspace: WorkspaceID
    ) async throws -> Campaign? {
        try await store.campaign(apiID: apiID, in: workspace)
    }

    package func campaigns(
        in workspace: WorkspaceID,
        matching query: CampaignQuery
    ) async throws -> (campaigns: [Campaign], total: Int) {
        try await store.campaigns(in: workspace, matching: query)
    }

    // MARK: Writing

    /// Creates a draft.
    ///
    /// - Throws: `ValidationError` that names every field at fault, `DraftFinishedError` when the form's
    ///   draft has become a campaign before, or `NotAllowedError` to members who are no marketers.
    package func create(
        _ content: CampaignContent,
        by actor: Actor,
        from origin: EditOrigin = .direct
    ) async throws -> Campaign {
        try actor.require(.marketer)
        try await check(content, in: actor.workspace)
        return try await store.createCampaign(
            content,
            apiID: makeID(),
            in: actor.workspace,
            from: origin,
            noting: { [now = now()] in
                Self.record("campaign_saved", "#\($0)", content, at: now, by: actor)
            },
            now: now()
        )
    }

    /// Creates a draft with a copy of a campaign's content and new variant ids.
    ///
    /// - Throws: As ``create(_:by:from:)``.
    package func duplicate(
        _ campaign: Campaign,
        name: String,
        note: String?,
        tags: [String]?,
        by actor: Actor
    ) async throws -> Campaign {
        var content = campaign.content
        content.name = name
        content.note = note ?? content.note
        content.tags = tags ?? content.tags
        for index in content.variants.indices { content.variants[index].apiID = makeID() }
        return try await create(content, by: actor)
    }

    static func record(
        _ action: String,
        _ subject: String,
        _ content: CampaignContent,
        at now: Date,
        by actor: Actor
    ) -> AuditRecord {
        AuditRecord(at: now, by: actor, action: action, subject: subject, detail: content.name)
    }

    func check(_ campaign: Campaign, _ actor: Actor) throws(NotAllowedError) {
        try actor.require(.marketer)
        guard actor.workspace == campaign.workspace else { throw NotAllowedError() }
    }

    /// - Throws: `ValidationError` that names every field at fault.
    func check(_ content: CampaignContent, in workspace: WorkspaceID) async throws {
        let problems = try await CampaignValidator.problems(of: content, in: workspace, store)
        guard problems.isEmpty else { throw ValidationError(problems) }
    }

    /// Replaces the content of a campaign. Running sends keep theirs; scheduled ones are updated.
    ///
    /// - Throws: `ValidationError`, `RefusalError` when it is archived or was moved meanwhile,
    ///   `DraftFinishedError` when the form's draft was saved before, `StoreError` with code `changed`
    ///   when somebody else has saved it since the editing began, or `NotAllowedError` to members who
    ///   are no marketers and for campaigns of other workspaces.
    package func update(
        _ campaign: Campaign,
        to content: CampaignContent,
        by actor: Actor,
        from origin: EditOrigin = .direct
    ) async throws {
        try check(campaign, actor)
        try await check(content, in: campaign.workspace)
        guard campaign.state != .archived else { throw RefusalError(.campaignArchived) }
        let content = try await store.numbered(content, of: campaign.id)
        var changed = campaign
        changed.content = content
        // Repeats only if a scheduled send starts between reading and writing.
        while true {
            let now = now()
            let reserved = try await reservations(of: changed)
            let isRunning = campaign.state == .active || campaign.state == .paused
            let nextDueAt =
                isRunning && reserved.isEmpty
                ? try firstDue(of: content, since: now, isAgain: content.delivery == .immediately)
                : campaign.nextDueAt
            switch try await store.updateCampaign(
                campaign.id,
                in: campaign.state,
                content: content,
                nextDueAt: isRunning ? nextDueAt : nil,
                reserved: reserved,
                from: origin,
                noting: Self.record(
                    "campaign_saved",
                    "#\(campaign.id)",
                    content,
                    at: now,
                    by: actor
                ),
                now: now
            ) {
            case .updated:
                for send in reserved { announce(send.id, campaign.workspace) }
                return
            case .moved: throw RefusalError(.campaignMoved)
            case .sendMoved: continue
            }
        }
    }

    /// The scheduled sends of a campaign with its new content.
    private func reservations(of campaign: Campaign) async throws -> [ReservedSend] {
        try await store.openSends(of: campaign.id).compactMap { send in
            guard send.state == .scheduled, let launch = send.content.launch else { return nil }
            var content = campaign.launchContent(launch.occurrence, part: launch.part)
            content.launch?.activatedAt = launch.activatedAt
            var scheduledAt = send.scheduledAt
            if case .scheduled(let schedule) = campaign.content.delivery {
                guard let occurrence = Timetable(schedule).first(notOverAt: now()) else {
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
                content.recipients = send.content.recipients
                try Self.put(launch.filter, into: &content)
                content.launch?.trackingID = launch.trackingID
                content.launch?.localDay = launch.localDay
                content.launch?.localTime = launch.localTime
            }
            return ReservedSend(id: send.id, content: content, scheduledAt: scheduledAt)
        }
    }

    // MARK: Running

    /// Activates, pauses, resumes, stops or archives a campaign.
    ///
    /// - Parameter version: When the campaign had last been changed as somebody looked at it: one
    ///   that was changed or activated since is not activated unseen, or a second time.
    /// - Throws: `ValidationError` when the content of one that is to begin no longer holds or its time
    ///   has passed; `RefusalError` when it is in another state or version; `NotAllowedError` to
    ///   members who are no marketers and for campaigns of other workspaces.
    package func take(
        _ step: CampaignStep,
        with campaign: Campaign,
        by actor: Actor,
        version: Date? = nil
    ) async throws {
        try check(campaign, actor)
        let now = now()
        var nextDueAt: Date?
        switch step {
        case .activate:
            try await check(campaign.content, in: campaign.workspace)
            nextDueAt = try firstDue(of: campaign.content, since: now, isAgain: false)
        case .pause:
            nextDueAt = campaign.nextDueAt
        case .resume:
            nextDueAt = campaign.nextDueAt
            if case .scheduled(let schedule) = campaign.content.delivery, let due = nextDueAt,
                due < now, campaign.content.winner == nil
            {
                nextDueAt = Timetable(schedule).first(notOverAt: now)?.launchAt
            }
        case .stop, .archive:
            break
        }
        let sends = try await store.transitionCampaign(
            campaign.id,
            from: step.origins,
            to: step.outcome,
            nextDueAt: nextDueAt,
            version: version,
            noting: Self.record(
                step.action,
                "#\(campaign.id)",
                campaign.content,
                at: now,
                by: actor
            ),
            now: now
        )
        guard let sends else {
            if version != nil { throw RefusalError(.campaignMoved) }
            let names = step.origins.map(\.rawValue).sorted().joined(separator: " or ")
            throw RefusalError(.campaignState, ["states": "\(names)"])
        }
        for send in sends { announce(send, campaign.workspace) }
    }

    /// When the scheduler first examines a campaign; `nil` if it has no schedule.
    private func firstDue(
        of content: CampaignContent,
        since now: Date,
        isAgain: Bool
    ) throws(ValidationError) -> Date? {
        switch content.delivery {
        case .immediately: return isAgain ? nil : now
        case .actionBased, .apiTriggered: return nil
        case .scheduled(let schedule):
            guard let first = Timetable(schedule).first(notOverAt: now) else { throw Self.passed }
            return content.extraction == .whenScheduled ? now : first.launchAt
        }
    }

    /// The next start times of a campaign, the earliest first; empty if it has no schedule.
    package func nextRuns(of content: CampaignContent, limit: Int) -> [Date] {
        guard case .scheduled(let schedule) = content.delivery else { return [] }
        let timetable = Timetable(schedule)
        var runs: [Date] = []
        var next = timetable.first(notOverAt: now())
        while let occurrence = next, runs.count < limit {
            runs.append(occurrence.launchAt)
            next = timetable.next(after: occurrence)
        }
        return runs
    }

    /// The occurrences of a campaign's schedule that begin before `end`, from now on, the earliest
    /// first; none without a schedule.
    package func occurrences(
        of content: CampaignContent,
        before end: Date,
        limit: Int
    ) -> [Timetable.Occurrence] {
        guard case .scheduled(let schedule) = content.delivery else { return [] }
        let timetable = Timetable(schedule)
        var found: [Timetable.Occurrence] = []
        var next = timetable.first(launchedFrom: now())
        while let occurrence = next, occurrence.launchAt < end, found.count < limit {
            found.append(occurrence)
            next = timetable.next(after: occurrence)
        }
        return found
    }

    /// Moves the only occurrence of an active campaign to another day, at the same time.
    ///
    /// - Throws: `ValidationError` if that time has passed; otherwise as ``update(_:to:by:from:)``.
    package func move(_ campaign: Campaign, to day: CalendarDay, by actor: Actor) async throws {
        guard case .scheduled(var schedule) = campaign.content.delivery,
            schedule.recurrence == nil
        else { throw RefusalError(.campaignMoved) }
        schedule.start = day
        var content = campaign.content
        content.delivery = .scheduled(schedule)
        try await update(campaign, to: content, by: actor)
    }

    private static let passed = ValidationError(.campaign(.start), .allPassed)
}
