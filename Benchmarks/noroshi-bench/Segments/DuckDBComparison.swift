import Foundation
import SyntheticAudience

/// The same six segments in DuckDB on one thread, on the same data.
struct DuckDBComparison: Codable {
    var version: String
    var milliseconds: [String: Double]
    var counts: [String: Int]

    private static let findsPackage = """
        import importlib.util, sys
        sys.exit(0 if importlib.util.find_spec("duckdb") else 3)
        """

    /// A Python with the package `duckdb`: the given one, or otherwise that of the active
    /// environment, of an environment in a usual folder, or of the system.
    static func python(_ name: String?) throws -> ExternalTool {
        if let name {
            guard let python = ExternalTool.this(name) else {
                throw BenchError("there is no program '\(name)'")
            }
            guard hasPackage(python) else {
                throw BenchError("\(name) has no package duckdb; try \(name) -m pip install duckdb")
            }
            return python
        }
        let active = ProcessInfo.processInfo.environment["VIRTUAL_ENV"].map { "\($0)/bin/python3" }
        let candidates = [active, ".venv/bin/python3", "venv/bin/python3", "python3"]
        for candidate in candidates.compactMap(\.self) {
            if let python = ExternalTool.this(candidate), hasPackage(python) { return python }
        }
        throw BenchError(
            "no Python with the package duckdb was found; --compare PYTHON names one"
        )
    }

    private static func hasPackage(_ python: ExternalTool) -> Bool {
        // Any other end, such as a Python that does not start, counts as missing.
        (try? python.run(["-c", findsPackage], processor: nil)) != nil
    }

    static func run(
        _ audience: SyntheticAudience,
        python: ExternalTool
    ) throws -> DuckDBComparison {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-bench-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // A remaining folder in the temporary directory is harmless.
            try? FileManager.default.removeItem(at: folder)
        }
        try writeFiles(audience, to: folder)
        let output = try python.run(
            ["-c", script, folder.path, String(audience.now)],
            processor: nil
        )
        // The result is the last line; DuckDB may have printed others before.
        let last = output.split(separator: "\n").last ?? ""
        return try JSONDecoder().decode(DuckDBComparison.self, from: Data(last.utf8))
    }

    private static func writeFiles(_ audience: SyntheticAudience, to folder: URL) throws {
        func write(_ name: String, _ body: ((String) throws -> Void) throws -> Void) throws {
            let file = folder.appendingPathComponent(name)
            try Data().write(to: file)
            let handle = try FileHandle(forWritingTo: file)
            var buffer: [UInt8] = []
            try body { line in
                buffer.append(contentsOf: line.utf8)
                guard buffer.count > 1 << 22 else { return }
                try handle.write(contentsOf: buffer)
                buffer.removeAll(keepingCapacity: true)
            }
            try handle.write(contentsOf: buffer)
            try handle.close()
        }
        try write("users.csv") { add in
            try add(SyntheticCSV.userHeader)
            for number in 0..<audience.users { try add(SyntheticCSV.line(audience.user(number))) }
        }
        try write("events.csv") { add in
            // No segment uses properties.
            try add("user_no,name,time\n")
            let names = SyntheticAudience.eventNames
            try audience.forEachEvent(in: 0..<audience.events) {
                try add("\($0.user),\(names[$0.name]),\($0.time)\n")
            }
        }
    }

    /// Typed columns, as an experienced user of DuckDB would create them, before the measurement.
    private static let script = """
        import duckdb, json, statistics, sys, time
        folder, now = sys.argv[1], int(sys.argv[2])
        db = duckdb.connect()
        db.execute("set threads to 1")
        db.execute("set enable_progress_bar = false")
        db.execute(f'''create table users as select user_no::integer user_no, country, language,
          push_subscribe, session_count::integer session_count,
          last_session_at::bigint last_session_at, a->>'plan' plan,
          a->>'referral_code' referral_code, (a->>'loyalty_points')::integer loyalty_points,
          (a->>'nps')::integer nps, (a->>'is_vip')::boolean is_vip,
          (a->'interests')::varchar[] interests, json_array_length(d)::integer device_count
          from (select *, custom_attributes::json a, devices::json d
                from read_csv('{folder}/users.csv', header=true, all_varchar=true))''')
        db.execute(f'''create table events as select user_no::integer user_no, name,
          time::bigint time from read_csv('{folder}/events.csv', header=true,
          columns={{'user_no':'integer','name':'varchar','time':'bigint'}})''')
        day = 86400
        queries = {
          'a': "select count(*) from users where country = 'DE' and plan = 'pro'",
          'b': f'''select count(*) from users where last_session_at >= {now - 7 * day} and user_no in
            (select user_no from events where name = 'purchase' and time >= {now - 30 * day}
             group by user_no having count(*) >= 3)''',
          'c': f'''select count(*) from users where list_contains(interests, 'running') and user_no
            not in (select user_no from events where name = 'add_to_cart'
                    and time >= {now - 14 * day})''',
          'd': "select count(*) from users where regexp_matches(referral_code, '^(SUMMER|WINTER)-[0-9]{3}7$')",
          'e': f'''select count(*) from users where (country in ('DE', 'FR') or language = 'es')
            and (plan = 'pro' or loyalty_points >= 5000) and (is_vip or nps >= 9)
            and (session_count > 20 or user_no in (select user_no from events
                 where name = 'favorite' and time >= {now - 7 * day}))''',
          'f': '''select count(*), sum(device_count) from users
            where push_subscribe <> 'unsubscribed' and device_count > 0''',
        }
        milliseconds, counts = {}, {}
        for name, query in queries.items():
            times = []
            for _ in range(9):
                start = time.perf_counter()
                row = db.execute(query).fetchone()
                times.append((time.perf_counter() - start) * 1000)
            milliseconds[name] = statistics.median(times)
            if name == 'f':
                counts['f_users'], counts['f_tokens'] = int(row[0]), int(row[1])
            else:
                counts[name] = int(row[0])
        print(json.dumps({'version': duckdb.__version__, 'milliseconds': milliseconds,
                          'counts': counts}))
        """
}
