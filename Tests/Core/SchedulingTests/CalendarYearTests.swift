import Foundation
import Model
import Scheduling
import Testing

/// Years with both clock changes, leap days, month and year ends, in zones of all kinds: a day of
/// the calendar is a day, whatever its length.
@Suite("Days are days of the user's calendar")
struct CalendarYearTests {
    static let zones = [
        "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Kiritimati", "America/Sao_Paulo",
        "Europe/Berlin", "America/New_York", "Africa/Casablanca",
    ]

    /// One user of a campaign, driven from launch to launch.
    private struct Story {
        var content: CampaignContent
        var limits: MessagingLimits
        var user: CampaignRecipient
        private(set) var refused: [(day: CalendarDay, reason: ExclusionReason)] = []
        private(set) var days: [CalendarDay] = []

        init(_ reeligibility: Reeligibility, caps: [FrequencyCap], zone: String?) {
            content = CampaignContent(
                name: "Morning tea",
                variants: [
                    CampaignVariant(
                        apiID: UUID(
                            uuid: (9, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16)
                        ),
                        name: "A",
                        message: CampaignMessage(PlatformMessage(PushMessage(body: "Tea?")))
                    )
                ]
            )
            content.reeligibility = reeligibility
            limits = MessagingLimits(caps: caps)
            user = CampaignRecipient(
                profile: ProfileID(7),
                timeZone: zone,
                devices: [DeviceID(7)]
            )
        }

