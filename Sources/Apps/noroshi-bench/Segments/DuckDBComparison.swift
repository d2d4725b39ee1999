import Foundation
import SyntheticAudience

/// The same six segments in DuckDB on one thread, on the same data.
struct DuckDBComparison: Codable {
    var milliseconds: [String: Double]
    var counts: [String: Int]

    /// `nil` when the Python at hand has no DuckDB.
    static func run(
        _ audience: SyntheticAudience,
        python: String
    ) throws -> DuckDBComparison? {
        guard try call(python, ["-c", "import duckdb"]).status == 0 else { return nil }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-bench-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // A folder that stays behind in the temporary directory harms nobody.
            try? FileManager.default.removeItem(at: folder)
        }
        try writeFiles(audience, to: folder)
        let (status, output) = try call(
            python,
            ["-c", script, folder.path, String(audience.now)]
        )
        guard status == 0 else { return nil }
        // The result is the last line; DuckDB may have written others before.
        let lines = output.split(separator: UInt8(ascii: "\n"))
        return try JSONDecoder().decode(DuckDBComparison.self, from: lines.last ?? Data())
    }

    private static func call(
        _ program: String,
        _ arguments: [String]
    ) throws -> (status: Int32, output: Data) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, data)
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
            try add(SyntheticCSV.eventHeader)
            try audience.forEachEvent(in: 0..<audience.events) { try add(SyntheticCSV.line($0)) }
        }
    }

    /// Typed columns, as a careful user of DuckDB would make them, before anything is measured.
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
          columns={{'user_no':'integer','name':'varchar','time':'bigint','properties':'varchar'}})''')
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
        print(json.dumps({'milliseconds': milliseconds, 'counts': counts}))
        """
}
