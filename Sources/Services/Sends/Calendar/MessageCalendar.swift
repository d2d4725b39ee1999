import Campaigns
import Foundation
import Model
import Ports
import Reasons
import Scheduling

/// What is planned, day by day of the workspace's calendar, with what to look at before it goes out;
/// and another day for it.
package struct MessageCalendar: Sendable {
    /// What a day's messages do to the users who get them.
    package enum Finding: Sendable, Hashable {
        /// So many begin within an hour of each other.
        case close(Int)
        /// In the days up to this one more count for a cap than it lets through.
        case overCap(FrequencyCap, planned: Int)
    }

    package struct Day: Sendable {
        package var day: CalendarDay
        /// In the order of their time.
        package var messages: [PlannedMessage]
        package var findings: [Finding]
    }

    package struct Plan: Sendable {
        package var days: [Day]
        /// Whether there is more than is shown.
        package var isCut: Bool
    }

    /// Messages and campaigns that are looked at, and occurrences of each campaign.
    private static let limit = 500
    /// The seconds within which messages are close.
    private static let closeness: TimeInterval = 3_600
    /// The longest cap, in days.
    private static let longestCap = 30

    private let campaigns: CampaignService
    private let control: SendControl
    private let limits: LimitService
    private let now: @Sendable () -> Date

    package init(
        campaigns: CampaignService,
        control: SendControl,
        limits: LimitService,
        now: @escaping @Sendable () -> Date
    ) {
        self.campaigns = campaigns
        self.control = control
        self.limits = limits
        self.now = now
    }

    /// - Parameters:
    ///   - days: Which days; what was planned for a day that is over is not on it.
    ///   - zone: The workspace's.
    package func plan(
        of days: ClosedRange<CalendarDay>,
        in workspace: WorkspaceID,
        zone: TimeZone
    ) async throws -> Plan {
        // A day is over everywhere on earth twelve hours after it is in London.
        let end = Date(timeIntervalSince1970: Double(days.upperBound.number) * 86_400 + 36 * 3_600)
        let waiting = try await control.waiting(in: workspace, limit: Self.limit)
        let active = try await campaigns.campaigns(
            in: workspace,
            state: .active,
            order: .nextDue,
            page: ListPage(size: Self.limit)
        )
        var isCut = waiting.count == Self.limit || active.total > active.campaigns.count
        var messages: [PlannedMessage] = []
        var scheduled: Set<CampaignID> = []
        for campaign in active.campaigns {
            guard case .scheduled(let schedule) = campaign.content.delivery else { continue }
            scheduled.insert(campaign.id)
            let occurrences = campaigns.occurrences(
                of: campaign.content,
                before: end,
                limit: Self.limit
            )
            isCut = isCut || occurrences.count == Self.limit
            messages += occurrences.map { PlannedMessage(campaign, $0, schedule, zone: zone) }
        }
        // A push that such a campaign has reserved is the launch that is there already.
        messages += waiting.filter { send in
            send.content.launch.map { !scheduled.contains($0.campaign) } ?? true
        }.map { PlannedMessage($0, zone: zone) }
        return Plan(
            days: Self.days(days, messages, try await limits.limits(of: workspace).caps),
            isCut: isCut
        )
    }

    private static func days(
        _ range: ClosedRange<CalendarDay>,
        _ messages: [PlannedMessage],
        _ caps: [FrequencyCap]
    ) -> [Day] {
        let byDay = Dictionary(grouping: messages, by: \.day)
        return (range.lowerBound.number...range.upperBound.number).map { number in
            let day = CalendarDay(number: number)
            let here = (byDay[day] ?? []).sorted {
                ($0.time, $0.launchAt, $0.name) < ($1.time, $1.launchAt, $1.name)
            }
            return Day(
                day: day,
                messages: here,
                findings: findings(on: day, here, caps) { byDay[$0] ?? [] }
            )
        }
    }

    private static func findings(
        on day: CalendarDay,
        _ messages: [PlannedMessage],
        _ caps: [FrequencyCap],
        _ others: (CalendarDay) -> [PlannedMessage]
    ) -> [Finding] {
        var findings: [Finding] = []
        let times = messages.map(\.time.minutes)
        let close = times.indices.map { first in
            times[first...].count { Double($0 - times[first]) * 60 < closeness }
        }
        if let most = close.max(), most > 1 { findings.append(.close(most)) }
        // A day without a message that counts says nothing new.
        guard messages.contains(where: \.countsForCaps) else { return findings }
        for cap in caps {
            let planned = (0..<min(cap.days, longestCap)).reduce(0) { sum, before in
                sum + others(day.adding(days: -before)).count(where: \.countsForCaps)
            }
            if planned > cap.messages { findings.append(.overCap(cap, planned: planned)) }
        }
        return findings
    }

    // MARK: Moving

    /// Moves a message to another day, at the same time.
    ///
    /// - Returns: `false` if it is under way or taken back meanwhile.
    /// - Throws: `ValidationError` if that time has passed, `RefusalError` for a campaign that cannot be
    ///   moved, `NotAllowedError` to members who are no marketers.
    package func move(
        _ subject: PlannedMessage.Subject,
        to day: CalendarDay,
        by actor: Actor,
        zone: TimeZone
    ) async throws -> Bool {
        switch subject {
        case .campaign(let campaign):
            guard campaign.state == .active else { return false }
            try await campaigns.move(campaign, to: day, by: actor)
            return true
        case .push(let send):
            return try await move(send, to: day, by: actor, zone: zone)
        }
    }

    private func move(
        _ send: Send,
        to day: CalendarDay,
        by actor: Actor,
        zone: TimeZone
    ) async throws -> Bool {
        guard send.state == .scheduled else { return false }
        var content = send.content
        var launchAt = WallClock.instant(
            day,
            WallClock.reading(of: send.scheduledAt, in: zone).time,
            in: zone
        )
        var endsAt = launchAt
        if let local = content.localDelivery {
            launchAt = WallClock.instant(day, local.time, hoursAhead: 14)
            endsAt = WallClock.instant(day, local.time, hoursAhead: -12)
            if content.localMoment != nil { content.localMoment?.day = day }
            if content.launch?.localMoment != nil { content.launch?.localDay = day }
        }
        guard endsAt >= now() else { throw ValidationError(.campaign(.start), .allPassed) }
        return try await control.move(send, to: launchAt, content: content, by: actor)
    }
}
