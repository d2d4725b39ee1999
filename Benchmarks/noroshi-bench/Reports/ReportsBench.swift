import ArgumentParser
import Audience
import Foundation
import Model
import Ports
import Reports
import Segments
import StoreSQL
import SyntheticAudience

/// `reports`: how long funnels, retentions and series take on the columns, beside DuckDB.
struct ReportsBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reports",
        abstract: "Makes reports over made-up events, beside DuckDB where it is installed."
    )

    @Option(help: "How many users.")
    var users = 1_000_000
    @Option(help: "How many events.")
    var events = 10_000_000
    @Option(help: "The seed of the made-up data.")
    var seed: UInt64 = 1
    @Option(help: "How many tasks evaluate at once.")
    var workers = 2
    @Option(
        help: """
            A database with the same users and events, for the same report from its rows; made and \
            filled where it is missing, which takes minutes for a million users. Without it that is \
            left out.
            """
    )
    var database: String?
    @Option(
        help: """
            A Python with the package duckdb, for the comparison; by default one that has it is \
            looked for.
            """
    )
    var compare: String?

    private static let runs = 7
    private static let steps = ["product_view", "add_to_cart", "checkout_start", "purchase"]

    func run() async throws {
        let audience = SyntheticAudience(users: users, events: events, seed: seed)
        let store = WorkspaceUserIndex()
        try await store.rebuild(from: SyntheticRowSource(audience: audience, workers: workers))
        let columns = store.snapshot()
        let before = MemoryUse.currentBytes()
        print("\(users) users, \(events) events, seed \(seed), \(workers) workers")
        print("resident with all users in memory: \(before / 1_000_000) MB")
        let engine = try await engine(columns, audience)
        var figures: [String: [Int]] = [:]
        figures["series"] = try await measure("series of 90 days") {
            try await engine.series(series(audience)).line.intervals.map { Int($0.total) }
        }
        figures["users"] = try await measure("series of 90 days, different users") {
            try await engine.series(series(audience, .users)).line.intervals.map(\.users)
        }
        figures["funnel"] = try await measure("funnel of four steps, 90 days, window 7 days") {
            try await engine.funnel(funnel(audience)).steps.map(\.users)
        }
        _ = try await measure("the same by country") {
            try await engine.funnel(funnel(audience, by: .attribute(.standard(.country)))).groups
                .flatMap(\.users)
        }
        figures["retention"] = try await measure("retention of 30 days by 30 days") {
            try await engine.retention(retention(audience), now: audience.now).cohorts
                .flatMap { $0.returned.map { $0 ?? 0 } }
        }
        if database != nil {
            _ = try await measure("funnel of four steps, a price of the last, from rows") {
                try await engine.funnel(pricedFunnel(audience)).steps.map(\.users)
            }
        }
        let tables = try await tables(store, audience)
        figures["priced series"] = try await measure("series of 90 days, with a price") {
            try await tables.series(pricedSeries(audience)).line.intervals.map { Int($0.total) }
        }
        figures["priced funnel"] = try await measure("funnel of four steps, a price of the last") {
            try await tables.funnel(pricedFunnel(audience)).steps.map(\.users)
        }
        figures["same product"] = try await measure("funnel of three steps with the same product") {
            try await tables.funnel(productFunnel(audience)).steps.map(\.users)
        }
        figures["priced retention"] = try await measure("retention 30 by 30, with a price") {
            try await tables.retention(pricedRetention(audience), now: audience.now).cohorts
                .flatMap { $0.returned.map { $0 ?? 0 } }
        }
        print("resident with these tables: \(MemoryUse.currentBytes() / 1_000_000) MB")
        print("most resident: \(MemoryUse.peakBytes() / 1_000_000) MB")
        try await compareWithDuckDB(audience, figures)
    }

    /// The engine of columns that have tables of the events' properties, as the server makes them
    /// for the first report.
    private func tables(
        _ store: WorkspaceUserIndex,
        _ audience: SyntheticAudience
    ) async throws -> ReportEngine {
        let source = SyntheticRowSource(audience: audience, workers: workers)
        for (name, properties) in [
            ("purchase", ["price", "product_id"] as Set), ("add_to_cart", ["product_id"]),
            ("product_view", ["product_id"]),
        ] {
            let start = ContinuousClock.now
            try await store.makeTable(of: .event(name), properties, from: source)
            let seconds = (ContinuousClock.now - start).inSeconds
            print("table of \(name), from made-up rows: \(text(seconds * 1_000)) ms, once")
        }
        return ReportEngine(
            columns: store.snapshot(),
            source: source,
            time: EvaluationTime(now: audience.now),
            workers: workers
        )
    }

    private func engine(
        _ columns: ColumnSnapshot,
        _ audience: SyntheticAudience
    ) async throws -> ReportEngine {
        var source: any UserRowReader = SyntheticRowSource(
            audience: audience,
            workers: workers
        )
        if let database {
            if let seconds = try await SyntheticDatabase.fill(database, with: audience) {
                print("the database took \(Int(seconds)) s to fill")
            }
            let store = try SQLStore(path: database, synchronous: .normal)
            guard let workspace = try await store.workspaces().first?.id else {
                throw BenchError("\(database) is no database of this benchmark; remove it")
            }
            source = try await store.audienceView().rows(of: workspace)
        }
        return ReportEngine(
            columns: columns,
            source: source,
            time: EvaluationTime(now: audience.now),
            workers: workers
        )
    }

    /// Runs some work several times and prints the median.
    private func measure(
        _ what: String,
        _ work: () async throws -> [Int]
    ) async throws -> [Int] {
        var times: [Double] = []
        var figures: [Int] = []
        let processor = ProcessorTime.own()
        for _ in 0..<Self.runs {
            let start = ContinuousClock.now
            figures = try await work()
            times.append((ContinuousClock.now - start).inSeconds * 1_000)
        }
        let used = (ProcessorTime.own() - processor) / Double(Self.runs) * 1_000
        times.sort()
        print(
            "\(what): \(text(times[times.count / 2])) ms, least \(text(times[0])) ms,"
                + " \(text(used)) ms of processor time"
        )
        return figures
    }

    private func text(_ number: Double) -> String { String(format: "%.1f", number) }

    // MARK: Questions

    private func period(_ audience: SyntheticAudience, days: Int) -> ReportPeriod {
        ReportPeriod(
            .day,
            length: days,
            endingAt: Date(timeIntervalSince1970: Double(audience.now - 1)),
            in: .gmt
        )
    }

    private func series(
        _ audience: SyntheticAudience,
        _ measure: SeriesQuestion.Measure = .total
    ) -> SeriesQuestion {
        SeriesQuestion(
            period: period(audience, days: 90),
            figure: .activity(ReportActivity(.event("purchase"))),
            measure: measure
        )
    }

    private func funnel(
        _ audience: SyntheticAudience,
        by trait: ReportBreakdown.Trait? = nil
    ) -> FunnelQuestion {
        FunnelQuestion(
            period: period(audience, days: 90),
            steps: Self.steps.map { ReportActivity(.event($0)) },
            window: 7 * 86_400,
            breakdown: trait.map { ReportBreakdown($0) }
        )
    }

    /// Purchases of at least 50.
    private func priced() throws -> ReportActivity {
        guard let price = AttributePath("price") else { throw BenchError("no path") }
        return ReportActivity(
            .event("purchase"),
            properties: [.init(path: price, test: .number(.greaterOrEqual, 50))]
        )
    }

    private func pricedSeries(_ audience: SyntheticAudience) throws -> SeriesQuestion {
        var question = series(audience)
        question.figure = .activity(try priced())
        return question
    }

    private func pricedFunnel(_ audience: SyntheticAudience) throws -> FunnelQuestion {
        var question = funnel(audience)
        question.steps[Self.steps.count - 1] = try priced()
        return question
    }

    /// From looking at a product to buying the same one.
    private func productFunnel(_ audience: SyntheticAudience) throws -> FunnelQuestion {
        guard let product = AttributePath("product_id") else { throw BenchError("no path") }
        var question = funnel(audience)
        question.steps = ["product_view", "add_to_cart", "purchase"].map {
            ReportActivity(.event($0))
        }
        question.constant = product
        return question
    }

    private func pricedRetention(_ audience: SyntheticAudience) throws -> RetentionQuestion {
        var question = retention(audience)
        question.first = try priced()
        return question
    }

    private func retention(_ audience: SyntheticAudience) -> RetentionQuestion {
        var period = period(audience, days: 30)
        period.end = period.end.addingTimeInterval(-30 * 86_400)
        return RetentionQuestion(
            period: period,
            cohort: .recurring,
            mode: .nDay,
            intervals: 30,
            first: ReportActivity(.event("purchase")),
            returning: ReportActivity(.event("session_start"))
        )
    }

    // MARK: DuckDB

    private struct Compared: Decodable {
        var version: String
        /// By report, on one thread and on all.
        var milliseconds: [String: [Double]]
        var figures: [String: [Int]]
    }

    private func compareWithDuckDB(
        _ audience: SyntheticAudience,
        _ figures: [String: [Int]]
    ) async throws {
        let python: ExternalTool
        do {
            python = try DuckDBComparison.python(compare)
        } catch {
            // Our own figures are worth having without the comparison.
            return print("no comparison: \(error)")
        }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-reports-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // A folder that stays behind in the temporary directory harms nobody.
            try? FileManager.default.removeItem(at: folder)
        }
        try write(audience, to: folder.appendingPathComponent("events.csv"))
        let output = try python.run(
            ["-c", Self.script, folder.path, String(audience.now)],
            processor: nil
        )
        let last = output.split(separator: "\n").last ?? ""
        let compared = try JSONDecoder().decode(Compared.self, from: Data(last.utf8))
        var isEqual = true
        for (report, times) in compared.milliseconds.sorted(by: { $0.key < $1.key }) {
            let agrees = compared.figures[report] == figures[report]
            isEqual = isEqual && agrees
            print(
                "DuckDB \(compared.version), \(report): \(text(times[0])) ms on one thread,"
                    + " \(text(times[1])) ms on all, figures \(agrees ? "equal" : "DIFFERENT")"
            )
        }
        if !isEqual { throw ExitCode.failure }
    }

    private func write(_ audience: SyntheticAudience, to file: URL) throws {
        try Data("user_no,name,time,product,price\n".utf8).write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        let names = SyntheticAudience.eventNames
        for start in stride(from: 0, to: audience.events, by: 100_000) {
            var lines: [UInt8] = []
            audience.forEachEvent(in: start..<min(start + 100_000, audience.events)) {
                let price = $0.price.map { String(Double($0) / 100) } ?? ""
                let line = "\($0.user),\(names[$0.name]),\($0.time),\($0.productID ?? ""),\(price)"
                lines.append(contentsOf: (line + "\n").utf8)
            }
            try handle.write(contentsOf: lines)
        }
        try handle.close()
    }

    /// Typed columns, sorted by user, as a careful user of DuckDB would make them, before anything is
    /// measured. Attempts go by the first following occurrence, which is what ASOF joins find.
    private static let script = """
        import duckdb, json, statistics, sys, time
        folder, now = sys.argv[1], int(sys.argv[2])
        day, db = 86400, duckdb.connect()
        db.execute("set enable_progress_bar = false")
        db.execute(f'''create table events as select user_no::integer user_no, name,
          time::bigint t, product, price from read_csv('{folder}/events.csv', header=true,
          columns={{'user_no':'integer','name':'varchar','time':'bigint','product':'varchar',
          'price':'double'}}) order by name, user_no, t''')
        first = now - 90 * day
        steps = ['product_view', 'add_to_cart', 'checkout_start', 'purchase']
        def step(n, where='true'):
            return f"(select user_no, t from events where name = '{steps[n]}' and {where})"
        def funnel(last):
            return f'''with a as (select user_no, t t1 from {step(0)} where t >= {first} and t < {now}),
          b as (select a.*, o.t t2 from a asof left join {step(1)} o
                on a.user_no = o.user_no and a.t1 <= o.t),
          c as (select b.*, o.t t3 from b asof left join {step(2)} o
                on b.user_no = o.user_no and b.t2 <= o.t),
          d as (select c.*, o.t t4 from c asof left join {step(3, last)} o
                on c.user_no = o.user_no and c.t3 <= o.t),
          best as (select user_no, max(case when t4 - t1 <= {7 * day} then 4
                when t3 - t1 <= {7 * day} then 3 when t2 - t1 <= {7 * day} then 2 else 1 end) reached
                from d group by 1)
          select count(*), count(*) filter (reached >= 2), count(*) filter (reached >= 3),
            count(*) filter (reached >= 4) from best'''
        def item(name):
            return f"(select user_no, product, t from events where name = '{name}')"
        product = f'''with a as (select user_no, product, t t1 from {item('product_view')}
            where t >= {first} and t < {now}),
          b as (select a.*, o.t t2 from a asof left join {item('add_to_cart')} o
                on a.user_no = o.user_no and a.product = o.product and a.t1 <= o.t),
          c as (select b.*, o.t t3 from b asof left join {item('purchase')} o
                on b.user_no = o.user_no and b.product = o.product and b.t2 <= o.t),
          best as (select user_no, max(case when t3 - t1 <= {7 * day} then 3
                when t2 - t1 <= {7 * day} then 2 else 1 end) reached from c group by 1)
          select count(*), count(*) filter (reached >= 2), count(*) filter (reached >= 3) from best'''
        start = now - 60 * day
        def retention(which):
            return f'''with f as (select user_no, (t - {start}) // {day} d, min(t) t from events
            where name = 'purchase' and {which} and t >= {start} and t < {start + 30 * day}
            group by 1, 2),
          r as (select user_no, (t - {start}) // {day} d, max(t) t from events
            where name = 'session_start' and t >= {start} and t < {now} group by 1, 2)
          select f.d, r.d - f.d k, count(*) from f join r on r.user_no = f.user_no
            and r.d >= f.d and r.d <= f.d + 30 and r.t >= f.t group by 1, 2'''
        def series(figure, which='true'):
            return f'''select (t - {first}) // {day} d, {figure} from events
              where name = 'purchase' and {which} and t >= {first} and t < {now} group by 1'''
        dear = 'price >= 50'
        queries = {'series': series('count(*)'), 'users': series('count(distinct user_no)'),
                   'funnel': funnel('true'), 'retention': retention('true'),
                   'priced series': series('count(*)', dear), 'priced funnel': funnel(dear),
                   'same product': product, 'priced retention': retention(dear)}
        milliseconds, figures = {}, {}
        for name, query in queries.items():
            for threads in (1, None):
                db.execute(f"set threads to {threads}" if threads else "reset threads")
                times = []
                for _ in range(5):
                    begin = time.perf_counter()
                    rows = db.execute(query).fetchall()
                    times.append((time.perf_counter() - begin) * 1000)
                milliseconds.setdefault(name, []).append(statistics.median(times))
            if name in ('funnel', 'priced funnel', 'same product'):
                figures[name] = list(rows[0])
            elif name.endswith('retention'):
                cells = {(d, k): n for d, k, n in rows}
                figures[name] = [cells.get((d, k), 0) for d in range(30) for k in range(31)]
            else:
                found = dict(rows)
                figures[name] = [found.get(d, 0) for d in range(90)]
        print(json.dumps({'version': duckdb.__version__, 'milliseconds': milliseconds,
                          'figures': figures}))
        """
}
