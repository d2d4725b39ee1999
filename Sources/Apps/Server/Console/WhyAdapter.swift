import Console
import Delivery
import Foundation
import Model
import Ports
import Scheduling

/// Explains to the console why a user got a push or a campaign, or did not.
struct WhyAdapter: WhyPages {
    /// How many launches of a campaign are explained.
    private static let launches = 10

    let store: any Store
    let explainer: DeliveryExplainer
    let users: UsersAdapter

    func explain(
        _ subject: WhySubject,
        user: String,
        for member: ConsoleMember
    ) async throws -> WhyAnswer? {
        let workspace = WorkspaceID(member.workspaceID)
        guard
            let profile = try await store.profiles(
                identifiedBy: user,
                in: workspace,
                limit: 1
            ).first
        else { return nil }
        let reference = UserReference.profile(profile.publicID)
        let found: [DeliveryExplanation]?
        switch subject {
        case .push(let number):
            found = try await explainer.explain(
                send: SendID(number),
                to: reference,
                in: workspace
            ).map { [$0] }
        case .campaign(let id):
            found = try await explainer.explain(
                campaign: CampaignID(id),
                to: reference,
                in: workspace,
                limit: Self.launches
            )?.launches
        }
        guard let launches = found?.map({ launch($0, profile) }) else { return nil }
        let devices = try await store.devices(of: profile.id)
        return WhyAnswer(user: users.row(profile, devices: devices), launches: launches)
    }

    private func launch(_ explanation: DeliveryExplanation, _ profile: Profile) -> WhyLaunch {
        let send = explanation.send
        let isInAudience: Bool? =
            switch explanation.membership {
            case .member: true
            case .notMember: false
            case .unknown: nil
            }
        return WhyLaunch(
            number: send.id.rawValue,
            title: send.content.message.title,
            at: send.startedAt ?? send.scheduledAt,
            verdict: WhyVerdict(explanation.answer),
            isInAudience: isInAudience,
            isSubscribed: profile.pushSubscription != .unsubscribed,
            variant: explanation.entry?.variant.flatMap {
                send.content.launch?.content.variant(numbered: $0)?.name
            },
            devices: explanation.devices.map { story in
                WhyDevice(
                    model: story.device.map { $0.model ?? $0.platform },
                    push: story.device.map { DevicePush($0.push) },
                    state: story.row.map(Console.DispatchState.init),
                    reason: story.row?.reason
                )
            }
        )
    }
}

extension WhyVerdict {
    fileprivate init(_ answer: DeliveryExplanation.Answer) {
        switch answer {
        case .opened(let date): self = .opened(date)
        case .received(let date): self = .received(date)
        case .accepted(let date): self = .accepted(date)
        case .onItsWay: self = .onItsWay
        case .waiting(let reason, let until): self = .waiting(until: until, reason: reason)
        case .rejected(let reason): self = .rejected(reason: reason)
        case .unknown(let reason): self = .unknown(reason: reason)
        case .skipped(let reason): self = .skipped(reason: reason)
        case .notPlanned: self = .notPlanned
        case .controlGroup: self = .controlGroup
        case .notInAudience: self = .notInAudience
        case .unsubscribed: self = .unsubscribed
        case .noDevice: self = .noDevice
        case .notReachable: self = .notReachable
        case .paused(let due): self = .waiting(until: due, reason: "Paused")
        case .stopped: self = .skipped(reason: "Cancelled")
        case .notOptedIn: self = .skipped(reason: "NotOptedIn")
        case .excluded(let reason): self = WhyVerdict(reason)
        case .leftOut: self = .leftOut
        }
    }

    private init(_ reason: ExclusionReason) {
        switch reason {
        case .noDevice: self = .notReachable
        case .notEligible: self = .notEligible
        case .controlGroup: self = .controlGroup
        case .awaitsWinner: self = .awaitsWinner
        case .wasInTest: self = .wasInTest
        case .localTimePassed: self = .localTimePassed
        case .quietHours: self = .quietHours
        case .frequencyCap: self = .frequencyCap
        case .notInAudience: self = .notInAudience
        }
    }
}

extension Console.DispatchState {
    fileprivate init(_ row: LedgerRow) {
        switch row.state {
        case .queued: self = .queued
        case .sending: self = .sending
        case .rejected, .skipped: self = .rejected
        case .unknown: self = .unknown
        case .accepted:
            self =
                row.openedAt != nil
                ? .opened
                : row.dismissedAt != nil
                    ? .dismissed : row.receivedAt != nil ? .received : .delivered
        }
    }
}
