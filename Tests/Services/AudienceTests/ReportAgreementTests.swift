import Foundation
import Model
import Ports
import Reasons
import Reports
import Segments
import Testing

@testable import Audience

/// A condition that always holds sends the same question to the rows instead of the columns.
@Suite("Reports of columns and of rows agree")
struct ReportAgreementTests {
    private static let always = ActivityCondition.Property(
        path: RandomReports.path("never"),
        test: .missing
    )

    private func check(
        _ columns: ColumnSnapshot,
        _ rows: MemoryRows,
        _ random: inout RandomAudience,
        reports: Int,
        seed: UInt64
    ) async throws {
        let engine = ReportEngine(
            columns: columns,
            source: rows,
            time: random.evaluation,
            workers: 2
        )
        for _ in 0..<reports {
            let funnel = RandomReports.funnel(&random)
            var other = funnel
            for step in other.steps.indices { other.steps[step].properties.append(Self.always) }
            for number in other.exclusions.indices where random.chance(50) {
                other.exclusions[number].activity.properties.append(Self.always)
            }
            #expect(
                try await engine.funnel(funnel) == engine.funnel(other),
                "seed \(seed): \(funnel)"
            )

            let retention = RandomReports.retention(&random)
            var returning = retention
            returning.first.properties.append(Self.always)
            returning.returning.properties.append(Self.always)
            #expect(
                try await engine.retention(retention, now: random.now)
                    == engine.retention(returning, now: random.now),
                "seed \(seed): \(retention)"
            )

            let paths = RandomReports.paths(&random)
            var begun = paths
            begun.start.properties.append(Self.always)
            #expect(
                try await engine.paths(paths) == engine.paths(begun),
                "seed \(seed): \(paths)"
            )

            let series = RandomReports.series(&random)
            guard case .activity(var activity) = series.figure else { continue }
            activity.properties.append(Self.always)
            var counted = series
            counted.figure = .activity(activity)
            #expect(
                try await engine.series(series) == engine.series(counted),
                "seed \(seed): \(series)"
            )
        }
    }

    @Test("for random users and questions", arguments: 1...6 as ClosedRange<UInt64>)
    func afterBuilding(seed: UInt64) async throws {
        var random = RandomAudience(seed: seed)
        var rows = MemoryRows()
        for id in 1...(40 + Int64(random.below(100))) {
            rows.profiles[id * 3] = random.profile(id * 3)
        }
        let ids = rows.profiles.keys.sorted()
        for _ in 0..<900 { rows.events.append(random.event(ids)) }
        let columns = try await AudienceBuilder.build(from: rows)
        try await check(columns, rows, &random, reports: 25, seed: seed)
    }

    @Test("after merges, deletions and late events", arguments: 101...104 as ClosedRange<UInt64>)
    func afterCommits(seed: UInt64) async throws {
        var random = RandomAudience(seed: seed)
        var rows = MemoryRows()
        let store = WorkspaceUserIndex()
        for sequence in 1...25 as ClosedRange<Int64> {
            var change = AudienceChange(sequence: sequence)
            let fresh = (0..<4).map { sequence * 10 + Int64($0) }
            change.profiles = fresh.map { random.profile($0) }
            let known = rows.profiles.keys.sorted()
            if known.count > 10 {
                let (from, into) = (random.pick(known), random.pick(known))
                if from != into { change.merged = [(from, into)] }
                let gone = random.pick(known)
                if gone != from, gone != into { change.removed = [gone] }
            }
            let left = (known + fresh).filter { id in
                !change.removed.contains(id) && !change.merged.contains { $0.from == id }
            }
            change.events = (0..<30).map { _ in random.event(left) }
            store.apply(change)
            rows.apply(change)
        }
        try await check(store.snapshot(), rows, &random, reports: 20, seed: seed)
    }
}

@Suite("What a report costs is bounded")
struct ReportBoundTests {
    private func engine(mostRows: Int) async throws -> ReportEngine {
        var rows = MemoryRows()
        rows.profiles[1] = AudienceProfile(rowID: 1)
        rows.events = (0..<20).map {
            AudienceEvent(profile: 1, activity: .event("view"), time: Int64($0) * 3_600)
        }
        return ReportEngine(
            columns: try await AudienceBuilder.build(from: rows),
            source: rows,
            time: EvaluationTime(now: 86_400),
            workers: 2,
            mostRows: mostRows
        )
    }

    private func question(_ properties: [ActivityCondition.Property]) -> SeriesQuestion {
        SeriesQuestion(
            period: ReportPeriod(.day, length: 1, endingAt: Date(milliseconds: 0), in: .gmt),
            figure: .activity(ReportActivity(.event("view"), properties: properties))
        )
    }

    private var condition: ActivityCondition.Property {
        ActivityCondition.Property(path: RandomReports.path("never"), test: .missing)
    }

