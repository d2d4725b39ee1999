import Foundation
import Model
import Scheduling
import Testing

@Suite("Whom a launch reaches")
struct RecipientPolicyTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func content(
        _ change: (inout CampaignContent) -> Void = { _ in }
    ) -> CampaignContent {
        var content = CampaignContent(
            name: "Morning tea",
            variants: [
                CampaignVariant(
                    apiID: UUID(),
                    name: "A",
                    message: CampaignMessage(PlatformMessage(PushMessage(body: "Tea?")))
                )
            ]
        )
        content.reeligibility = .after(0)
        change(&content)
        return content
    }

    private func rule(
        _ content: CampaignContent,
        _ limits: MessagingLimits = MessagingLimits(),
        scheduledAt: Date = RecipientPolicyTests.now
    ) -> RecipientPolicy {
        RecipientPolicy(
            launch: LaunchContext(
                campaign: CampaignID(1),
                apiID: UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16)),
                occurrence: "a",
                content: content,
                activatedAt: .distantPast
            ),
            scheduledAt: scheduledAt,
            limits: limits,
            workspaceZone: .gmt,
            now: Self.now,
            zoneNamed: { TimeZone(identifier: $0) }
        )
    }

    private func recipient(_ contacts: [CampaignExposure]) -> CampaignRecipient {
        var recipient = CampaignRecipient(
            profile: ProfileID(7),
            timeZone: "UTC",
            devices: [DeviceID(7)]
        )
        recipient.contacts = contacts
        return recipient
    }

    private func contact(
        of campaign: Int64,
        variant: Int?,
        counts: Bool,
        before seconds: TimeInterval = 60
    ) -> CampaignExposure {
        CampaignExposure(
            campaign: CampaignID(campaign),
            send: SendID(1),
            time: Self.now.addingTimeInterval(-seconds),
            variant: variant,
            countsForCaps: counts
        )
    }

    @Test("the workspace's control group is withheld from what campaigns send by themselves")
    func workspaceControlGroup() throws {
        let seeds = (1...200 as ClosedRange<UInt8>).map {
            UUID(uuid: ($0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0))
        }
        let groups = seeds.map { ControlGroup(share: 10, seed: $0, since: Self.now) }
        let user = recipient([])
        let with = try #require(groups.first { $0.contains(user.profile) })
        let without = try #require(groups.first { !$0.contains(user.profile) })
        func decision(
            _ group: ControlGroup?,
            _ change: (inout CampaignContent) -> Void = { _ in }
        ) -> RecipientDecision {
            var rule = rule(content(change), MessagingLimits(controlGroup: group))
            return rule.decision(for: user)
        }
        let message = RecipientDecision.message(variant: 0, dueAt: Self.now)
        #expect(decision(with) == .withheld(at: Self.now))
        #expect(decision(without) == message)
        #expect(decision(nil) == message)
        // Requests name those who are to get it.
        #expect(decision(with) { $0.delivery = .apiTriggered } == message)
        #expect(
            decision(with) {
                $0.delivery = .apiTriggered
                $0.reachesControlGroup = false
            } == .withheld(at: Self.now)
        )
        #expect(decision(with) { $0.reachesControlGroup = true } == message)
        // The campaign's own group is drawn of the others.
        #expect(decision(with) { $0.controlShare = 100 } == .withheld(at: Self.now))
        #expect(decision(without) { $0.controlShare = 100 } == .control(at: Self.now))
    }

    @Test(
        "what was before the time from which messages matter changes no decision",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func ownContacts(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let zones = [
            "Pacific/Kiritimati", "Pacific/Apia", "Pacific/Pago_Pago", "America/St_Johns",
            "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "UTC",
        ].compactMap { TimeZone(identifier: $0) }
        // Around the days on which Samoa left one out, Newfoundland's clocks went back past midnight, and others changed.
        let starts = [1_325_246_400, 1_257_047_000, 1_775_350_000, 1_793_500_000, 1_790_000_000]
        var refused = 0
        for _ in 0..<3_000 {
            let zone = try #require(zones.randomElement(using: &random))
            let start = Date(
                timeIntervalSince1970: TimeInterval(
                    try #require(starts.randomElement(using: &random))
                        + Int.random(in: -200_000...200_000, using: &random)
                )
            )
            let pauses = [0, 0, 86_400, 172_800, 7 * 86_400, 5_400, 100_000]
            let pause = pauses.randomElement(using: &random) ?? 0
            let content = content { $0.reeligibility = .after(TimeInterval(pause)) }
            var launch = LaunchContext(
                campaign: CampaignID(1),
                apiID: UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16)),
                occurrence: "a",
                content: content,
                activatedAt: .distantPast
            )
            if Bool.random(using: &random) {
                launch.localDay = WallClock.day(of: start, in: .gmt)
                launch.localTime = TimeOfDay(
                    Int.random(in: 0...23, using: &random),
                    Int.random(in: 0...59, using: &random)
                )
            }
            var policy = RecipientPolicy(
                launch: launch,
                scheduledAt: start,
                limits: MessagingLimits(),
                workspaceZone: .gmt,
                now: start,
                zoneNamed: { TimeZone(identifier: $0) }
            )
            var user = CampaignRecipient(
                profile: ProfileID(7),
                timeZone: zone.identifier,
                devices: [DeviceID(7)]
            )
            let seconds = Int.random(in: -2 * 86_400...86_400, using: &random) + pause
            user.contacts = [contact(of: 1, variant: 0, counts: true)]
            user.contacts[0].time = start.addingTimeInterval(-TimeInterval(seconds))
            let decision = policy.decision(for: user)
            if decision == .excluded(.notEligible) { refused += 1 }
            let since = policy.ownContactsSince
            user.contacts.removeAll { $0.time < since }
            #expect(policy.decision(for: user) == decision, "\(zone) \(start) \(pause) \(seconds)")
        }
        #expect((500...2_500).contains(refused))
    }

    @Test("a message fills a cap; one that is exempt does not, nor what the control group missed")
    func caps() {
        let limits = MessagingLimits(caps: [FrequencyCap(messages: 1, days: 1)])
        for (variant, counts, isFull) in [
            (0, true, true), (0, false, false), (nil, true, false), (nil, false, false),
        ] as [(Int?, Bool, Bool)] {
            var rule = rule(content(), limits)
            let user = recipient([contact(of: 2, variant: variant, counts: counts)])
            let expected: RecipientDecision =
                isFull ? .excluded(.frequencyCap) : .message(variant: 0, dueAt: Self.now)
            #expect(rule.decision(for: user) == expected)
        }
        // Whom caps do not concern is not asked.
        var exempt = rule(content { $0.isExemptFromCaps = true }, limits)
        let full = recipient([contact(of: 2, variant: 0, counts: true)])
        #expect(exempt.decision(for: full) == .message(variant: 0, dueAt: Self.now))
    }

    @Test("only the campaign's own messages make a user wait for it, the latest of them")
    func reeligibility() {
        let again = content { $0.reeligibility = .after(3_600) }
        var rule = rule(again)
        let others = recipient([contact(of: 2, variant: 0, counts: true)])
        #expect(rule.decision(for: others) == .message(variant: 0, dueAt: Self.now))
        let own = recipient([
            contact(of: 1, variant: 0, counts: true, before: 3_599),
            contact(of: 1, variant: 0, counts: true, before: 7_200),
        ])
        #expect(rule.decision(for: own) == .excluded(.notEligible))
        let past = recipient([contact(of: 1, variant: 0, counts: true, before: 3_600)])
        #expect(rule.decision(for: past) == .message(variant: 0, dueAt: Self.now))
    }

    @Test("messages matter for as long as the longest cap, and a day of more than 24 hours")
    func reach() {
        let caps = [FrequencyCap(messages: 1, days: 7), FrequencyCap(messages: 3, days: 30)]
        let limits = MessagingLimits(caps: caps)
        let reach = Self.now.addingTimeInterval(-31 * 86_400)
        #expect(rule(content(), limits).contactsSince == reach)
        let early = Self.now.addingTimeInterval(-60)
        #expect(
            rule(content(), limits, scheduledAt: early).contactsSince
                == reach.addingTimeInterval(-60)
        )
        #expect(rule(content()).contactsSince == .distantFuture)
        #expect(
            rule(content { $0.isExemptFromCaps = true }, limits).contactsSince == .distantFuture
        )
    }

    @Test("a campaign's own messages matter as far back as they may make somebody wait")
    func ownReach() {
        #expect(rule(content { $0.reeligibility = .never }).ownContactsSince == .distantPast)
        let weekly = content { $0.reeligibility = .after(7 * 86_400) }
        var rule = rule(weekly)
        let age = Self.now.timeIntervalSince(rule.ownContactsSince)
        let forgotten = recipient([contact(of: 1, variant: 0, counts: true, before: age)])
        #expect(rule.decision(for: forgotten) == .message(variant: 0, dueAt: Self.now))
        let recent = recipient([contact(of: 1, variant: 0, counts: true, before: 6 * 86_400)])
        #expect(rule.decision(for: recent) == .excluded(.notEligible))
    }

    @Test("limits keep the same people from the message and out of the control group")
    func controlGroup() {
        var inControl = rule(content { $0.controlShare = 99 })
        #expect(inControl.decision(for: recipient([])) == .control(at: Self.now))
        let limits = MessagingLimits(caps: [FrequencyCap(messages: 1, days: 1)])
        var capped = rule(content { $0.controlShare = 99 }, limits)
        let full = recipient([contact(of: 2, variant: 0, counts: true)])
        #expect(capped.decision(for: full) == .excluded(.frequencyCap))
    }

    @Test("who has no device is left out before anything else is asked")
    func noDevice() {
        var rule = rule(content { $0.controlShare = 99 })
        var user = recipient([])
        user.devices = []
        #expect(rule.decision(for: user) == .excluded(.noDevice))
    }
}
