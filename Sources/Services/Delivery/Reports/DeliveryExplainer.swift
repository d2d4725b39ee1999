import Foundation
import Model
import Ports

/// Answers from the rows why a user got a send, or did not.
package struct DeliveryExplainer: Sendable {
    private let store: any SendStore & ProfileStore & LedgerStore
    private let audience: (any AudienceSource)?

    /// - Parameter audience: says who is in a segment; without it that stays unknown.
    package init(
        store: any SendStore & ProfileStore & LedgerStore,
        audience: (any AudienceSource)?
    ) {
        self.store = store
        self.audience = audience
    }

    /// - Returns: `nil` when the workspace has no such send or user.
    package func explain(
        _ id: SendID,
        to user: UserReference,
        in workspace: WorkspaceID
    ) async throws -> DeliveryExplanation? {
        guard let send = try await store.send(id), send.workspace == workspace,
            let profile = try await store.profile(user, in: workspace)
        else { return nil }
        let rows = Dictionary(
            try await store.ledger(of: id, profile: profile.id).map { ($0.device, $0) },
            uniquingKeysWith: { $1 }
        )
        let devices = try await store.devices(of: profile.id).map { device in
            DeliveryExplanation.DeviceStory(
                device: device,
                reach: Self.reach(of: device),
                row: rows[device.id]
            )
        }
        let entry = try await store.entry(of: profile.id, in: id)
        let membership = try await membership(of: profile, in: send)
        return DeliveryExplanation(
            send: send,
            profile: profile,
            membership: membership,
            entry: entry,
            devices: devices,
            answer: Self.answer(send, profile, membership, entry, devices)
        )
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
        if let isMember = try await store.isMember(profile.id, of: send.content.audience) {
            return isMember ? .member : .notMember
        }
        guard case .matching(let query) = send.content.audience, let audience else {
            return .unknown("segments are not evaluated here")
        }
        do {
            let found = try await audience.profiles(
                in: send.workspace,
                matching: query,
                after: ProfileID(profile.id.rawValue - 1),
                limit: 1
            )
            return found.first == profile.id ? .member : .notMember
        } catch let problem as AudienceProblem {
            return .unknown(problem.message)
        }
    }

    private static func answer(
        _ send: Send,
        _ profile: Profile,
        _ membership: DeliveryExplanation.Membership,
        _ entry: CampaignEntry?,
        _ devices: [DeliveryExplanation.DeviceStory]
    ) -> DeliveryExplanation.Answer {
        // A device that got it says more than one that did not.
        let answers = devices.compactMap { $0.row.map(answer(of:)) }
        if let best = answers.min(by: { rank($0) < rank($1) }) { return best }
        if entry?.isControl == true { return .controlGroup }
        if send.state == .scheduled || send.state == .planning { return .notPlanned }
        if membership == .notMember { return .notInAudience }
        if profile.pushSubscription == .unsubscribed { return .unsubscribed }
        if devices.isEmpty { return .noDevice }
        if !devices.contains(where: { $0.reach == .reachable }) { return .notReachable }
        return .leftOut
    }

    private static func answer(of row: LedgerRow) -> DeliveryExplanation.Answer {
        if let opened = row.openedAt { return .opened(opened) }
        if let received = row.receivedAt { return .received(received) }
        let reason = row.reason ?? ""
        switch row.state {
        case .queued: return .waiting(reason: row.reason, until: row.dueAt)
        case .sending: return .onItsWay
        case .accepted: return .accepted(row.acceptedAt ?? row.updatedAt)
        case .rejected: return .rejected(reason: reason)
        case .unknown: return .unknown(reason: reason)
        case .skipped: return .skipped(reason: reason)
        }
    }

    private static func rank(_ answer: DeliveryExplanation.Answer) -> Int {
        switch answer {
        case .opened: 0
        case .received: 1
        case .accepted: 2
        case .onItsWay: 3
        case .waiting: 4
        case .unknown: 5
        case .rejected: 6
        case .skipped: 7
        case .notPlanned, .controlGroup, .notInAudience, .unsubscribed, .noDevice, .notReachable,
            .leftOut:
            8
        }
    }
}
