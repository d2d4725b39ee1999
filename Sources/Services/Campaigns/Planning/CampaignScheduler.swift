import Foundation
import Logging
import Model
import Ports
import Scheduling
import ServiceLifecycle
import WorkLoops

/// Launches campaigns when they are due or an event triggers them.
///
/// All of its state is in the store: a restart continues where it stopped. Of the occurrences
/// missed while the server was down, the latest is launched if it is less than a day late.
package struct CampaignScheduler: Service {
    package struct Settings: Sendable {
        /// Maximum interval between polls for due campaigns and events.
        package var idlePause: Duration = .seconds(1)
        /// Maximum number of users of one launch by events, and of users listed in one step.
        package var chunk = 2_000
        package var missed = MisfirePolicy()

        package init() {}
    }

    private let store: any Store
    private let planner: SendPlanner
    private let reports: CampaignReports
    private let triggers: TriggerPlanner
    private let settings: Settings
    private let now: @Sendable () -> Date
    private let announce: @Sendable (SendID, WorkspaceID) -> Void
    private let logger: Logger

    /// `announce` is called with every new send.
    package init(
        store: any Store,
        planner: SendPlanner,
        settings: Settings = Settings(),
        now: @escaping @Sendable () -> Date,
        announce: @escaping @Sendable (SendID, WorkspaceID) -> Void,
        logger: Logger
    ) {
        self.store = store
        self.planner = planner
        self.settings = settings
        self.now = now
        self.announce = announce
        self.logger = logger
        reports = CampaignReports(store: store)
        triggers = TriggerPlanner(store: store)
    }

    package func run() async {
        await WorkLoop(
            pause: settings.idlePause,
            logger: logger,
            failure: "campaigns could not be looked at and will be again",
            key: "campaigns.error"
        ).run { try await step() }
    }

    /// Does the work that is due now.
    ///
    /// - Returns: Whether more work may be due at once.
    package func step() async throws -> Bool {
        let now = now()
        var didWork = false
        for campaign in try await store.dueCampaigns(now: now) {
            try await launch(campaign, now)
            didWork = true
        }
        if try await triggers.readNext(now: now) { didWork = true }
        if try await launchTriggered(now) { didWork = true }
        if try await planner.extractNextChunk(limit: settings.chunk) { didWork = true }
        for campaign in try await store.markFinishedCampaigns(now: now) {
            logger.info("a campaign is over", metadata: ["campaign.id": "\(campaign)"])
        }
        return didWork
    }

    // MARK: By the clock

    private func launch(_ campaign: Campaign, _ now: Date) async throws {
        switch campaign.content.delivery {
        case .immediately:
            let number = (campaign.activatedAt ?? campaign.createdAt).milliseconds
            try await launchOnce(campaign, "at-\(number)", dueAt: campaign.nextDueAt ?? now, now)
        case .scheduled(let schedule):
            try await launch(campaign, schedule, now)
        case .actionBased, .apiTriggered:
            break
        }
    }

    private func launch(
        _ campaign: Campaign,
        _ schedule: CampaignSchedule,
        _ now: Date
    ) async throws {
        guard let dueAt = campaign.nextDueAt else { return }
        let timetable = Timetable(schedule)
        if campaign.content.winner != nil, let only = timetable.first(notOverAt: .distantPast) {
            try await launchOnce(campaign, only.key, dueAt: dueAt, now)
            return
        }
        if campaign.content.extraction == .whenScheduled {
            try await reserve(campaign, timetable, now)
            return
        }
        guard let due = timetable.first(launchedFrom: dueAt) else { return }
        let plan = settings.missed.plan(from: due, in: timetable, now: now)
        let advance = LaunchRequest.Advance(
            expectedDueAt: dueAt,
            nextDueAt: plan.next?.launchAt,
            isLast: plan.next == nil
        )
        for (index, skip) in plan.skipped.enumerated() {
            let isLast = plan.launch == nil && index == plan.skipped.count - 1
            try await perform(
                LaunchRequest(
                    campaign: campaign.id,
                    key: skip.occurrence.key,
                    dueAt: skip.occurrence.launchAt,
                    content: nil,
                    skipReason: skip.reason.rawValue,
                    scheduledAt: skip.occurrence.launchAt,
                    advance: isLast ? advance : nil
                ),
                campaign
            )
        }
        guard let occurrence = plan.launch else { return }
        try await perform(
            LaunchRequest(
                campaign: campaign.id,
                key: occurrence.key,
                dueAt: occurrence.launchAt,
                content: content(campaign, occurrence, schedule),
                scheduledAt: occurrence.launchAt,
                advance: advance
            ),
            campaign
        )
    }

    /// Creates the send of a fixed audience early, to list its recipients; it stays scheduled.
    private func reserve(
        _ campaign: Campaign,
        _ timetable: Timetable,
        _ now: Date
    ) async throws {
        guard case .scheduled(let schedule) = campaign.content.delivery,
            let occurrence = timetable.first(notOverAt: .distantPast)
        else { return }
        try await perform(
            LaunchRequest(
                campaign: campaign.id,
                key: occurrence.key,
                dueAt: occurrence.launchAt,
                content: content(campaign, occurrence, schedule),
                scheduledAt: occurrence.launchAt,
                advance: LaunchRequest.Advance(
                    expectedDueAt: campaign.nextDueAt,
                    nextDueAt: nil,
                    isLast: true
                )
            ),
            campaign
        )
    }

    private func content(
        _ campaign: Campaign,
        _ occurrence: Timetable.Occurrence,
        _ schedule: CampaignSchedule
    ) -> SendContent {
        var content = campaign.launchContent(occurrence.key)
        if schedule.clock == .eachUser {
            content.launch?.localDay = occurrence.day
            content.launch?.localTime = occurrence.time
        }
        return content
    }

    /// Launches a campaign that is sent once: to all users, or to the test group and later to the
    /// remainder.
    private func launchOnce(
        _ campaign: Campaign,
        _ key: String,
        dueAt: Date,
        _ now: Date
    ) async throws {
        guard let winner = campaign.content.winner else {
            try await launchPart(campaign, key, .everybody, dueAt: dueAt, nextDueAt: nil)
            return
        }
        let known = try await store.occurrences(of: campaign.id, limit: 10)
        guard known.contains(where: { $0.key == key + "/test" }) else {
            try await launchPart(
                campaign,
                key + "/test",
                .test,
                dueAt: dueAt,
                nextDueAt: now.addingTimeInterval(winner.duration)
            )
            return
        }
        let best = try await reports.bestVariant(of: campaign, by: winner.measure, at: now)
        logger.info(
            best.isProven ? "a test has its winner" : "a test has found no difference",
            metadata: ["campaign.id": "\(campaign.id)", "campaign.variant": "\(best.index)"]
        )
        let part = LaunchContext.Part.rest(winner: best.index, isProven: best.isProven)
        try await launchPart(campaign, key + "/rest", part, dueAt: dueAt, nextDueAt: nil)
    }

    private func launchPart(
        _ campaign: Campaign,
        _ key: String,
        _ part: LaunchContext.Part,
        dueAt: Date,
        nextDueAt: Date?
    ) async throws {
        try await perform(
            LaunchRequest(
                campaign: campaign.id,
                key: key,
                dueAt: dueAt,
                content: campaign.launchContent(key, part: part),
                scheduledAt: dueAt,
                advance: LaunchRequest.Advance(
                    expectedDueAt: campaign.nextDueAt,
                    nextDueAt: nextDueAt,
                    isLast: nextDueAt == nil
                )
            ),
            campaign
        )
    }

    // MARK: By events

    private func launchTriggered(_ now: Date) async throws -> Bool {
        let due = try await store.dueTriggers(now: now, limit: settings.chunk)
        let byCampaign = Dictionary(grouping: due, by: \.trigger.campaign)
        var waits = due.count == settings.chunk
        // In the same order each time: a launch counts for the caps of the next one.
        for (id, pending) in byCampaign.sorted(by: { $0.key < $1.key }) {
            guard let campaign = try await store.campaign(id) else { continue }
            let limit = max(
                now.addingTimeInterval(-settings.missed.maxLateness),
                try await skippedBefore() ?? .distantPast
            )
            let late = pending.filter { $0.trigger.dueAt < limit }
            if let first = late.first {
                try await perform(
                    LaunchRequest(
                        campaign: id,
                        key: "event-\(first.id)",
                        dueAt: first.trigger.dueAt,
                        content: nil,
                        skipReason: MisfirePolicy.Reason.tooLate.rawValue,
                        scheduledAt: now,
                        triggers: late.map(\.id)
                    ),
                    campaign
                )
            }
            let launched = pending.filter { $0.trigger.dueAt >= limit }
            try await launch(launched, of: campaign, now)
            // A second one of the same user is for the next send.
            if Set(launched.map(\.trigger.profile)).count < launched.count { waits = true }
        }
        return waits
    }

    private func launch(
        _ pending: [PendingTrigger],
        of campaign: Campaign,
        _ now: Date
    ) async throws {
        // One message per user and send: a second event of the same user waits for the next send.
        var chosen: [ProfileID: PendingTrigger] = [:]
        for trigger in pending where chosen[trigger.trigger.profile] == nil {
            chosen[trigger.trigger.profile] = trigger
        }
        guard let first = pending.first else { return }
        let key = "event-\(first.id)"
        try await perform(
            LaunchRequest(
                campaign: campaign.id,
                key: key,
                dueAt: first.trigger.dueAt,
                content: campaign.launchContent(
                    key,
                    audience: .profiles(chosen.keys.sorted())
                ),
                scheduledAt: now,
                triggers: chosen.values.map(\.id),
                properties: chosen.mapValues { MessageProperties(event: $0.trigger.properties) }
            ),
            campaign
        )
    }

    /// Launches due before it are passed over, as another server may have made them.
    private func skippedBefore() async throws -> Date? {
        try await store.sendingHold()?.skippedBefore
    }

    private func perform(_ launch: LaunchRequest, _ campaign: Campaign) async throws {
        var launch = launch
        if launch.content != nil, let limit = try await skippedBefore(), launch.dueAt < limit {
            launch.content = nil
            launch.skipReason = MisfirePolicy.Reason.restored.rawValue
        }
        switch try await store.launch(launch, now: now()) {
        case .launched(let send):
            announce(send.id, campaign.workspace)
            logger.info(
                "a campaign is launched",
                metadata: [
                    "campaign.id": "\(campaign.id)", "campaign.occurrence": "\(launch.key)",
                    "send.id": "\(send.id)",
                ]
            )
        case .skipped:
            logger.warning(
                "an occurrence of a campaign is passed over",
                metadata: [
                    "campaign.id": "\(campaign.id)", "campaign.occurrence": "\(launch.key)",
                    "campaign.reason": "\(launch.skipReason ?? "")",
                ]
            )
        case .known, .outdated:
            break
        }
    }
}

extension Timetable {
    /// Uses the time zone that the schedule names, or UTC if the name is no longer known.
    init(_ schedule: CampaignSchedule) {
        switch schedule.clock {
        case .eachUser: self.init(schedule, zone: nil)
        case .zone(let name): self.init(schedule, zone: TimeZone(identifier: name) ?? .gmt)
        }
    }
}
