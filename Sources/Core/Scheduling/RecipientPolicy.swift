import Foundation
import Model

/// Decides user by user whether a launch reaches them, when, and with which variant.
///
/// It is a value that caches the local times of time zones.
package struct RecipientPolicy {
    private let launch: LaunchContext
    private let scheduledAt: Date
    private let limits: MessagingLimits
    private let now: Date
    private let assignment: VariantAssignment
    private var clocks: UserTimeZones

    /// - Parameters:
    ///   - scheduledAt: When the send starts.
    ///   - now: When it is planned.
    ///   - zoneNamed: Finds a time zone by its IANA name.
    package init(
        launch: LaunchContext,
        scheduledAt: Date,
        limits: MessagingLimits,
        workspaceZone: TimeZone,
        now: Date,
        zoneNamed: @escaping (String) -> TimeZone?
    ) {
        self.launch = launch
        self.scheduledAt = scheduledAt
        self.limits = limits
        self.now = now
        clocks = UserTimeZones(
            moment: launch.localMoment,
            fallback: workspaceZone,
            zoneNamed: zoneNamed
        )
        assignment = VariantAssignment(
            campaign: launch.apiID,
            controlShare: launch.content.controlShare,
            weights: launch.content.variants.map(\.weight)
        )
    }

    /// The earliest time from which messages of other campaigns matter, in every time zone.
    package var contactsSince: Date {
        let days = launch.content.isExemptFromCaps ? 0 : limits.caps.map(\.days).max() ?? 0
        // One day more than the caps, because days of a calendar may be longer than 24 hours.
        let reach = Double(days + 1) * 86_400
        return days == 0 ? .distantFuture : min(now, scheduledAt).addingTimeInterval(-reach)
    }

    /// The earliest time from which messages of this campaign matter, in every time zone.
    package var ownContactsSince: Date {
        guard case .after(let pause) = launch.content.reeligibility else { return .distantPast }
        return earliestDue.addingTimeInterval(-pause - Self.slack(of: pause))
    }

    /// No message of the launch is due before, but for quiet hours.
    private var earliestDue: Date {
        guard let moment = launch.localMoment else { return scheduledAt }
        // Clocks are at most fourteen hours ahead of Greenwich's, and some are set forward just then.
        return WallClock.instant(moment.day, moment.time, in: .gmt).addingTimeInterval(-16 * 3_600)
    }

    /// How much earlier than the pause says a message may have been that still matters: whole days are those of calendars,
    /// which are longer where clocks are set back or a country moves to the other side of the date line.
    private static func slack(of pause: TimeInterval) -> TimeInterval {
        guard pause.truncatingRemainder(dividingBy: 86_400) == 0 else { return 0 }
        return pause == 0 ? 2 * 3_600 : 26 * 3_600
    }

    /// The time zone of a user's calendar.
    package mutating func zone(of recipient: CampaignRecipient) -> TimeZone {
        clocks.clock(inZone: recipient.timeZone).zone
    }

    package mutating func decision(for recipient: CampaignRecipient) -> RecipientDecision {
        guard !recipient.devices.isEmpty else { return .excluded(.noDevice) }
        if let reason = exclusionByPart(recipient.profile) { return .excluded(reason) }
        let clock = clocks.clock(inZone: recipient.timeZone)
        var dueAt = scheduledAt
        if let localTime = clock.localTime {
            guard localTime >= launch.activatedAt else { return .excluded(.localTimePassed) }
            dueAt = localTime
        }
        let last = recipient.contacts.filter { $0.campaign == launch.campaign }.map(\.time).max()
        guard launch.content.reeligibility.allows(messageAt: dueAt, last: last, in: clock.zone)
        else {
            return .excluded(.notEligible)
        }
        // Re-eligibility counts from the scheduled time, so that a daily message planned a second
        // late does not block the next one. Quiet hours use the actual delivery time.
        if let end = limits.quietHours?.end(afterQuiet: max(dueAt, now), in: clock.zone) {
            switch launch.content.quietHours {
            case .delay: dueAt = end
            case .skip: return .excluded(.quietHours)
            case .sendAnyway: break
            }
        }
        guard isWithinCaps(recipient, at: dueAt, in: clock.zone) else {
            return .excluded(.frequencyCap)
        }
        // Last, so that control groups leave out whom limits keep from the message: otherwise they
        // would be of other people than those they are compared with.
        if launch.content.withholdsFromControlGroup,
            limits.controlGroup?.contains(recipient.profile) == true
        {
            return .withheld(at: dueAt)
        }
        let group = assignment.group(of: recipient.profile)
        guard case .variant(let drawn) = group else { return .control(at: dueAt) }
        let index = if case .rest(let winner, _) = launch.part { winner } else { drawn }
        return .message(variant: launch.content.number(ofVariantAt: index), dueAt: dueAt)
    }

    private func exclusionByPart(_ profile: ProfileID) -> ExclusionReason? {
        guard let rule = launch.content.winner else { return nil }
        let isInTest = assignment.isInTest(profile, share: rule.testShare)
        switch launch.part {
        case .everybody: return nil
        case .test: return isInTest ? nil : .awaitsWinner
        case .rest: return isInTest ? .wasInTest : nil
        }
    }

    private func isWithinCaps(
        _ recipient: CampaignRecipient,
        at time: Date,
        in zone: TimeZone
    ) -> Bool {
        guard !launch.content.isExemptFromCaps, !limits.caps.isEmpty else { return true }
        let others = recipient.contacts
            .filter { $0.countsForCaps && $0.variant != nil }.map(\.time)
        return limits.caps.allSatisfy { $0.allows(messageAt: time, beside: others, in: zone) }
    }
}
