import Campaigns
import Foundation
import Model
import Ports
import Scheduling

/// Explains from the rows why a user got a send or a campaign, or did not.
package struct DeliveryExplainer: Sendable {
    /// Maximum number of a campaign's latest launches that are searched.
    private static let launchesSearched = 200

    private let store: any Store
    private let audience: any AudienceSource
    private let planner: SendPlanner

    /// - Parameter audience: Evaluates segments; without it membership stays unknown.
    package init(
        store: any Store,
        audience: (any AudienceSource)?,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.audience = audience ?? UnknownAudience()
        planner = SendPlanner(store: store, audience: self.audience, now: now)
    }

    // MARK: A send

    /// - Returns: `nil` if the workspace has no such send or user.
    package func explain(
        send id: SendID,
        to user: UserReference,
        in workspace: WorkspaceID
    ) async throws -> DeliveryExplanation? {
        guard let send = try await store.send(id), send.workspace == workspace,
            let profile = try await store.profile(user, in: workspace)
        else { return nil }
        return try await explain(send, to: profile)
    }

    /// - Parameter profile: A user of the send's workspace.
    package func explain(_ send: Send, to profile: Profile) async throws -> DeliveryExplanation {
        let rows = Dictionary(
            try await store.ledger(of: send.id, profile: profile.id).map { ($0.device, $0) },
            uniquingKeysWith: { $1 }
        )
        var devices = try await store.devices(of: profile.id).map { device in
            DeliveryExplanation.DeviceHistory(
                id: device.id,
                device: device,
                reach: Self.reach(of: device),
                row: rows[device.id]
            )
        }
        // A push to a device counts for the user who had the device then.
        let own = Set(devices.map(\.id))
        devices += rows.values.filter { !own.contains($0.device) }
            .ordered { $0.device }
            .map { .init(id: $0.device, device: nil, reach: .notTheirs, row: $0) }
        let entry = try await store.entry(of: profile.id, in: send.id)
        var explanation = DeliveryExplanation(
            send: send,
            profile: profile,
            membership: entry == nil && rows.isEmpty
                ? try await membership(of: profile, in: send) : .member,
            entry: entry,
            devices: devices,
            answer: .leftOut
        )
        try await answer(&explanation)
        return explanation
    }

    private static func reach(of device: Device) -> DeliveryExplanation.Reach {
        guard let push = device.push else { return .noToken }
        switch push.authorization {
        case .authorized, .provisional, .ephemeral: return .reachable
        case .denied, .notDetermined: return .notAllowed(push.authorization)
        }
    }

    private func membership(
        of profile: Profile,
        in send: Send
    ) async throws -> DeliveryExplanation.Membership {
        let before = ProfileID(profile.id.rawValue - 1)
        if send.content.extraction == .whenScheduled,
            let snapshotContains = try await store.snapshotContains(profile.id, of: send.id)
        {
            return snapshotContains ? .member : .notMember
        }
        if let isMember = try await store.isMember(profile.id, of: send.content.audience) {
            return isMember ? .member : .notMember
        }
        guard case .matching(let query) = send.content.audience else { return .member }
        if send.content.extraction == .whenScheduled, send.startedAt != nil {
            return .unknown("the audience was frozen when the send was reserved")
        }
        do {
            let found = try await audience.profiles(
                in: send.workspace,
                matching: query,
                at: planner.audienceMoment(of: send),
                after: before,
                limit: 1
            )
            return found.first == profile.id ? .member : .notMember
        } catch let problem as AudienceError {
            return .unknown(problem.description)
        }
    }

    private func answer(_ explanation: inout DeliveryExplanation) async throws {
        let send = explanation.send
        // A device that got the push is more informative than one that did not.
        let answers = explanation.devices.compactMap { $0.row.map(DeliveryExplanation.Answer.init) }
        if let best = answers.min(by: { $0.rank < $1.rank }) {
            explanation.answer = best
            if case .waiting(_, let due) = best, send.state == .paused {
                explanation.answer = .paused(due: due)
            }
            return
        }
        if try await store.isRemoved(send.id) {
            explanation.answer = .rowsRemoved
            return
        }
        if explanation.entry?.isControl == true {
            explanation.answer = .controlGroup
            return
        }
        if try await store.withheld(send.id, from: explanation.profile.id) != nil {
            explanation.answer = .excluded(.workspaceControlGroup)
            return
        }
        switch send.state {
        case .scheduled, .planning: explanation.answer = .notPlanned
        case .cancelled where send.startedAt == nil: explanation.answer = .stopped
        case .paused, .sending, .finished, .cancelled: try await findRule(&explanation)
        }
    }

    /// Evaluates the planner's rules again.
    private func findRule(_ explanation: inout DeliveryExplanation) async throws {
        if explanation.membership == .notMember {
            explanation.answer = .notInAudience
            return
        }
        let finding: RecipientEvaluation
        do {
            finding = try await planner.finding(
                for: explanation.profile.id,
                in: explanation.send
            )
        } catch let problem as AudienceError {
            explanation.membership = .unknown(problem.description)
            return
        }
        // A member of the workspace's control group of today from whom nothing was withheld was none
        // when the send was planned.
        guard case .excluded(let reason) = finding.decision else {
            // A send that is not running may not have reached this user.
            switch explanation.send.state {
            case .cancelled: explanation.answer = .stopped
            case .paused: explanation.answer = .notPlanned
            case .scheduled, .planning, .sending, .finished: break
            }
            return
        }
        switch reason {
        case .noDevice: explanation.answer = Self.unreachable(explanation)
        case .notInAudience: explanation.answer = .notInAudience
        case .controlGroup: explanation.answer = .controlGroup
        case .workspaceControlGroup: explanation.answer = .excluded(reason)
        case .notEligible, .awaitsWinner, .wasInTest, .localTimePassed, .quietHours,
            .frequencyCap:
            explanation.answer = .excluded(reason)
            explanation.rule = Self.rule(reason, finding, explanation.send)
        }
    }

    private static func unreachable(
        _ explanation: DeliveryExplanation
    ) -> DeliveryExplanation.Answer {
        let subscription = explanation.profile.pushSubscription
        if let state = explanation.send.content.recipients, !state.allows(subscription) {
            return .notOptedIn
        }
        if explanation.send.content.recipients == nil, subscription == .unsubscribed {
            return .unsubscribed
        }
        return explanation.devices.contains { $0.device != nil } ? .notReachable : .noDevice
    }

    private static func rule(
        _ reason: ExclusionReason,
        _ finding: RecipientEvaluation,
        _ send: Send
    ) -> DeliveryExplanation.Rule {
        let days = finding.limits.caps.map(\.days).max() ?? 0
        let zone = finding.zone ?? .gmt
        let last = WallClock.day(of: send.startedAt ?? send.scheduledAt, in: zone)
        let counted = finding.contacts.filter { contact in
            switch reason {
            case .notEligible: contact.campaign == send.content.launch?.campaign
            case .frequencyCap:
                contact.countsForCaps && contact.variant != nil
                    && WallClock.day(of: contact.time, in: zone) > last.adding(days: -days)
            default: false
            }
        }
        return DeliveryExplanation.Rule(
            reason: reason,
            limits: finding.limits,
            reeligibility: send.content.launch?.content.reeligibility ?? .never,
            contacts: counted.ordered { $0.time }.reversed()
        )
    }

    // MARK: A campaign

    /// - Parameter limit: Maximum number of launches to explain.
    /// - Returns: `nil` if the workspace has no such campaign or user.
    package func explain(
        campaign id: CampaignID,
        to user: UserReference,
        in workspace: WorkspaceID,
        limit: Int = 20
    ) async throws -> CampaignHistory? {
        guard let campaign = try await store.campaign(id), campaign.workspace == workspace,
            let profile = try await store.profile(user, in: workspace)
        else { return nil }
        return try await explain(campaign, to: profile, limit: limit)
    }

    /// - Parameters:
    ///   - profile: A user of the campaign's workspace.
    ///   - limit: Maximum number of launches to explain.
    package func explain(
        _ campaign: Campaign,
        to profile: Profile,
        limit: Int
    ) async throws -> CampaignHistory {
        var launches: [DeliveryExplanation] = []
        for send in try await launchesConcerning(profile.id, of: campaign.id).prefix(limit) {
            launches.append(try await explain(send, to: profile))
        }
        let waiting = try await store.pendingTriggers(of: profile.id, in: campaign.id)
        return CampaignHistory(
            campaign: campaign,
            profile: profile,
            answer: Self.answer(campaign, launches, waiting),
            launches: launches,
            waiting: waiting,
            passedOver: try await store.occurrences(of: campaign.id, limit: Self.launchesSearched)
                .filter { $0.skipReason != nil }
        )
    }

    /// Launches that included the user, and those that were not limited to named users.
    private func launchesConcerning(
        _ profile: ProfileID,
        of campaign: CampaignID
    ) async throws -> [Send] {
        var found: [SendID: Send] = [:]
        for entry in try await store.entries(of: profile, in: campaign) {
            found[entry.send] = try await store.send(entry.send)
        }
        let latest = try await store.sends(of: campaign, limit: Self.launchesSearched, offset: 0)
        for send in latest {
            if case .profiles(let named) = send.content.audience, !named.contains(profile) {
                continue
            }
            found[send.id] = send
        }
        return found.values.ordered { $0.id }.reversed()
    }

    private static func answer(
        _ campaign: Campaign,
        _ launches: [DeliveryExplanation],
        _ waiting: [NewTrigger]
    ) -> CampaignHistory.Answer {
        let furthest = launches.map(\.answer).min { $0.rank < $1.rank }
        if let furthest, furthest.hasReached { return .launched(furthest) }
        if let next = waiting.first { return .waitsAfterEvent(until: next.dueAt) }
        if let furthest { return .launched(furthest) }
        let isLaunched = campaign.firstSentAt != nil
        return isLaunched
            ? .notTriggered : .notLaunched(campaign.state, next: campaign.nextDueAt)
    }
}

/// The audience source when segments cannot be evaluated.
private struct UnknownAudience: AudienceSource {
    private static let problem = AudienceError(.notReady, .notHere)

    func profiles(
        in workspace: WorkspaceID,
        matching query: SegmentQuery,
        at moment: AudienceMoment,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID] {
        throw Self.problem
    }

    func count(
        in workspace: WorkspaceID,
        matching query: SegmentQuery
    ) async throws -> AudienceCount {
        throw Self.problem
    }
}
