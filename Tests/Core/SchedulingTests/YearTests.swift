import Foundation
import Model
import Scheduling
import Testing

/// A year of a campaign, driven hour by hour: what is launched, and when each user's message is
/// due on the user's own clock.
@Suite("A year of recurring and local-time deliveries")
struct YearTests {
    private func schedule(
        _ time: String,
        _ clock: ScheduleTimeZone,
        _ pattern: Recurrence.Pattern,
        from start: String = "2026-01-01",
        until end: String = "2026-12-31"
    ) throws -> CampaignSchedule {
        CampaignSchedule(
            start: try #require(CalendarDay(start)),
            time: try #require(TimeOfDay(time)),
            clock: clock,
            recurrence: Recurrence(pattern, end: .onDay(try #require(CalendarDay(end))))
        )
    }

    /// What is launched when the clock is looked at every hour of the year.
    private func launches(
        _ schedule: CampaignSchedule,
        zone: String?,
        every step: TimeInterval = 3600,
        asleep: Range<Date>? = nil
    ) throws -> (launched: [Timetable.Occurrence], skipped: [MisfirePolicy.Skip]) {
        let timetable = Timetable(
            schedule,
            zone: try zone.map { try #require(TimeZone(identifier: $0)) }
        )
        var now = try #require(Timestamp.parse("2025-12-30T00:00:00Z"))
        let end = try #require(Timestamp.parse("2027-01-03T00:00:00Z"))
        var due = timetable.first(notOverAt: now)
        var launched: [Timetable.Occurrence] = []
        var skipped: [MisfirePolicy.Skip] = []
        while now < end {
            if let occurrence = due, occurrence.launchAt <= now, asleep?.contains(now) != true {
                let plan = MisfirePolicy().plan(from: occurrence, in: timetable, now: now)
                if let found = plan.launch { launched.append(found) }
                skipped += plan.skipped
                due = plan.next
            }
            now += step
        }
        return (launched, skipped)
    }

    @Test("every day at nine in Berlin: 365 launches, at nine on each day's clock")
    func daily() throws {
        let (launched, skipped) = try launches(
            try schedule("09:00", .zone("Europe/Berlin"), .daily(every: 1)),
            zone: "Europe/Berlin"
        )
        #expect(launched.count == 365)
        #expect(skipped.isEmpty)
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        for occurrence in launched {
            let reading = WallClock.reading(of: occurrence.launchAt, in: zone)
            #expect(reading.day == occurrence.day)
            #expect(reading.time == TimeOfDay("09:00"))
        }
        // 23 hours before the day of the change in spring, 25 before that in autumn.
        let pauses = zip(launched, launched.dropFirst()).map {
            $1.launchAt.timeIntervalSince($0.launchAt) / 3600
        }
        #expect(pauses.filter { $0 == 23 }.count == 1)
        #expect(pauses.filter { $0 == 25 }.count == 1)
        #expect(pauses.filter { $0 == 24 }.count == 362)
    }

    @Test("every day at half past two in Berlin: once on the day without it and once on the other")
    func dailyInTheGap() throws {
        let (launched, _) = try launches(
            try schedule("02:30", .zone("Europe/Berlin"), .daily(every: 1)),
            zone: "Europe/Berlin",
            every: 1800
        )
        #expect(launched.count == 365)
        #expect(Set(launched.map(\.key)).count == 365)
        let times = Dictionary(
            uniqueKeysWithValues: launched.map { ("\($0.day)", Timestamp.format($0.launchAt)) }
        )
        #expect(times["2026-03-29"] == "2026-03-29T01:30:00.000Z")
        #expect(times["2026-10-25"] == "2026-10-25T00:30:00.000Z")
    }

    @Test("on Mondays and Fridays: 104 launches, and on the last day of the month twelve")
    func weeklyAndMonthly() throws {
        let weekly = try launches(
            try schedule(
                "09:00",
                .zone("Asia/Tokyo"),
                .weekly(every: 1, weekdays: [1, 5])
            ),
            zone: "Asia/Tokyo"
        )
        #expect(weekly.launched.count == 104)
        let monthly = try launches(
            try schedule("09:00", .zone("Asia/Tokyo"), .monthly(every: 1, days: [-1])),
            zone: "Asia/Tokyo"
        )
        #expect(monthly.launched.count == 12)
    }

    @Test("after a stop of three days the last missed occurrence runs, the others are passed over")
    func asleep() throws {
        let start = try #require(Timestamp.parse("2026-05-10T00:00:00Z"))
        let (launched, skipped) = try launches(
            try schedule("09:00", .zone("Asia/Tokyo"), .daily(every: 1)),
            zone: "Asia/Tokyo",
            asleep: start..<start.addingTimeInterval(3 * 86_400)
        )
        #expect(launched.count == 365 - skipped.count)
        // Due on the 10th at midnight UTC, when the stop begins, and on the two days after; that
        // of the 13th is due when it ends.
        #expect(
            skipped.map { "\($0.occurrence.day)" } == ["2026-05-10", "2026-05-11", "2026-05-12"]
        )
        #expect(skipped.allSatisfy { $0.reason == .superseded })
        #expect(launched.contains { "\($0.day)" == "2026-05-13" })
    }

    @Test("a monthly occurrence that was missed by more than a day is passed over")
    func tooLate() throws {
        let start = try #require(Timestamp.parse("2026-05-01T00:00:00Z"))
        let (launched, skipped) = try launches(
            try schedule("09:00", .zone("UTC"), .monthly(every: 1, days: [1])),
            zone: "UTC",
            asleep: start..<start.addingTimeInterval(3 * 86_400)
        )
        #expect(launched.count == 11)
        #expect(skipped.map(\.reason) == [.tooLate])
    }

    // MARK: Users' own clocks

    private func recipient(_ number: Int64, _ zone: String?) -> CampaignRecipient {
        CampaignRecipient(
            profile: ProfileID(number),
            timeZone: zone,
            devices: [DeviceID(number)]
        )
    }

    private func launch(
        _ occurrence: Timetable.Occurrence,
        _ content: CampaignContent,
        activatedAt: Date
    ) -> LaunchContext {
        LaunchContext(
            campaign: CampaignID(1),
            apiID: UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16)),
            occurrence: occurrence.key,
            content: content,
            localDay: occurrence.day,
            localTime: occurrence.time,
            activatedAt: activatedAt
        )
    }