        /// - Parameter delay: How late it is planned, in seconds.
        mutating func launch(
            _ occurrence: Timetable.Occurrence,
            isLocal: Bool,
            workspaceZone: TimeZone = .gmt,
            delay: TimeInterval = 0
        ) {
            var rule = RecipientPolicy(
                launch: LaunchContext(
                    campaign: CampaignID(1),
                    apiID: UUID(
                        uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16)
                    ),
                    occurrence: occurrence.key,
                    content: content,
                    localDay: isLocal ? occurrence.day : nil,
                    localTime: isLocal ? occurrence.time : nil,
                    activatedAt: .distantPast
                ),
                scheduledAt: occurrence.launchAt,
                limits: limits,
                workspaceZone: workspaceZone,
                now: occurrence.launchAt + delay,
                zoneNamed: { TimeZone(identifier: $0) }
            )
            switch rule.decision(for: user) {
            case .message(_, let dueAt):
                days.append(occurrence.day)
                user.contacts.append(
                    CampaignExposure(
                        campaign: CampaignID(1),
                        send: SendID(Int64(user.contacts.count + 1)),
                        time: dueAt,
                        variant: 0,
                        countsForCaps: true
                    )
                )
            case .excluded(let reason): refused.append((occurrence.day, reason))
            case .control, .withheld: break
            }
        }
    }

    private func occurrences(
        _ time: String,
        _ pattern: Recurrence.Pattern,
        zone: String?,
        from start: String,
        until end: String
    ) throws -> [Timetable.Occurrence] {
        let schedule = CampaignSchedule(
            start: try #require(CalendarDay(start)),
            time: try #require(TimeOfDay(time)),
            clock: zone.map(ScheduleTimeZone.zone) ?? .eachUser,
            recurrence: Recurrence(pattern, end: .onDay(try #require(CalendarDay(end))))
        )
        let timetable = Timetable(schedule, zone: zone.flatMap { TimeZone(identifier: $0) })
        return Array(
            sequence(first: try #require(timetable.first(notOverAt: .distantPast))) {
                timetable.next(after: $0)
            }
        )
    }

    @Test(
        "a daily campaign, again after a day and capped at one a day, comes every day",
        arguments: zones,
        ["00:00", "02:30", "09:00", "23:59"]
    )
    func daily(zone: String, time: String) throws {
        for isLocal in [true, false] {
            let all = try occurrences(
                time,
                .daily(every: 1),
                zone: isLocal ? nil : zone,
                from: "2027-10-01",
                until: "2028-12-31"
            )
            #expect(all.count == 458)
            var story = Story(
                .after(86_400),
                caps: [FrequencyCap(messages: 1, days: 1), FrequencyCap(messages: 7, days: 7)],
                zone: zone
            )
            for (index, occurrence) in all.enumerated() {
                let delay = Double(index % 3) * 20
                story.launch(occurrence, isLocal: isLocal, delay: delay)
            }
            #expect(story.days == all.map(\.day))
        }
    }

    @Test("a weekly one comes every week, a monthly one every month", arguments: zones)
    func weeklyAndMonthly(zone: String) throws {
        let patterns: [(Recurrence.Pattern, Int)] = [
            (.weekly(every: 1, weekdays: [7]), 7), (.monthly(every: 1, days: [-1]), 28),
            (.monthly(every: 1, days: [29]), 28), (.daily(every: 30), 30),
        ]
        for (pattern, pause) in patterns {
            for isLocal in [true, false] {
                let all = try occurrences(
                    "09:00",
                    pattern,
                    zone: isLocal ? nil : zone,
                    from: "2027-09-01",
                    until: "2028-12-31"
                )
                var story = Story(
                    .after(Double(pause) * 86_400),
                    caps: [FrequencyCap(messages: 1, days: pause)],
                    zone: zone
                )
                for occurrence in all { story.launch(occurrence, isLocal: isLocal) }
                #expect(story.days == all.map(\.day), "\(pattern)")
            }
        }
    }

    @Test(
        "a day too early is refused, in every zone and on every day of two years",
        arguments: zones
    )
    func tooEarly(zone: String) throws {
        let all = try occurrences(
            "09:00",
            .daily(every: 1),
            zone: nil,
            from: "2027-01-01",
            until: "2028-12-31"
        )
        var again = Story(.after(2 * 86_400), caps: [], zone: zone)
        var capped = Story(.after(0), caps: [FrequencyCap(messages: 2, days: 3)], zone: zone)
        for occurrence in all {
            again.launch(occurrence, isLocal: true)
            capped.launch(occurrence, isLocal: true)
        }
        #expect(again.days == stride(from: 0, to: all.count, by: 2).map { all[$0].day })
        #expect(capped.days == all.indices.filter { $0 % 3 != 2 }.map { all[$0].day })
        #expect(again.refused.allSatisfy { $0.reason == .notEligible })
        #expect(capped.refused.allSatisfy { $0.reason == .frequencyCap })
    }

    @Test("users without a zone live by the workspace's")
    func workspaceZone() throws {
        let zone = try #require(TimeZone(identifier: "America/Sao_Paulo"))
        let all = try occurrences(
            "22:30",
            .daily(every: 1),
            zone: zone.identifier,
            from: "2028-01-01",
            until: "2028-12-31"
        )
        var story = Story(.after(86_400), caps: [FrequencyCap(messages: 1, days: 1)], zone: nil)
        for occurrence in all {
            story.launch(occurrence, isLocal: false, workspaceZone: zone)
            // The same evening: still that day on the calendar, though in UTC the next has begun.
            story.launch(occurrence, isLocal: false, workspaceZone: zone, delay: 3_600)
        }
        #expect(story.days == all.map(\.day))
    }

    @Test("a user who moves gets one message on each day of the calendar that they live by")
    func moving() throws {
        let all = try occurrences(
            "09:00",
            .daily(every: 1),
            zone: nil,
            from: "2028-01-01",
            until: "2028-12-31"
        )
        var story = Story(.after(86_400), caps: [FrequencyCap(messages: 1, days: 1)], zone: nil)
        for (index, occurrence) in all.enumerated() {
            let name = Self.zones[index / 10 % Self.zones.count]
            story.user.timeZone = name
            let before = story.user.contacts
            story.launch(occurrence, isLocal: true)
            guard story.user.contacts.count > before.count,
                let last = story.user.contacts.last?.time
            else { continue }
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = try #require(TimeZone(identifier: name))
            #expect(!before.contains { calendar.isDate($0.time, inSameDayAs: last) })
        }
        // Only the day of a move eastward over the date line can bring two of them together.
        #expect(story.refused.count <= all.count / 10)
        #expect(story.days.count + story.refused.count == all.count)
    }
}
