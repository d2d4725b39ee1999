import Foundation
import Segments
import Testing

/// "Today", birthdays, ages and spans of days, on the calendar of a user.
@Suite("A filter asks the user's calendar")
struct UserCalendarTests {
    private static let zones = [
        "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Kiritimati", "America/Sao_Paulo",
        "Europe/Berlin", "America/New_York", "America/Havana",
    ]

    private func zone(_ name: String) throws -> TimeZone {
        try #require(TimeZone(identifier: name))
    }

    private func seconds(_ text: String) throws -> Int64 {
        try #require(TimeText.lenientSeconds(text))
    }

    private func holds(
        _ text: String,
        _ time: EvaluationTime,
        zone: String?,
        events: [AudienceEvent] = [],
        _ change: (inout AudienceProfile) throws -> Void = { _ in }
    ) throws -> Bool {
        var profile = AudienceProfile(rowID: 1)
        profile.timeZone = zone
        try change(&profile)
        var evaluator = SegmentEvaluator(at: time)
        return try evaluator.contains(
            profile,
            events: events,
            in: try SegmentParser.parse(text).rule
        )
    }

    @Test("midnights, days and times of day agree with the system's calendar", arguments: zones)
    func agreesWithFoundation(name: String) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try zone(name)
        // Every seven hours over two years with a leap day.
        var now = try seconds("2027-01-01T00:10:00Z")
        let end = try seconds("2029-01-01T00:00:00Z")
        while now < end {
            let user = UserCalendar(zone: calendar.timeZone, now: now)
            let date = Date(timeIntervalSince1970: Double(now))
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            #expect(Int(user.today.year) == parts.year)
            #expect(user.today.month == parts.month && user.today.day == parts.day)
            let start = calendar.startOfDay(for: date)
            #expect(user.start(ofDayAfterToday: 0) == Int64(start.timeIntervalSince1970))
            let noon = calendar.date(bySettingHour: 12, minute: 0, second: 0, of: date) ?? date
            let other = calendar.startOfDay(
                for: calendar.date(byAdding: .day, value: -30, to: noon) ?? noon
            )
            #expect(user.start(ofDayAfterToday: -30) == Int64(other.timeIntervalSince1970))
            now += 7 * 3_600
        }
    }

    @Test("a birthday is on its day on the user's clock, from its first minute to its last")
    func birthday() throws {
        func greets(_ now: String, _ zone: String?) throws -> Bool {
            try holds(
                "dob on today",
                EvaluationTime(
                    now: try seconds(now),
                    workspaceZone: try self.zone("Asia/Tokyo")
                ),
                zone: zone
            ) { $0.dateOfBirth = try seconds("1990-07-04") }
        }
        // Of users without a zone the workspace's clock is asked.
        #expect(try !greets("2026-07-03T14:59:59Z", nil))
        #expect(try greets("2026-07-03T15:00:00Z", nil))
        #expect(try greets("2026-07-04T14:59:59Z", nil))
        #expect(try !greets("2026-07-04T15:00:00Z", nil))
        #expect(try greets("2026-07-03T10:00:00Z", "Pacific/Kiritimati"))
        #expect(try !greets("2026-07-04T10:00:00Z", "Pacific/Kiritimati"))
        #expect(try greets("2026-07-05T02:59:59Z", "America/Sao_Paulo"))
        #expect(try !greets("2026-07-04T02:59:59Z", "America/Sao_Paulo"))
    }

    @Test("at a time on each clock it is that day for everybody")
    func onEachClock() throws {
        for name in Self.zones {
            for day in 20_400..<20_800 {
                let time = EvaluationTime(day: day, minute: 8 * 60, workspaceZone: .gmt)
                #expect(
                    try holds("dob on today", time, zone: name) {
                        $0.dateOfBirth = Int64(day) * 86_400
                    }
                )
                #expect(
                    try !holds("dob on today", time, zone: name) {
                        $0.dateOfBirth = Int64(day - 1) * 86_400
                    }
                )
            }
        }
    }

    @Test(
        "a moment depends on the user's calendar where it is another one in another zone",
        arguments: [
            TimePoint.at(1_790_000_000), .now(offset: 0), .now(offset: 3_600),
            .now(offset: -86_399), .now(offset: 86_401), .now(offset: 86_400),
            .now(offset: -172_800), .today(offsetInDays: 0), .day(20_000),
        ]
    )
    func dependence(point: TimePoint) throws {
        // A few hours from clocks that are put forward in New York, before and after.
        let moments = try ["2026-03-08T03:00:00Z", "2026-03-09T03:00:00Z"].map(seconds)
        let depends = try moments.contains { now in
            let found = try ["UTC", "America/New_York", "Pacific/Kiritimati"].map { name in
                point.seconds(on: UserCalendar(zone: try zone(name), now: now))
            }
            return Set(found).count > 1
        }
        #expect(point.dependsOnCalendar == depends)
    }

    @Test("nothing is before the first moment, and nothing after the last one")
    func ends() throws {
        let calendar = UserCalendar(zone: try zone("UTC"), now: 0)
        func moments(_ time: Int64, _ comparison: Comparison) -> ClosedRange<Int64>? {
            TimePoint.at(time).passing(comparison, on: calendar).moments
        }
        #expect(moments(.min, .less) == nil)
        #expect(moments(.min + 1, .less) == .min ... .min)
        #expect(moments(.max, .greater) == nil)
        #expect(moments(.max - 1, .greater) == .max ... .max)
    }

    @Test("a time is on the day that the system's calendar says, at any hour", arguments: zones)
    func dayOfATime(name: String) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try zone(name)
        // Around a leap day, the changes of clocks, and the turn of a year.
        for start in ["2028-02-28", "2027-03-13", "2027-03-27", "2027-10-30", "2027-12-31"] {
            for hour in 0..<96 {
                let moment = try seconds("\(start)T00:30:00Z") + Int64(hour) * 3_600
                let date = Date(timeIntervalSince1970: Double(moment))
                let parts = calendar.dateComponents([.month, .day], from: date)
                let (month, day) = (try #require(parts.month), try #require(parts.day))
                let time = EvaluationTime(now: moment)
                func isOn(_ text: String) throws -> Bool {
                    try holds("joined \(text)", time, zone: name) {
                        $0.custom = ["joined": .time(moment)]
                    }
                }
                let text = String(format: "on %02d-%02d", month, day)
                #expect(try isOn(text), "\(date)")
                #expect(try isOn("on today"), "\(date)")
                for other in [-1, 1] {
                    let wrong = calendar.dateComponents(
                        [.month, .day],
                        from: try #require(calendar.date(byAdding: .day, value: other, to: date))
                    )
                    let text = String(format: "on %02d-%02d", wrong.month ?? 0, wrong.day ?? 0)
                    #expect(try !isOn(text), "\(date)")
                }
            }
        }
    }

    @Test("29 February is celebrated on the 28th in other years, or as the filter says")
    func leapDay() throws {
        func greets(_ text: String, _ now: String) throws -> Bool {
            try holds(text, EvaluationTime(now: try seconds(now)), zone: nil) {
                $0.dateOfBirth = try seconds("2004-02-29")
            }
        }
        for year in 2025...2035 {
            let isLeap = year % 4 == 0
            #expect(try greets("dob on today", "\(year)-02-28T12:00:00Z") == !isLeap)
            #expect(
                try greets("dob on today leap day 03-01", "\(year)-03-01T12:00:00Z") == !isLeap
            )
            #expect(try !greets("dob on today leap day never", "\(year)-02-28T12:00:00Z"))
            #expect(try !greets("dob on today", "\(year)-03-01T12:00:00Z"))
            guard isLeap else { continue }
            for text in ["", " leap day 02-28", " leap day 03-01", " leap day never"] {
                #expect(try greets("dob on today\(text)", "\(year)-02-29T12:00:00Z"))
            }
        }
    }

    @Test(
        "29 February is celebrated on one day of a year at most",
        arguments: [
            ("", ["2027-02-28", "2028-02-29"]),
            (" leap day 03-01", ["2027-03-01", "2028-02-29"]),
            (" leap day never", ["2028-02-29"]),
        ]
    )
    func oneLeapDay(setting: String, celebrated: [String]) throws {
        let first = try seconds("2027-01-01T12:00:00Z")
        let days = try celebrated.map { try seconds("\($0)T12:00:00Z") }
        let greeted = try (0..<731).map { first + Int64($0) * 86_400 }.filter { now in
            try holds("dob on today\(setting)", EvaluationTime(now: now), zone: nil) {
                $0.dateOfBirth = try seconds("2004-02-29")
            }
        }
        #expect(greeted == days)
    }

    @Test(
        "the setting for 29 February is kept in both forms of a rule",
        arguments: LeapDay.allCases
    )
    func leapDayForms(leapDay: LeapDay) throws {
        let rule = SegmentRule.condition(
            .attribute(.standard(.dateOfBirth), .onThisDay(leapDay))
        )
        #expect(try SegmentParser.parse(SegmentWriter.text(rule)).rule == rule)
        #expect(
            try SegmentJSONReader.rule(SegmentJSONWriter.node(rule), at: "", depth: 0) == rule
        )
    }

    @Test("an age changes at the user's midnight; born on 29 February, on 1 March in other years")
    func age() throws {
        func isOfAge(_ born: String, _ now: String, _ zone: String?) throws -> Bool {
            try holds("age >= 18", EvaluationTime(now: try seconds(now)), zone: zone) {
                $0.dateOfBirth = try seconds(born)
            }
        }
        #expect(try !isOfAge("2008-07-04", "2026-07-03T14:59:59Z", "Asia/Tokyo"))
        #expect(try isOfAge("2008-07-04", "2026-07-03T15:00:00Z", "Asia/Tokyo"))
        #expect(try !isOfAge("2008-07-04", "2026-07-04T03:59:59Z", "America/New_York"))
        #expect(try isOfAge("2008-07-04", "2026-07-04T04:00:00Z", "America/New_York"))
        #expect(try !isOfAge("2008-02-29", "2026-02-28T23:59:59Z", nil))
        #expect(try isOfAge("2008-02-29", "2026-03-01T00:00:00Z", nil))
    }

    @Test("the last days go back to the same time of day, calendar days to a midnight")
    func spans() throws {
        func counts(_ window: String, _ now: String, _ event: String) throws -> Bool {
            try holds(
                "event tea done in last \(window)",
                EvaluationTime(now: try seconds(now)),
                zone: "Europe/Berlin",
                events: [
                    AudienceEvent(profile: 1, activity: .event("tea"), time: try seconds(event))
                ]
            )
        }
        // Sunday nine o'clock after the change in spring: 167 hours after the one before.
        #expect(try counts("7 days", "2026-03-29T07:00:00Z", "2026-03-22T08:00:00Z"))
        #expect(try !counts("7 days", "2026-03-29T07:00:00Z", "2026-03-22T07:59:59Z"))
        #expect(try counts("7 days", "2026-10-25T08:00:00Z", "2026-10-18T07:00:00Z"))
        #expect(try !counts("7 days", "2026-10-25T08:00:00Z", "2026-10-18T06:59:59Z"))
        #expect(try counts("36 hours", "2026-03-29T07:00:00Z", "2026-03-27T19:00:00Z"))
        #expect(try !counts("36 hours", "2026-03-29T07:00:00Z", "2026-03-27T18:59:59Z"))
        #expect(try counts("1 calendar days", "2026-03-29T07:00:00Z", "2026-03-27T23:00:00Z"))
        #expect(try !counts("1 calendar days", "2026-03-29T07:00:00Z", "2026-03-27T22:59:59Z"))
    }

    @Test("a date without a clock is its own day everywhere, a moment lies on the user's day")
    func datesAndMoments() throws {
        func holds(_ text: String, _ value: String, _ zone: String) throws -> Bool {
            try self.holds(
                text,
                EvaluationTime(now: try seconds("2026-07-04T12:00:00Z")),
                zone: zone
            ) { $0.custom["wedding"] = .time(try seconds(value)) }
        }
        for name in ["America/New_York", "Asia/Kathmandu"] {
            #expect(try holds("wedding = today", "2026-07-04", name))
            #expect(try holds("wedding >= today", "2026-07-04", name))
            #expect(try !holds("wedding >= today", "2026-07-03", name))
            #expect(try holds("wedding on today", "2019-07-04", name))
        }
        #expect(try holds("wedding >= today", "2026-07-04T04:00:00.5Z", "America/New_York"))
        #expect(try !holds("wedding >= today", "2026-07-04T03:59:59Z", "America/New_York"))
        #expect(try holds("wedding on today", "2019-07-03T18:15:00Z", "Asia/Kathmandu"))
        #expect(try !holds("wedding on today", "2019-07-03T18:14:59Z", "Asia/Kathmandu"))
    }

    @Test(
        "a date in a filter is the whole of that day on the user's calendar",
        arguments: ["Pacific/Kiritimati", "America/Sao_Paulo", "Asia/Kathmandu", nil]
    )
    func bareDates(name: String?) throws {
        let workspace = try zone("Asia/Kathmandu")
        let zone = try name.map(zone) ?? workspace
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        // In Kathmandu's and Sao Paulo's days of the year lies no clock change any more; Sao Paulo's
        // of 2018 begins at one in the morning, because midnight is skipped.
        for (year, month, day) in [(2024, 5, 1), (2024, 2, 29), (2018, 11, 4), (2023, 12, 31)] {
            let noon = try #require(
                calendar.date(
                    from: DateComponents(year: year, month: month, day: day, hour: 12)
                )
            )
            let start = Int64(calendar.startOfDay(for: noon).timeIntervalSince1970)
            let next = try #require(calendar.date(byAdding: .day, value: 1, to: noon))
            let end = Int64(calendar.startOfDay(for: next).timeIntervalSince1970)
            let text = TimeText.text(
                CivilDay(year: Int64(year), month: month, day: day)!.daysSinceEpoch * 86_400
            )
            let date = try seconds(text)
            // Each time with what passes: before, within or after the day.
            var times: [(seconds: Int64, place: Int)] = [
                (start - 1, -1), (start, 0), (end - 1, 0), (end, 1),
            ].filter { $0.0 % 86_400 != 0 }
            times += [(date - 86_400, -1), (date, 0), (date + 86_400, 1)]
            let time = EvaluationTime(
                now: try seconds("2026-07-04T12:00:00Z"),
                workspaceZone: workspace
            )
            for (value, place) in times {
                for (comparison, passes) in [
                    ("<", place < 0), ("<=", place <= 0), ("=", place == 0), (">=", place >= 0),
                    (">", place > 0),
                ] {
                    let found = try holds("joined \(comparison) \(text)", time, zone: name) {
                        $0.custom["joined"] = .time(value)
                    }
                    #expect(found == passes, "\(name ?? "-") \(value) \(comparison) \(text)")
                }
            }
            var event = AudienceEvent(profile: 1, activity: .event("tea"), time: start)
            for (value, place) in [(start - 1, -1), (start, 0), (end - 1, 0), (end, 1)] {
                event.time = value
                func asks(_ rest: String) throws -> Bool {
                    try holds("event tea \(rest)", time, zone: name, events: [event])
                }
                #expect(try asks("last > \(text)") == (place > 0))
                #expect(try asks("first <= \(text)") == (place <= 0))
                #expect(try asks("last = \(text)") == (place == 0))
                #expect(try asks("count >= 1 from \(text)") == (place >= 0))
            }
        }
    }

    @Test("a filter with a time means that moment, wherever the user is")
    func moments() throws {
        let time = EvaluationTime(now: try seconds("2026-07-04T12:00:00Z"))
        for name in ["Pacific/Kiritimati", "America/Sao_Paulo", "Asia/Kathmandu"] {
            let text = "last_session_at >= 2024-05-01T00:00:00Z"
            #expect(try SegmentWriter.text(SegmentParser.parse(text).rule) == text)
            for (value, passes) in [
                ("2024-04-30T23:59:59Z", false), ("2024-05-01T00:00:01Z", true),
            ] {
                let found = try holds(text, time, zone: name) {
                    $0.lastSessionAt = try seconds(value)
                }
                #expect(found == passes, "\(name)")
            }
        }
    }
}
