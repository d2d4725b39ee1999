import Foundation
import Model
import NoroshiWire
import Ports
import Reports
import Segments
import Testing

@testable import Audience

@Suite("Tables of properties")
struct PropertyTableTests {
    /// An answer, or what is wrong with the question.
    private static func outcome<Answer: Equatable>(
        _ work: () async throws -> Answer
    ) async throws -> (Answer?, String) {
        do {
            return (try await work(), "")
        } catch let error as PatternError {
            return (nil, "\(error.reason)")
        } catch let error as AudienceError {
            return (nil, "\(error)")
        } catch let error as FieldProblem {
            return (nil, error.message)
        }
    }

    private static func conditioned(
        _ activity: ReportActivity,
        _ random: inout RandomAudience
    ) -> ReportActivity {
        var activity = activity
        for name in ["price", "color"] where random.chance(60) {
            activity.properties.append(
                ActivityCondition.Property(path: RandomReports.path(name), test: random.test())
            )
        }
        return activity
    }

    private static func check(
        _ world: PropertyTableWorld,
        _ random: inout RandomAudience,
        _ note: String
    ) async throws {
        let (reports, workspace) = (world.reports, world.workspace)
        let engine = try await world.rows()
        for _ in 0..<12 {
            var funnel = RandomReports.funnel(&random)
            funnel.steps = funnel.steps.map { conditioned($0, &random) }
            let (one, two) = (
                try await outcome { try await reports.funnel(funnel, in: workspace) },
                try await outcome { try await engine.funnel(funnel) }
            )
            #expect(one.0 == two.0, "\(note): \(funnel)")
            #expect(world.audience.hasTables(for: funnel.properties, in: workspace))

            var series = RandomReports.series(&random)
            if case .activity(let activity) = series.figure {
                series.figure = .activity(conditioned(activity, &random))
            }
            if random.chance(30) {
                let bought = ReportActivity(.purchase(products: random.chance(50) ? [] : ["p1"]))
                series.figure = .revenue(conditioned(bought, &random), currency: "EUR")
            }
            let (three, four) = (
                try await outcome { try await reports.series(series, in: workspace) },
                try await outcome { try await engine.series(series) }
            )
            #expect(three.0 == four.0, "\(note): \(series)")
            #expect(world.audience.hasTables(for: series.properties, in: workspace))

            var retention = RandomReports.retention(&random)
            retention.first = conditioned(retention.first, &random)
            retention.returning = conditioned(retention.returning, &random)
            let (five, six) = (
                try await outcome { try await reports.retention(retention, in: workspace) },
                try await outcome { try await engine.retention(retention, now: random.now) }
            )
            #expect(five.0 == six.0, "\(note): \(retention)")
        }
        try await checkSegments(world, &random, note)
    }

    /// Columns with tables of all activities find whom the naive evaluator finds.
    private static func checkSegments(
        _ world: PropertyTableWorld,
        _ random: inout RandomAudience,
        _ note: String
    ) async throws {
        var asked = ActivityProperties()
        for name in RandomAudience.events { asked.add(["price", "color"], of: .event(name)) }
        asked.add(["price", "color", "product_id"], of: .purchase)
        asked.add(["price", "color"], of: .session)
        #expect(try await world.audience.makeTables(for: asked, in: world.workspace))
        let columns = try await world.audience.columns(of: world.workspace)
        let rows = try await world.store.audienceView().rows(of: world.workspace)
        for _ in 0..<60 {
            let rule = random.rule()
            let found = try await columns.verify(rule, at: random.evaluation, source: rows)
            #expect(found.isEmpty, "\(note): \(SegmentWriter.text(rule))")
        }
    }