    private func content(_ reeligibility: Reeligibility) -> CampaignContent {
        var content = CampaignContent(
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
        return content
    }

    @Test("at nine on each user's clock, every day, for users around the earth and of no zone")
    func localTime() throws {
        let timetable = Timetable(try schedule("09:00", .eachUser, .daily(every: 1)), zone: nil)
        let zones: [String?] = [
            "Pacific/Kiritimati", "Asia/Tokyo", "Asia/Kathmandu", "Europe/Berlin",
            "America/New_York", "Pacific/Pago_Pago", "Australia/Lord_Howe", "Nowhere/Land", nil,
        ]
        let workspaceZone = try #require(TimeZone(identifier: "Asia/Tokyo"))
        let activatedAt = try #require(Timestamp.parse("2025-12-30T00:00:00Z"))
        var occurrence = timetable.first(notOverAt: activatedAt)
        var due: [[Date]] = zones.map { _ in [] }
        while let current = occurrence {
            var rule = RecipientPolicy(
                launch: launch(current, content(.after(0)), activatedAt: activatedAt),
                scheduledAt: current.launchAt,
                limits: MessagingLimits(),
                workspaceZone: workspaceZone,
                now: current.launchAt,
                zoneNamed: { TimeZone(identifier: $0) }
            )
            for (index, zone) in zones.enumerated() {
                let decision = rule.decision(for: recipient(Int64(index + 1), zone))
                guard case .message(_, let date) = decision else {
                    Issue.record("\(zone ?? "no zone") gets nothing on \(current.day): \(decision)")
                    continue
                }
                // Never before the send begins, so that nobody is passed over while it is planned.
                #expect(date >= current.launchAt)
                #expect(date <= current.endsAt)
                let own = zone.flatMap { TimeZone(identifier: $0) } ?? workspaceZone
                let reading = WallClock.reading(of: date, in: own)
                #expect(reading.day == current.day)
                #expect(reading.time == TimeOfDay("09:00"))
                due[index].append(date)
            }
            occurrence = timetable.next(after: current)
        }
        for dates in due {
            #expect(dates.count == 365)
            #expect(Set(dates).count == 365)
            // Each message comes after the one of the day before.
            #expect(zip(dates, dates.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test("a user whose nine o'clock had passed when the campaign was activated waits for the next")
    func passed() throws {
        let timetable = Timetable(try schedule("09:00", .eachUser, .daily(every: 1)), zone: nil)
        // Noon in Tokyo, four in the morning in Berlin, and the evening before on Pago Pago.
        let activatedAt = try #require(Timestamp.parse("2026-03-02T03:00:00Z"))
        let first = try #require(timetable.first(notOverAt: activatedAt))
        #expect("\(first.day)" == "2026-03-02")
        func decision(_ zone: String) -> RecipientDecision {
            var rule = RecipientPolicy(
                launch: launch(first, content(.after(0)), activatedAt: activatedAt),
                scheduledAt: first.launchAt,
                limits: MessagingLimits(),
                workspaceZone: .gmt,
                now: activatedAt,
                zoneNamed: { TimeZone(identifier: $0) }
            )
            return rule.decision(for: recipient(1, zone))
        }
        #expect(decision("Asia/Tokyo") == .excluded(.localTimePassed))
        #expect(decision("Pacific/Kiritimati") == .excluded(.localTimePassed))
        let berlin = try #require(Timestamp.parse("2026-03-02T08:00:00Z"))
        #expect(decision("Europe/Berlin") == .message(variant: 0, dueAt: berlin))
        let pagoPago = try #require(Timestamp.parse("2026-03-02T20:00:00Z"))
        #expect(decision("Pacific/Pago_Pago") == .message(variant: 0, dueAt: pagoPago))
    }

    @Test("a user whose nine o'clock strikes as the campaign is activated gets it then")
    func strikes() throws {
        let timetable = Timetable(try schedule("09:00", .eachUser, .daily(every: 1)), zone: nil)
        let nine = try #require(Timestamp.parse("2026-03-02T00:00:00Z"))
        let first = try #require(timetable.first(notOverAt: nine))
        for (late, expected) in [
            (0, RecipientDecision.message(variant: 0, dueAt: nine)),
            (0.001, .excluded(.localTimePassed)),
        ] {
            let activatedAt = nine.addingTimeInterval(late)
            var rule = RecipientPolicy(
                launch: launch(first, content(.after(0)), activatedAt: activatedAt),
                scheduledAt: first.launchAt,
                limits: MessagingLimits(),
                workspaceZone: .gmt,
                now: activatedAt,
                zoneNamed: { TimeZone(identifier: $0) }
            )
            let decision = rule.decision(for: recipient(1, "Asia/Tokyo"))
            #expect(decision == expected, "\(late) s late")
        }
    }

    @Test("a year under caps, quiet hours and re-eligibility: the rules hold for every user")
    func rules() throws {
        let timetable = Timetable(
            try schedule("21:30", .zone("Asia/Tokyo"), .daily(every: 1)),
            zone: TimeZone(identifier: "Asia/Tokyo")
        )
        let limits = MessagingLimits(
            caps: [FrequencyCap(messages: 2, days: 7), FrequencyCap(messages: 6, days: 30)],
            quietHours: QuietHours(
                start: try #require(TimeOfDay("21:00")),
                end: try #require(TimeOfDay("08:00"))
            )
        )
        for zone in ["Asia/Tokyo", "Europe/Berlin", "America/New_York"] {
            let own = try #require(TimeZone(identifier: zone))
            var user = recipient(7, zone)
            var reasons: [ExclusionReason: Int] = [:]
            var occurrence = timetable.first(notOverAt: .distantPast)
            while let current = occurrence {
                var launch = launch(current, content(.after(86_400)), activatedAt: .distantPast)
                launch.localDay = nil
                launch.localTime = nil
                var rule = RecipientPolicy(
                    launch: launch,
                    scheduledAt: current.launchAt,
                    limits: limits,
                    workspaceZone: .gmt,
                    now: current.launchAt,
                    zoneNamed: { TimeZone(identifier: $0) }
                )
                switch rule.decision(for: user) {
                case .message(_, let dueAt):
                    let time = WallClock.reading(of: dueAt, in: own).time
                    #expect(try #require(TimeOfDay("08:00")) <= time)
                    #expect(time < (try #require(TimeOfDay("21:00"))))
                    user.contacts.append(
                        CampaignExposure(
                            campaign: CampaignID(1),
                            send: SendID(Int64(user.contacts.count + 1)),
                            time: dueAt,
                            variant: 0,
                            countsForCaps: true
                        )
                    )
                case .excluded(let reason): reasons[reason, default: 0] += 1
                case .control, .withheld: Issue.record("there is no control group")
                }
                occurrence = timetable.next(after: current)
            }
            let times = user.contacts.map(\.time)
            for end in times {
                let last = WallClock.day(of: end, in: own).number
                func count(days: Int) -> Int {
                    times.count {
                        (last - days + 1...last).contains(WallClock.day(of: $0, in: own).number)
                    }
                }
                #expect(count(days: 7) <= 2)
                #expect(count(days: 30) <= 6)
            }
            // Twelve full stretches of thirty days, six messages in each, and the rest of the year.
            #expect((72...76).contains(times.count))
            #expect(reasons[.frequencyCap] == 365 - times.count - (reasons[.notEligible] ?? 0))
        }
    }

    @Test("a campaign that drops what is quiet, and one that ignores the hours")
    func handling() throws {
        let limits = MessagingLimits(
            quietHours: QuietHours(
                start: try #require(TimeOfDay("21:00")),
                end: try #require(TimeOfDay("08:00"))
            )
        )
        let night = try #require(Timestamp.parse("2026-07-04T23:00:00Z"))
        func decision(_ handling: QuietHoursHandling) -> RecipientDecision {
            var content = content(.never)
            content.quietHours = handling
            var rule = RecipientPolicy(
                launch: LaunchContext(
                    campaign: CampaignID(1),
                    apiID: UUID(),
                    occurrence: "a",
                    content: content,
                    activatedAt: night
                ),
                scheduledAt: night,
                limits: limits,
                workspaceZone: .gmt,
                now: night,
                zoneNamed: { TimeZone(identifier: $0) }
            )
            return rule.decision(for: recipient(1, "UTC"))
        }
        #expect(decision(.skip) == .excluded(.quietHours))
        #expect(decision(.sendAnyway) == .message(variant: 0, dueAt: night))
        let morning = try #require(Timestamp.parse("2026-07-05T08:00:00Z"))
        #expect(decision(.delay) == .message(variant: 0, dueAt: morning))
    }
}
