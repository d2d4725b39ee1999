import Foundation
import Model
import Scheduling

/// A message that goes out at a known time: a scheduled push, or a launch of a campaign.
package struct PlannedMessage: Sendable {
    package enum Subject: Sendable {
        case push(Send)
        case campaign(Campaign)
    }

    package var subject: Subject
    package var name: String
    /// Of the workspace's calendar; of each user's own one where the message waits for it.
    package var day: CalendarDay
    package var time: TimeOfDay
    /// When the first users get it.
    package var launchAt: Date
    /// Whether it comes at this time of each user's own clock.
    package var isLocal: Bool
    /// Whether it comes again and again.
    package var isRepeated: Bool
    /// Whether it counts for the workspace's caps.
    package var countsForCaps: Bool

    /// Whether it can be moved to another day by itself.
    package var isMovable: Bool { !isRepeated }

    init(_ send: Send, zone: TimeZone) {
        let local = send.content.localDelivery
        subject = .push(send)
        name = send.content.launch?.content.name ?? send.content.message.headline
        launchAt = send.scheduledAt
        isLocal = local != nil
        isRepeated = false
        countsForCaps = send.content.launch.map { !$0.content.isExemptFromCaps } ?? false
        let here = WallClock.reading(of: send.scheduledAt, in: zone)
        day = local?.day ?? here.day
        time = local?.time ?? here.time
    }

    init(
        _ campaign: Campaign,
        _ occurrence: Timetable.Occurrence,
        _ schedule: CampaignSchedule,
        zone: TimeZone
    ) {
        subject = .campaign(campaign)
        name = campaign.content.name
        launchAt = occurrence.launchAt
        isLocal = schedule.clock == .eachUser
        isRepeated = schedule.recurrence != nil
        countsForCaps = !campaign.content.isExemptFromCaps
        let here = WallClock.reading(of: occurrence.launchAt, in: zone)
        day = isLocal ? occurrence.day : here.day
        time = isLocal ? occurrence.time : here.time
    }
}
