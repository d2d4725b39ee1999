import Foundation
import Logging
import Model
import NoroshiWire
import Ports
import Reports
import Segments
import StoreSQLite
import Testing

@testable import Audience

@Suite("Tables of properties")
struct PropertyTableTests {
    private struct World {
        let store: SQLiteStore
        let workspace: WorkspaceID
        let app: AppID
        let audience: SegmentationService
        let reports: ReportService

        /// The engine that a report without tables has.
        func rows() async throws -> ReportEngine {
            var columns = try await audience.columns(of: workspace)
            columns.tables = [:]
            return ReportEngine(
                columns: columns,
                source: try await store.audienceView().rows(of: workspace),
                time: try await audience.time(of: .now, in: workspace),
                workers: 2
            )
        }

        func track(_ items: [(user: String, event: String, properties: [String: JSONValue])])
            async throws
        {
            let items = items.map {
                IngestItem(
                    recordID: nil,
                    user: .external($0.user),
                    time: Date(timeIntervalSince1970: PropertyTableTests.now - 3_600),
                    content: .event(name: $0.event, properties: EventProperties($0.properties))
                )
            }
            _ = try await store.ingest(
                [IngestRequest(workspace: workspace, source: .api, items: items)],
                now: Date(timeIntervalSince1970: PropertyTableTests.now)
            )
        }
    }

    private static let now: Double = 1_782_777_600

    private static func withWorld(
        now: Double = now,
        policy: ColumnPolicy = ColumnPolicy(),
        _ body: (World) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-tables-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteStore(
            path: folder.appending(path: "test.sqlite").path,
            synchronous: .normal
        )
        let (workspace, app) = try await ServiceTests.workspace(store, "tea")
        var settings = SegmentationService.Settings()
        settings.policy = policy
        let audience = SegmentationService(
            store: store,
            settings: settings,
            now: { Date(timeIntervalSince1970: now) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await audience.rebuild()
        let reports = ReportService(audience: audience) { Date(timeIntervalSince1970: now) }
        try await body(
            World(
                store: store,
                workspace: workspace,
                app: app.id,
                audience: audience,
                reports: reports
            )
        )
    }

    /// A count of events by day, of one name, by a property.
    private static func series(_ event: String, by name: String) -> SeriesQuestion {
        SeriesQuestion(
            period: ReportPeriod(
                .day,
                length: 2,
                endingAt: Date(timeIntervalSince1970: now),
                in: .gmt
            ),
            figure: .activity(ReportActivity(.event(event))),
            breakdown: ReportBreakdown(.property(RandomReports.path(name)))
        )
    }

    /// An answer, or what is wrong with the question.
    private static func outcome<Answer: Equatable>(
        _ work: () async throws -> Answer
    ) async throws -> (Answer?, String) {
        do {
            return (try await work(), "")
        } catch let error as PatternError {
            return (nil, "\(error.reason)")
        } catch let error as AudienceProblem {
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
        _ world: World,
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
        _ world: World,
        _ random: inout RandomAudience,
        _ note: String
    ) async throws {
        var asked = ReportProperties()
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
        try await Self.withWorld(now: Double(now)) { world in
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
        try await Self.withWorld { world in
            try await world.track(
                (0..<10).map { ("u\($0)", "view", ["price": .integer($0)]) }
            )
            let rule = try SegmentParser.parse("event view with (price >= 7) done").rule
            let book = WorkspaceSegmentResolver(segments: [], lists: [])
            var asked = ReportProperties()
            asked.add(["price"], of: .event("view"))
            #expect(!world.audience.hasTables(for: asked, in: world.workspace))
            for expected in [3, 4] {
                let users = try await world.audience
                    .select(rule, book: book, in: world.workspace).count().users
                #expect(users == expected)
                #expect(world.audience.hasTables(for: asked, in: world.workspace))
                try await world.track([("u0", "view", ["price": .integer(9)])])
            }
        }
    }

    @Test("a property with too many values gets no table, and its rows are read")
    func tooLarge() async throws {
        var policy = ColumnPolicy()
        policy.maxTableValues = 4
        try await Self.withWorld(policy: policy) { world in
            try await world.track(
                (0..<10).map { ("u\($0)", "view", ["sku": .integer($0), "kind": .string("tea")]) }
            )
            let bySKU = Self.series("view", by: "sku")
            for _ in 1...2 {
                let answer = try await world.reports.series(bySKU, in: world.workspace)
                #expect(answer.line.whole.total == 10)
                #expect(try await answer == world.rows().series(bySKU))
                #expect(!world.audience.hasTables(for: bySKU.properties, in: world.workspace))
            }
            let byKind = Self.series("view", by: "kind")
            _ = try await world.reports.series(byKind, in: world.workspace)
            #expect(world.audience.hasTables(for: byKind.properties, in: world.workspace))
            // One that grows beyond the limit is given up, and nothing is lost.
            try await world.track(
                (0..<10).map { ("u\($0)", "view", ["kind": .string("kind \($0)")]) }
            )
            let grown = try await world.reports.series(byKind, in: world.workspace)
            #expect(!world.audience.hasTables(for: byKind.properties, in: world.workspace))
            #expect(grown.line.whole.total == 20)
            #expect(try await grown == world.rows().series(byKind))
        }
    }

    @Test("an activity with too many occurrences gets no table")
    func tooMany() async throws {
        var policy = ColumnPolicy()
        policy.maxTableOccurrences = 9
        try await Self.withWorld(policy: policy) { world in
            try await world.track((0..<10).map { ("u\($0)", "view", ["kind": .string("tea")]) })
            let question = Self.series("view", by: "kind")
            let answer = try await world.reports.series(question, in: world.workspace)
            #expect(answer.line.whole.total == 10)
            #expect(!world.audience.hasTables(for: question.properties, in: world.workspace))
        }
    }

    @Test("the table that was not used for the longest time makes room for another")
    func room() async throws {
        var policy = ColumnPolicy()
        policy.maxOccurrencesOfTables = 25
        try await Self.withWorld(policy: policy) { world in
            let names = ["view", "buy", "share"]
            for name in names {
                try await world.track((0..<10).map { ("u\($0)", name, ["kind": .string("tea")]) })
            }
            func ask(_ name: String) async throws {
                _ = try await world.reports.series(
                    Self.series(name, by: "kind"),
                    in: world.workspace
                )
            }
            func held() async throws -> [String] {
                let tables = try await world.audience.columns(of: world.workspace).tables
                return names.filter { tables[.event($0)] != nil }
            }
            try await ask("view")
            try await ask("buy")
            try await ask("view")
            #expect(try await held() == ["view", "buy"])
            try await ask("share")
            #expect(try await held() == ["view", "share"])
        }
    }
}