    @Test("a report that would read too many rows is refused, and says what to change")
    func rows() async throws {
        let engine = try await engine(mostRows: 19)
        await #expect(throws: FieldProblem("length", .tooManyRows, ["count": "19"])) {
            try await engine.series(question([condition]))
        }
        #expect(
            FieldProblem("length", .tooManyRows, ["count": "19"]).message.contains("shorter period")
        )
    }

    @Test("as many as are allowed are read, and columns are not bounded by it")
    func allowed() async throws {
        let exact = try await engine(mostRows: 20).series(question([condition]))
        #expect(exact.line.whole.total == 20)
        let columns = try await engine(mostRows: 0).series(question([]))
        #expect(columns.line.whole.total == 20)
    }

    @Test("an attribute that no column holds takes no report apart")
    func unkept() async throws {
        var asked = question([])
        asked.breakdown = ReportBreakdown(.attribute(.standard(.email)))
        let (engine, unkept) = (try await engine(mostRows: 20), asked)
        await #expect(throws: FieldProblem("breakdown.name", .unkeptAttribute)) {
            try await engine.series(unkept)
        }
    }
}

/// Random questions about a random audience.
enum RandomReports {
    static let price = path("price")

    static func path(_ name: String) -> AttributePath {
        guard let path = AttributePath(name) else { preconditionFailure("a name is not empty") }
        return path
    }

    static func activity(_ random: inout RandomAudience) -> ReportActivity {
        switch random.below(5) {
        case 0: ReportActivity(.session)
        case 1: ReportActivity(.purchase(products: random.chance(50) ? [] : ["p1", "p9"]))
        default: ReportActivity(.event(random.pick(RandomAudience.events)))
        }
    }

    static func period(_ random: inout RandomAudience, _ units: [ReportUnit]) -> ReportPeriod {
        let unit = random.pick(units)
        let length =
            switch unit {
            case .hour: 1 + random.below(48)
            case .day: 1 + random.below(30)
            case .week: 1 + random.below(8)
            case .month: 1 + random.below(3)
            }
        let end = random.now - Int64(random.below(20)) * 86_400 - Int64(random.below(86_400))
        let zone = TimeZone(identifier: random.pick(RandomAudience.zones)) ?? .gmt
        return ReportPeriod(
            unit,
            length: length,
            endingAt: Date(timeIntervalSince1970: Double(end)),
            in: zone
        )
    }

    static func breakdown(_ random: inout RandomAudience) -> ReportBreakdown? {
        let limit = 1 + random.below(4)
        return switch random.below(8) {
        case 0: ReportBreakdown(.platform, limit: limit)
        case 1: ReportBreakdown(.app, limit: limit)
        case 2: ReportBreakdown(.attribute(.standard(.country)), limit: limit)
        case 3:
            ReportBreakdown(
                .attribute(.custom(path(random.pick(RandomAudience.names)))),
                limit: limit
            )
        case 4: ReportBreakdown(.property(price), limit: limit)
        default: nil
        }
    }

    static func paths(_ random: inout RandomAudience) -> PathsQuestion {
        PathsQuestion(
            period: period(&random, [.hour, .day, .week]),
            direction: random.pick([.after, .before]),
            start: activity(&random),
            length: 1 + random.below(8),
            window: random.pick([60, 86_400, 20 * 86_400]),
            leftOut: (0..<random.below(2)).map { _ in activity(&random) },
            limit: 1 + random.below(4)
        )
    }

    static func funnel(_ random: inout RandomAudience) -> FunnelQuestion {
        let count = 2 + random.below(3)
        let steps = (0..<count).map { _ in activity(&random) }
        let exclusions = (0..<random.below(2)).map { _ in
            let after = random.below(count - 1)
            return FunnelQuestion.Exclusion(
                activity(&random),
                after: after,
                before: after + 1 + random.below(count - 1 - after)
            )
        }
        return FunnelQuestion(
            period: period(&random, ReportUnit.allCases),
            steps: steps,
            window: random.pick([1, 3_600, 86_400, 7 * 86_400, 30 * 86_400]),
            exclusions: exclusions,
            constant: random.chance(20) ? price : nil,
            breakdown: breakdown(&random)
        )
    }

    static func retention(_ random: inout RandomAudience) -> RetentionQuestion {
        RetentionQuestion(
            period: period(&random, [.day, .week, .month]),
            cohort: random.pick(RetentionQuestion.Cohort.allCases),
            mode: random.pick(RetentionQuestion.Mode.allCases),
            intervals: 1 + random.below(10),
            first: activity(&random),
            returning: activity(&random),
            breakdown: breakdown(&random)
        )
    }

    static func series(_ random: inout RandomAudience) -> SeriesQuestion {
        SeriesQuestion(
            period: period(&random, ReportUnit.allCases),
            figure: .activity(activity(&random)),
            measure: random.pick(SeriesQuestion.Measure.allCases),
            isCompared: random.chance(50),
            breakdown: breakdown(&random)
        )
    }
}
