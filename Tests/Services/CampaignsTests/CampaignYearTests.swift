import Campaigns
import Foundation
import Model
import Ports
import Scheduling
import Testing

/// A year over the real store: scheduler, planner and ledger, with a clock that is set by hand and
/// a scheduler that remembers nothing but rows.
@Suite("A year of campaigns, through the ledger")
struct CampaignYearTests {
    private static let start = "2025-12-31T00:00:00Z"
    private static let end = "2027-01-02T00:00:00Z"

    private func recurring(
        _ name: String,
        _ time: String,
        _ clock: ScheduleTimeZone,
        _ pattern: Recurrence.Pattern
    ) throws -> CampaignContent {
        let schedule = CampaignSchedule(
            start: try #require(CalendarDay("2026-01-01")),
            time: try #require(TimeOfDay(time)),
            clock: clock,
            recurrence: Recurrence(
                pattern,
                end: .onDay(try #require(CalendarDay("2026-12-31")))
            )
        )
        return CampaignFixture.content(.scheduled(schedule), variants: [name]) {
            $0.reeligibility = .after(0)
        }
    }

    @Test("every day at half past two on each user's clock, in zones that skip and repeat it")
    func localTime() async throws {
        try await CampaignFixture.run(at: Self.start) { world in
            let zones = [
                "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago",
                "Asia/Tokyo", "Pacific/Kiritimati", "Pacific/Pago_Pago",
            ]
            for zone in zones { try await world.user(zone, zone: zone) }
            let campaign = try await world.activate(
                try recurring("Daily", "02:30", .eachUser, .daily(every: 1))
            )
            let sent = try await world.live(until: Self.end)
            #expect(sent.count == 365 * zones.count)
            for name in zones {
                let zone = try #require(TimeZone(identifier: name))
                let own = sent.filter { $0.user == name }
                let readings = own.map { WallClock.reading(of: $0.time, in: zone) }
                // Each day of the year once, in order, at half past two …
                let first = try #require(CalendarDay("2026-01-01"))
                #expect(readings.map(\.day) == (0..<365).map { first.adding(days: $0) })
                // … and on the day that has no half past two at the moment it would have been.
                let others = readings.filter { $0.time != TimeOfDay("02:30") }
                switch name {
                case "Europe/Berlin":
                    #expect(others.map { "\($0.day) \($0.time)" } == ["2026-03-29 03:30"])
                case "America/New_York":
                    #expect(others.map { "\($0.day) \($0.time)" } == ["2026-03-08 03:30"])
                default:
                    #expect(others.isEmpty)
                }
                let pauses = zip(own, own.dropFirst()).map {
                    Int($1.time.timeIntervalSince($0.time) / 60)
                }
                let day = 24 * 60
                let unusual = pauses.filter { $0 != day }.sorted()
                // By how much clocks go forward and back, in minutes.
                let change: Int? =
                    switch name {
                    // Santiago's clocks change at midnight, the others' around half past two.
                    case "Europe/Berlin", "America/New_York", "America/Santiago": 60
                    case "Australia/Lord_Howe": 30
                    default: nil
                    }
                #expect(unusual.first == change.map { day - $0 })
                #expect(unusual.last == change.map { day + $0 })
            }
            try await checkLedger(campaign, world, launches: 365, accepted: sent.count)
        }
    }

    @Test("weekly and monthly beside each other: each day that fits, no other, nobody twice")
    func weeklyAndMonthly() async throws {
        try await CampaignFixture.run(at: Self.start) { world in
            for user in ["ada", "ben", "cas"] { try await world.user(user) }
            let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
            let weekly = try await world.activate(
                try recurring(
                    "Weekly",
                    "09:00",
                    .zone("Europe/Berlin"),
                    .weekly(every: 1, weekdays: [1, 5])
                )
            )
            let monthly = try await world.activate(
                try recurring(
                    "Monthly",
                    "23:30",
                    .zone("America/New_York"),
                    .monthly(every: 1, days: [-1, 30])
                )
            )
            let sent = try await world.live(until: Self.end)
            let weeks = sent.filter { $0.text == "Weekly!" }
            #expect(weeks.count == 104 * 3)
            for push in weeks {
                let reading = WallClock.reading(of: push.time, in: berlin)
                #expect([1, 5].contains(reading.day.weekday))
                #expect(reading.time == TimeOfDay("09:00"))
            }
            let newYork = try #require(TimeZone(identifier: "America/New_York"))
            let days = Set(
                sent.filter { $0.text == "Monthly!" }
                    .map { WallClock.reading(of: $0.time, in: newYork).day }
            )
            // The thirtieth where there is one, and the last day where that is another one.
            #expect(days.count == 19)
            #expect(days.contains(try #require(CalendarDay("2026-02-28"))))
            #expect(days.contains(try #require(CalendarDay("2026-12-31"))))
            try await checkLedger(weekly, world, launches: 104, accepted: 104 * 3)
            try await checkLedger(monthly, world, launches: 19, accepted: 19 * 3)
        }
    }

    @Test("caps, quiet hours and re-eligibility hold on every day of the year for every user")
    func rules() async throws {
        try await CampaignFixture.run(at: Self.start) { world in
            let zones = ["Asia/Tokyo", "Europe/Berlin", "America/New_York"]
            for zone in zones { try await world.user(zone, zone: zone) }
            let quiet = QuietHours(
                start: try #require(TimeOfDay("21:00")),
                end: try #require(TimeOfDay("08:00"))
            )
            let caps = [FrequencyCap(messages: 2, days: 7), FrequencyCap(messages: 6, days: 30)]
            try await world.store.saveLimits(
                MessagingLimits(caps: caps, quietHours: quiet),
                of: world.workspace
            )
            var daily = try recurring(
                "Daily",
                "21:30",
                .zone("Asia/Tokyo"),
                .daily(every: 1)
            )
            daily.reeligibility = .after(3 * 86_400)
            let campaign = try await world.activate(daily)
            _ = try await world.activate(
                try recurring(
                    "Weekly",
                    "12:00",
                    .zone("UTC"),
                    .weekly(every: 1, weekdays: [3])
                )
            )
            let sent = try await world.live(until: Self.end)
            for name in zones {
                let zone = try #require(TimeZone(identifier: name))
                let own = sent.filter { $0.user == name }
                // As many as the cap of thirty days lets through, and a few at the end.
                #expect((68...76).contains(own.count), "\(name): \(own.count)")
                for push in own {
                    #expect(!quiet.contains(WallClock.reading(of: push.time, in: zone).time))
                    for cap in caps {
                        let last = WallClock.day(of: push.time, in: zone).number
                        let inside = own.count {
                            (last - cap.days + 1...last)
                                .contains(WallClock.day(of: $0.time, in: zone).number)
                        }
                        #expect(inside <= cap.messages, "\(name) at \(push.time)")
                    }
                }
                let again = own.filter { $0.text == "Daily!" }
                    .map { WallClock.day(of: $0.time, in: zone).number }
                #expect(zip(again, again.dropFirst()).allSatisfy { $1 - $0 >= 3 })
            }
            let sends = try await world.store.sends(of: campaign.id, limit: 500, offset: 0)
            #expect(sends.count == 365)
            // Every user is accounted for in every launch: reached, or left out for a reason.
            for send in sends {
                let rows = try await world.store.counts(of: [send.id])[send.id]?.total ?? 0
                let left = try await world.store.exclusions(of: send.id)
                #expect(rows + left.values.reduce(0, +) == zones.count)
                #expect(Set(left.keys).isSubset(of: ["FrequencyCap", "NotEligible"]))
            }
        }
    }

    /// The ledger says the same as what the provider has seen, and every send is over.
    private func checkLedger(
        _ campaign: Campaign,
        _ world: CampaignFixture,
        launches: Int,
        accepted: Int
    ) async throws {
        #expect(try await world.read(campaign).state == .stopped)
        let sends = try await world.store.sends(of: campaign.id, limit: 1_000, offset: 0)
        #expect(sends.count == launches)
        #expect(sends.allSatisfy { $0.state == .finished })
        let counts = try await world.store.counts(of: sends.map(\.id))
        #expect(counts.values.map { $0[.accepted] }.reduce(0, +) == accepted)
        #expect(counts.values.map(\.total).reduce(0, +) == accepted)
        for send in sends {
            #expect(try await world.store.countMismatches(of: send.id).isEmpty)
        }
    }
}
