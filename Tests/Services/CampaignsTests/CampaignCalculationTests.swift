import Foundation
import Model
import Ports
import Testing

/// Years of random campaigns over the real store, against a second calculation that knows nothing of
/// ours: who should get a message gets it, once, and nobody else does.
@Suite("A year of campaigns is what a second calculation says")
struct CampaignCalculationTests {
    private static let zones = [
        "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Kiritimati", "America/Sao_Paulo",
        "Europe/Berlin", "America/New_York", "Africa/Casablanca",
    ]

    /// `./noroshi torture year` asks for many.
    private static let seeds = Array(
        1...(ProcessInfo.processInfo.environment["NOROSHI_CAMPAIGN_YEARS"].flatMap(UInt64.init)
            ?? 1)
    )

    /// A campaign in words that both calculations are made of.
    private struct Plan {
        enum Days: String, CaseIterable {
            case daily, weekly, monthly
        }

        var name: String
        var days: Days
        var every: Int
        var picked: Set<Int>
        var hour: Int
        var minute: Int
        /// `nil` for each user's own.
        var zone: String?
        var again: Int
    }

    private struct Message: Hashable {
        var campaign: String
        var user: String
        var time: Date
    }

    @Test("with caps and re-eligibility, in seven zones", arguments: seeds)
    func year(seed: UInt64) async throws {
        var chance = Chance(state: seed)
        let year = 2026 + Int(seed % 3)
        let plans = Plan.Days.allCases.enumerated().map { number, days in
            Plan(
                name: days.rawValue,
                days: days,
                every: Int.random(in: 1...3, using: &chance),
                picked: Set((0..<2).map { _ in Int.random(in: 1...7, using: &chance) }),
                hour: Int.random(in: 4...23, using: &chance),
                // No two campaigns begin at the same moment, whatever their zones.
                minute: 15 * Int.random(in: 0...3, using: &chance) + number,
                zone: Bool.random(using: &chance) ? Self.zones.randomElement(using: &chance) : nil,
                again: Int.random(in: 0...9, using: &chance)
            )
        }
        let caps = [
            FrequencyCap(messages: Int.random(in: 1...2, using: &chance), days: 1),
            FrequencyCap(
                messages: Int.random(in: 2...6, using: &chance),
                days: Int.random(in: 2...30, using: &chance)
            ),
        ]
        let expected = Calculation(year: year, caps: caps).messages(plans, to: Self.zones)
        try await CampaignFixture.run(at: "\(year - 1)-12-29T00:00:00Z") { world in
            for zone in Self.zones { try await world.user(zone, zone: zone) }
            try await world.store.saveLimits(
                MessagingLimits(caps: caps),
                of: world.workspace
            )
            for plan in plans { _ = try await world.activate(try content(plan, year: year)) }
            let sent = try await world.live(until: "\(year + 1)-01-03T00:00:00Z")
            let found = sent.map {
                Message(campaign: String($0.text.dropLast()), user: $0.user, time: $0.time)
            }
            #expect(Set(found).count == found.count)
            #expect(Set(found) == expected)
            #expect(expected.count > 100)
        }
    }

