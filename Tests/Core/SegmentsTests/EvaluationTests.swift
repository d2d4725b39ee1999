import Segments
import Testing

@Suite("Evaluating a segment for one user")
struct EvaluationTests {
    private let now: Int64 = 1_782_777_600

    private var ada: AudienceProfile {
        var profile = AudienceProfile(
            rowID: 7,
            sessionCount: 4,
            custom: [
                "plan": .string("pro"), "nps": .number(9), "tags": .array([.string("vip")]),
                "orders": .array([
                    .object(["sku": .string("a"), "total": .number(20)]),
                    .object(["sku": .string("b"), "total": .number(5)]),
                ]),
                "address": .object(["city": .string("Köln")]),
            ],
            devices: [
                AudienceDevice(platform: "ios", app: "shop", appVersion: "2.10", hasToken: true),
                AudienceDevice(platform: "android", app: "shop", isPushEnabled: true),
            ]
        )
        profile.country = "DE"
        profile.dateOfBirth = TimeText.seconds("2000-06-30")
        return profile
    }

    private var events: [AudienceEvent] {
        [
            AudienceEvent(
                profile: 7,
                activity: .event("view"),
                time: now - 86_400,
                properties: ["page": .string("home")]
            ),
            AudienceEvent(profile: 7, activity: .event("view"), time: now - 86_401),
            AudienceEvent(
                profile: 7,
                activity: .purchase,
                time: now - 3_600,
                product: "p1",
                priceInMicros: 9_990_000,
                quantity: 2
            ),
            AudienceEvent(
                profile: 7,
                activity: .message(.received, campaign: "welcome"),
                time: now - 60
            ),
        ]
    }

    @Test(
        "follows the meaning of each filter",
        arguments: [
            ("plan = \"pro\" and nps >= 9", true), ("missing = \"x\"", false),
            ("missing != \"x\"", true), ("missing not matches \"x\"", false),
            ("nps = \"9\"", false), ("tags contains \"vip\"", true), ("plan contains \"ro\"", true),
            ("orders[].sku = \"b\"", true), ("orders[].sku != \"b\"", false),
            ("orders[].total > 20", false), ("address.city = \"Köln\"", true),
            ("age = 26", true), ("dob on today", true), ("dob on 06-30", true),
            ("dob on 06-29", false), ("dob on 07-30", false), ("device has (any)", true),
            ("device has (none)", false), ("device_count = 2", true),
            ("device has (platform = \"ios\" and push_enabled)", false),
            ("device has (platform = \"ios\") and device.push_enabled", true),
            ("device.app_version > \"2.9\"", true), ("event view count = 1 in last 1 days", true),
            ("event view count = 1 in last 1 calendar days", true),
            ("event view count = 2 in last 2 calendar days", true),
            ("event view with (page = \"home\") count = 1", true),
            ("purchase count = 2", true), ("purchase sum = 19.98", true),
            ("purchase of \"p2\" done", false), ("purchase last less than 2 hours ago", true),
            ("event other last < now", false), ("event other not done", true),
            ("campaign \"welcome\" received and campaign any not opened", true),
            ("in list \"seven\"", true), ("in segment \"pros\"", true),
            ("in segment \"none\"", false), ("in control group", true),
            ("not in control group", false),
            ("everyone and not nobody", true), ("created_at not exists", true),
        ]
    )
    func meaning(text: String, expected: Bool) throws {
        let directory = InMemorySegmentResolver(
            segments: ["pros": try SegmentParser.parse("plan = \"pro\"").rule],
            lists: ["seven": [7]],
            controlGroup: [7]
        )
        var evaluator = SegmentEvaluator(at: EvaluationTime(now: now), directory: directory)
        let rule = try SegmentParser.parse(text).rule
        #expect(try evaluator.contains(ada, events: events, in: rule) == expected)
    }