    @Test(
        "reports from tables and from rows agree, whatever is written while tables are made",
        arguments: [1, 2, 3] as [UInt64]
    )
    func traffic(seed: UInt64) async throws {
        // Others with the same now.
        func related(_ number: UInt64) -> UInt64 {
            seed + number * UInt64(RandomAudience.midnights.count)
        }
        let now = RandomAudience(seed: seed).now
        try await PropertyTableWorld.with(now: now) { world in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<3 as Range<UInt64> {
                    group.addTask {
                        var traffic = RowTraffic(
                            store: world.store,
                            workspace: world.workspace,
                            app: world.app,
                            seed: related(100 + number)
                        )
                        for _ in 0..<120 { try await traffic.step() }
                    }
                }
                group.addTask {
                    var random = RandomAudience(seed: related(7))
                    for round in 0..<40 {
                        var series = RandomReports.series(&random)
                        if case .activity(let activity) = series.figure {
                            series.figure = .activity(Self.conditioned(activity, &random))
                        }
                        let question = series
                        _ = try await Self.outcome {
                            try await world.reports.series(question, in: world.workspace)
                        }
                        // All tables are gone then, and begin anew.
                        if round == 20 { try await world.audience.rebuild() }
                    }
                }
                try await group.waitForAll()
            }
            var random = RandomAudience(seed: related(70))
            try await Self.check(world, &random, "seed \(seed)")
            // Tables that are there follow what is written after them.
            var late = RowTraffic(
                store: world.store,
                workspace: world.workspace,
                app: world.app,
                seed: related(900)
            )
            for _ in 0..<60 { try await late.step() }
            try await Self.check(world, &random, "seed \(seed), later")
        }
    }

    @Test("a segment that asks for a property is found by its table from the second time on")
    func segments() async throws {
        try await PropertyTableWorld.with { world in
            try await world.track(0..<10, "view") { ["price": .integer($0)] }
            let rule = try SegmentParser.parse("event view with (price >= 7) done").rule
            let book = WorkspaceSegmentResolver(segments: [], lists: [])
            #expect(try await world.tables().isEmpty)
            for expected in [3, 4] {
                let users = try await world.audience
                    .select(rule, book: book, in: world.workspace).count().users
                #expect(users == expected)
                #expect(world.hasTables(["price"], of: "view"))
                try await world.track(0..<1, "view") { _ in ["price": .integer(9)] }
            }
        }
    }

    @Test("values of any size, sign, kind and spelling are in tables what they are in rows")
    func extremes() async throws {
        let values: [JSONValue] = [
            .null, .bool(true), .bool(false), .integer(0), .number(-0.0), .integer(.max),
            .integer(.min), .number(.greatestFiniteMagnitude), .number(-.leastNonzeroMagnitude),
            .number(0.1), .string(""), .string("0"), .string("true"), .string("caf\u{e9}"),
            .string("cafe\u{301}"), .string("👩‍👩‍👧"), .string("a\u{0}b"),
            .string(String(repeating: "long ", count: 40)), .string("2026-06-29T10:00:00Z"),
            .array([]), .array([.integer(1), .string("1"), .null]),
            .array([.array([.integer(1)]), .object(["a": .integer(2)])]), .object([:]),
            .object(["a": .object(["b": .array([.integer(1), .bool(true)])])]),
            .object(["a": .integer(1), "b": .string("x")]),
        ]
        let tests = [
            "v exists", "v not exists", "v = 0", "v > 0", "v < 0", "v >= 9000000000000000000",
            #"v = """#, #"v = "café""#, #"v contains "e""#, #"v starts with "long""#, "v = true",
            "v = false", "v is empty", "v.a = 1", "v.a.b = 1", "v.a exists", "v.a not exists",
            "w exists",
            "v less than 5 days ago", "v contains 1", "v not contains 1",
        ]
        try await PropertyTableWorld.with { world in
            try await world.track(0..<Int64(values.count), "view") { ["v": values[Int($0)]] }
            try await world.track(0..<Int64(values.count / 2), "view") { _ in [:] }
            try await world.check("view", by: "v")
            let rows = try await world.store.audienceView().rows(of: world.workspace)
            let time = try await world.audience.time(of: .now, in: world.workspace)
            for test in tests {
                for measure in ["done", "count > 1", "not done"] {
                    let text = "event view with (\(test)) \(measure)"
                    let rule = try SegmentParser.parse(text).rule
                    var asked = ActivityProperties()
                    asked.add(rule, directory: InMemorySegmentResolver())
                    #expect(try await world.audience.makeTables(for: asked, in: world.workspace))
                    let columns = try await world.audience.columns(of: world.workspace)
                    let found = try await columns.verify(rule, at: time, source: rows)
                    #expect(found.isEmpty, "\(text)")
                }
            }
        }
    }

    @Test("reports and segments that are asked at once each get what the rows say")
    func atOnce() async throws {
        try await PropertyTableWorld.with { world in
            let events = ["view", "buy", "share"]
            for event in events {
                try await world.track(0..<40, event) {
                    ["a": .integer($0 % 7), "b": .string("b\($0 % 3)"), "c": .bool($0 % 2 == 0)]
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for event in events {
                    for name in ["a", "b", "c"] {
                        group.addTask {
                            let count = try await world.check(event, by: name)
                            #expect(count == 40)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await world.tables() == Set(events.map { Activity.event($0) }))
            #expect(events.allSatisfy { world.hasTables(["a", "b", "c"], of: $0) })
        }
    }
}
