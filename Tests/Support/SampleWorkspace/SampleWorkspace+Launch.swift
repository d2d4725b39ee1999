import Foundation
import Model
import NoroshiWire
import Ports

/// A launch of a campaign with two variants and a control group, and what users did.
extension SampleWorkspace {
    /// Launches campaign 4, which the sample leaves without results. It has the next number of a
    /// push, which tests that do not ask for a launch give to one of their own.
    package static func launchCampaign(
        of store: any Store,
        size: SampleSize = .small,
        now: Date = SampleWorkspace.now
    ) async throws {
        guard let campaign = try await store.campaign(CampaignID(4)) else { return }
        try await SampleWorkspace(store: store, size: size, workspace: campaign.workspace, now: now)
            .launch(campaign)
    }

    private func launch(_ campaign: Campaign) async throws {
        let time = before(6 * 3_600)
        _ = try await store.transitionCampaign(
            campaign.id,
            from: [.paused],
            to: .active,
            nextDueAt: nil,
            now: time
        )
        var content = SendContent(
            message: campaign.content.variants[0].message.common.message,
            audience: campaign.content.audience,
            author: campaign.content.name
        )
        content.launch = LaunchContext(
            campaign: campaign.id,
            apiID: campaign.apiID,
            occurrence: "sample",
            content: campaign.content,
            part: .everybody,
            activatedAt: time
        )
        let request = LaunchRequest(
            campaign: campaign.id,
            key: "sample",
            dueAt: time,
            content: content,
            scheduledAt: time
        )
        guard case .launched(let send) = try await store.launch(request, now: time) else {
            throw SampleError(description: "the sample's campaign was not launched")
        }
        _ = try await store.startPlanningDueSends(now: time)
        try await plan(send, of: campaign, at: time)
        // Where servers are listed, only those on the list claim.
        let server = try await store.servers().first
        let rows = try await store.claimDispatches(
            ClaimRequest(
                limit: 10_000,
                owner: server?.id.uuidString ?? "sample",
                leaseEnd: time.addingTimeInterval(60),
                now: time
            )
        ).rows
        try await store.record(
            rows.map {
                DispatchUpdate(
                    send: $0.send,
                    device: $0.device.id,
                    change: .accepted(providerID: nil)
                )
            },
            now: time
        )
        _ = try await store.markFinishedSends(now: time.addingTimeInterval(20))
        try await report(send, to: Set(rows.compactMap(\.profile.externalID)), after: time)
    }

    /// Users take turns in the variants; every sixth one is in the control group.
    private func plan(_ send: Send, of campaign: Campaign, at time: Date) async throws {
        let users = try await store.profiles(in: workspace, after: nil, limit: 10_000)
        let recipients = try await store.recipients(
            users,
            in: workspace,
            reaching: DeviceTargeting(),
            campaign: campaign.id,
            contactsSince: time,
            before: nil
        ).filter { !$0.devices.isEmpty }
        _ = try await store.commitPlan(
            RecipientBatch(
                campaign: campaign.id,
                countsForCaps: true,
                origin: nil,
                end: users.last,
                entries: recipients.enumerated().map { number, recipient in
                    let isControl = number % 6 == 5
                    return RecipientBatch.Entry(
                        profile: recipient.profile,
                        devices: isControl ? [] : recipient.devices,
                        variant: isControl ? nil : campaign.content.number(ofVariantAt: number % 2),
                        isControl: isControl,
                        dueAt: time
                    )
                },
                isComplete: true
            ),
            of: send.id,
            now: time
        )
    }

    /// Half of the phones have told of it, some people have opened it, sooner or later.
    private func report(_ send: Send, to users: Set<String>, after time: Date) async throws {
        let unknown = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        for number in 1...size.users
        where number % 2 == 0 && users.contains(SamplePeople.id(number)) {
            let kinds: [SDKRecord.PushInteraction.Kind] =
                number % 3 == 0 ? [.received, .opened] : [.received]
            let items = kinds.enumerated().map { index, kind in
                item(
                    number,
                    at: time.addingTimeInterval(Double(index * number * number) * 11 + 4),
                    .pushInteraction(
                        SDKRecord.PushInteraction(
                            kind: kind,
                            dispatch: unknown,
                            pushNumber: send.id.rawValue
                        )
                    )
                )
            }
            try await ingest(items, from: try await source(number))
        }
    }
}