    @Test(
        "a window of time includes its start and excludes its end",
        arguments: [
            ("from now - 1 days until now", [86_400, 1]), ("from now - 1 days", [86_400, 1, 0]),
            ("until now - 1 days", [86_401]), ("from now - 1 days until now - 1 days", []),
            ("in last 1 days", [86_400, 1, 0]), ("in last 24 hours", [86_400, 1, 0]),
        ]
    )
    func windows(window: String, included: [Int64]) throws {
        let rule = try SegmentParser.parse("event view done \(window)").rule
        var evaluator = SegmentEvaluator(at: EvaluationTime(now: now))
        for age in [86_401, 86_400, 1, 0] as [Int64] {
            let event = AudienceEvent(profile: 7, activity: .event("view"), time: now - age)
            #expect(
                try evaluator.contains(ada, events: [event], in: rule) == included.contains(age),
                "\(age) seconds ago"
            )
        }
    }

    @Test("counts and sums are compared as they are written, at their very value")
    func borders() throws {
        var evaluator = SegmentEvaluator(at: EvaluationTime(now: now))
        for (measure, expected) in [
            ("count >= 2", true), ("count >= 3", false), ("count > 1", true),
            ("count > 2", false), ("count <= 2", true), ("count <= 1", false),
            ("count < 3", true), ("count < 2", false), ("count != 2", false),
        ] {
            let rule = try SegmentParser.parse("event view \(measure)").rule
            #expect(
                try evaluator.contains(ada, events: events, in: rule) == expected,
                "\(measure)"
            )
        }
        for (test, expected) in [
            ("nps >= 9", true), ("nps > 9", false), ("nps <= 9", true), ("nps < 9", false),
            ("random_bucket >= 0", true), ("random_bucket <= 9999", true),
            ("random_bucket > 9999", false), ("session_count > 3", true),
            ("session_count > 4", false),
        ] {
            let rule = try SegmentParser.parse(test).rule
            #expect(try evaluator.contains(ada, events: [], in: rule) == expected, "\(test)")
        }
    }

    @Test("explains why a user is not in it")
    func whyNot() throws {
        let rule = try SegmentParser.parse(
            "country = \"DE\" and (plan = \"free\" or nps > 9) and event view count >= 3"
        ).rule
        var evaluator = SegmentEvaluator(at: EvaluationTime(now: now))
        let explanation = try evaluator.explain(rule, for: ada, events: events)
        #expect(!explanation.holds)
        #expect(
            explanation.obstacles.map(\.text)
                == ["plan = \"free\"", "nps > 9", "event view count >= 3"]
        )
        #expect(explanation.obstacles.map(\.pointer) == ["/and/1/or/0", "/and/1/or/1", "/and/2"])
        #expect(explanation.obstacles.first?.found == .value("plan", "\"pro\""))
        #expect(explanation.obstacles.last?.found?.text.hasPrefix("2 times") == true)
    }

    @Test("explains what there was: how many devices fit, how often and when, and for how much")
    func observed() throws {
        func found(_ text: String) throws -> ObservedValue? {
            var evaluator = SegmentEvaluator(at: EvaluationTime(now: now))
            let rule = try SegmentParser.parse(text).rule
            return try evaluator.explain(rule, for: ada, events: events).found
        }
        for (devices, fitting) in [("any", 2), ("platform = \"ios\"", 1), ("none", 0)] {
            #expect(try found("device has (\(devices))") == .devices(fitting: fitting, of: 2))
        }
        #expect(
            try found("purchase sum > 1")
                == .occurrences(2, first: now - 3_600, last: now - 3_600, sum: 19.98)
        )
        #expect(
            try found("event view count > 9")
                == .occurrences(2, first: now - 86_401, last: now - 86_400, sum: nil)
        )
        #expect(try found("event other count > 0") == .never)
        #expect(try found("in list \"seven\"") == nil)
    }

    @Test(
        "depends on the calendar where any of its moments or of its properties' does",
        arguments: [
            ("event e done", false), ("event e done in last 3 hours", false),
            ("event e done in last 3 days", true),
            ("event e done in last 3 calendar days", true), ("event e last < now", false),
            ("event e last < today", true), ("event e first > today - 1 days", true),
            ("event e with (due > now) done", false), ("event e with (due > today) done", true),
            ("event e with (due > today) last < now", true),
        ]
    )
    func calendar(text: String, depends: Bool) throws {
        let rule = try SegmentParser.parse(text).rule
        guard case .condition(.activity(let activity)) = rule else {
            Issue.record("no activity: \(rule)")
            return
        }
        #expect(activity.dependsOnCalendar == depends)
    }

    @Test("explains membership in another segment by that segment's own filters")
    func whyNotInAnother() throws {
        let inner = try SegmentParser.parse("country = \"FR\" and plan = \"free\"").rule
        let rule = try SegmentParser.parse("in segment \"7\" and nps exists").rule
        let catalog = InMemorySegmentResolver(segments: ["7": inner])
        var evaluator = SegmentEvaluator(at: EvaluationTime(now: now), directory: catalog)
        let explanation = try evaluator.explain(
            rule,
            for: ada,
            events: events,
            named: { $0 == .condition(.segment("7")) ? .condition(.segment("thrifty")) : $0 }
        )
        #expect(!explanation.holds)
        #expect(explanation.children.first?.text == "in segment \"thrifty\"")
        #expect(explanation.children.first?.children.first?.children.count == 2)
        #expect(explanation.obstacles.contains { $0.text == "plan = \"free\"" })
    }

    @Test("orders versions by number, not by letter")
    func versions() {
        let ordered = ["", "1.0-beta", "1.0", "1.2", "1.10", "1.10.1", "2", "10.0"]
        for (older, newer) in zip(ordered.dropFirst(), ordered.dropFirst(2)) {
            #expect(VersionNumber.order(older, newer) < 0, "\(older) \(newer)")
            #expect(VersionNumber.order(newer, older) > 0, "\(older) \(newer)")
        }
        #expect(VersionNumber.order("1.0", "1") == 0)
        #expect(VersionNumber.order("01.2", "1.02") == 0)
    }

    @Test("knows the calendar")
    func calendar() throws {
        for days in stride(from: -800_000, through: 2_000_000, by: 997) as StrideThrough<Int64> {
            let day = CivilDay(daysSinceEpoch: days)
            #expect(day.daysSinceEpoch == days)
        }
        #expect(TimeText.text(now) == "2026-06-30")
        #expect(TimeText.seconds("2024-02-29T23:59:59Z") == 1_709_251_199)
        #expect(TimeText.seconds("2023-02-29") == nil)
    }
}