    private func content(_ plan: Plan, year: Int) throws -> CampaignContent {
        let pattern: Recurrence.Pattern =
            switch plan.days {
            case .daily: .daily(every: plan.every)
            case .weekly: .weekly(every: plan.every, weekdays: plan.picked)
            case .monthly: .monthly(every: plan.every, days: plan.picked.union([-1, 29]))
            }
        let schedule = CampaignSchedule(
            start: try #require(CalendarDay("\(year)-01-01")),
            time: try #require(TimeOfDay(plan.hour, plan.minute)),
            clock: plan.zone.map(ScheduleTimeZone.zone) ?? .eachUser,
            recurrence: Recurrence(
                pattern,
                end: .onDay(try #require(CalendarDay("\(year)-12-31")))
            )
        )
        return CampaignFixture.content(.scheduled(schedule), variants: [plan.name]) {
            $0.reeligibility = .after(Double(plan.again) * 86_400)
        }
    }

    /// The second calculation: days by Foundation's calendar, caps by trying every stretch of days.
    private struct Calculation {
        let year: Int
        let caps: [FrequencyCap]

        private static func calendar(_ zone: String) -> Calendar {
            var calendar = Calendar(identifier: .iso8601)
            calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
            return calendar
        }

        /// The number of the day that calendars show.
        private static func day(of time: Date, in zone: String) -> Int {
            let own = calendar(zone)
            let shown = own.dateComponents([.year, .month, .day], from: time)
            let midnight = calendar("UTC").date(from: shown) ?? .distantPast
            return Int(midnight.timeIntervalSince1970 / 86_400)
        }

        func messages(_ plans: [Plan], to users: [String]) -> Set<Message> {
            var launches: [(start: Date, plan: Plan, day: DateComponents)] = []
            for plan in plans {
                for day in days(of: plan) {
                    // A message in local time is planned when the first users on earth reach it.
                    let zone = plan.zone ?? "Pacific/Kiritimati"
                    launches.append((moment(day, plan, in: zone), plan, day))
                }
            }
            launches.sort { $0.start < $1.start }
            var messages: [Message] = []
            for launch in launches {
                for user in users {
                    let time =
                        launch.plan.zone == nil
                        ? moment(launch.day, launch.plan, in: user) : launch.start
                    let message = Message(campaign: launch.plan.name, user: user, time: time)
                    let own = messages.filter { $0.user == user }
                    if isDue(message, launch.plan, beside: own) { messages.append(message) }
                }
            }
            return Set(messages)
        }

        private func moment(_ day: DateComponents, _ plan: Plan, in zone: String) -> Date {
            var wanted = day
            wanted.hour = plan.hour
            wanted.minute = plan.minute
            return Self.calendar(zone).date(from: wanted) ?? .distantPast
        }

        private func days(of plan: Plan) -> [DateComponents] {
            let calendar = Self.calendar("UTC")
            let first = DateComponents(year: year, month: 1, day: 1)
            guard let start = calendar.date(from: first),
                let monday = calendar.dateInterval(of: .weekOfYear, for: start)?.start
            else { return [] }
            return (0..<366).compactMap { number -> DateComponents? in
                let date = start.addingTimeInterval(Double(number) * 86_400)
                let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
                guard parts.year == year, let month = parts.month, let day = parts.day,
                    let weekday = parts.weekday
                else { return nil }
                let fits =
                    switch plan.days {
                    case .daily: number % plan.every == 0
                    case .weekly:
                        Int(date.timeIntervalSince(monday) / 604_800) % plan.every == 0
                            && plan.picked.contains(weekday == 1 ? 7 : weekday - 1)
                    case .monthly:
                        (month - 1) % plan.every == 0
                            && (plan.picked.contains(day) || day == 29
                                || calendar.component(.day, from: date.addingTimeInterval(86_400))
                                    == 1)
                    }
                return fits ? DateComponents(year: year, month: month, day: day) : nil
            }
        }

        private func isDue(_ message: Message, _ plan: Plan, beside others: [Message]) -> Bool {
            let day = Self.day(of: message.time, in: message.user)
            let days = others.map { Self.day(of: $0.time, in: message.user) }
            let own = zip(others, days).filter { $0.0.campaign == plan.name }.map(\.1)
            if let last = own.max(), day < last + plan.again { return false }
            return caps.allSatisfy { cap in
                (day - cap.days + 1...day).allSatisfy { first in
                    days.count { (first..<first + cap.days).contains($0) } < cap.messages
                }
            }
        }
    }

    /// Random numbers that are the same in every run.
    private struct Chance: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var bits = state
            bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
            bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
            return bits ^ bits >> 31
        }
    }
}
