import ArgumentParser
import Audience
import Foundation
import Ports
import Segments
import StoreSQLite
import SyntheticAudience

/// `segments`: how long the six segments of `audience-expected.json` take on the columns.
struct SegmentsBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "segments",
        abstract: "Counts six segments over made-up users, beside DuckDB where it is installed."
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
        help: "A SQLite file to start from; it is made and filled where it is missing."
    )
    var database: String?
    @Flag(name: .customLong("json"), help: "Prints JSON.")
    var isJSON = false
    @Option(help: "A Python with the package duckdb, for the comparison.")
    var python: String?

    struct Report: Codable {
        var users: Int
        var events: Int
        var seed: UInt64
        var workers: Int
        /// From the start until every user is in memory: from the database where one is given.
        var importSeconds: Double
        /// Of all processors together; less than twice the time says that others were busy too.
        var importProcessorSeconds: Double
        var secondsToFillDatabase: Double?
        var peakResidentMegabytes: Double
        var megabytes: [String: Double]
        var megabytesPerMillionUsers: Double
        var counts: [String: Int]
        var milliseconds: [String: Double]
        var streamedUsers: Int
        var streamedTokens: Int
        var streamSeconds: Double
        var updatesPerSecond: Double
        var duckDBMilliseconds: [String: Double]?
        var duckDBCounts: [String: Int]?
    }

    private static let warmRuns = 21

    func run() async throws {
        let audience = SyntheticAudience(users: users, events: events, seed: seed)
        let clock = ContinuousClock()
        let filled = try await database.asyncMap { try await SyntheticDatabase.open($0, audience) }

        let store = AudienceStore()
        let processorBefore = Self.processorSeconds()
        let importTime = try await clock.measure {
            if let filled {
                let view = try await filled.store.audienceView()
                try await store.rebuild(from: view.rows(of: filled.workspace))
            } else {
                try await store.rebuild(
                    from: SyntheticRowSource(audience: audience, workers: workers)
                )
            }
        }
        let importProcessorTime = Self.processorSeconds() - processorBefore
        let columns = store.snapshot()

        var counts: [String: Int] = [:]
        var milliseconds: [String: Double] = [:]
        for (name, text) in SyntheticAudience.segments {
            let rule = try SegmentParser.parse(text).rule
            var times: [Double] = []
            var count = SelectionCount()
            for _ in 0..<Self.warmRuns {
                let time = try await clock.measure {
                    let selection = try await columns.select(
                        rule,
                        now: audience.now,
                        workers: workers
                    )
                    count = try await selection.count()
                }
                times.append(time.inSeconds * 1_000)
            }
            milliseconds[name] = times.sorted()[times.count / 2]
            if name == "f" {
                counts["f_users"] = count.users
                counts["f_tokens"] = count.devices
            } else {
                counts[name] = count.users
            }
        }

        let (streamedUsers, streamedTokens, streamTime) = try await stream(columns, clock)
        let memory = columns.memory
        var report = Report(
            users: users,
            events: events,
            seed: seed,
            workers: workers,
            importSeconds: importTime.inSeconds,
            importProcessorSeconds: importProcessorTime,
            secondsToFillDatabase: filled?.secondsToFill,
            peakResidentMegabytes: Double(MemoryUse.peakBytes()) / 1_000_000,
            megabytes: [
                "attributes": memory.attributes.inMegabytes,
                "dictionaries": memory.dictionaries.inMegabytes,
                "devices": memory.devices.inMegabytes, "tokens": memory.tokens.inMegabytes,
                "activities": memory.activities.inMegabytes,
                "others": memory.others.inMegabytes, "total": memory.total.inMegabytes,
            ],
            megabytesPerMillionUsers: memory.bytesPerMillionUsers.inMegabytes,
            counts: counts,
            milliseconds: milliseconds,
            streamedUsers: streamedUsers,
            streamedTokens: streamedTokens,
            streamSeconds: streamTime.inSeconds,
            updatesPerSecond: updateRate(audience, store, clock)
        )
        if let python {
            do {
                let compared = try DuckDBComparison.run(audience, python: python)
                report.duckDBMilliseconds = compared?.milliseconds
                report.duckDBCounts = compared?.counts
            } catch {
                // Our own figures are worth having without the comparison.
                FileHandle.standardError.write(Data("DuckDB left out: \(error)\n".utf8))
            }
        }
        try write(report)
    }

    private static func processorSeconds() -> Double {
        Double(clock()) / Double(CLOCKS_PER_SEC)
    }

    /// Streams the users of segment f, whom a push would go to, with their tokens.
    private func stream(
        _ columns: AudienceColumns,
        _ clock: ContinuousClock
    ) async throws -> (users: Int, tokens: Int, time: Duration) {
        guard let text = SyntheticAudience.segments.last?.text else { return (0, 0, .zero) }
        let selection = try await columns.select(
            try SegmentParser.parse(text).rule,
            now: SyntheticAudience.usualNow,
            workers: workers
        )
        var users = 0
        var tokens = 0
        let time = clock.measure {
            for batch in selection.stream() {
                users += batch.members.count
                for member in batch.members {
                    tokens += member.devices.count { $0.token != nil }
                }
            }
        }
        return (users, tokens, time)
    }

    /// Commits of ten profiles and fifty events each, one after another, with a snapshot held as
    /// by a running evaluation.
    private func updateRate(
        _ audience: SyntheticAudience,
        _ store: AudienceStore,
        _ clock: ContinuousClock
    ) -> Double {
        let commits = 200
        let time = clock.measure {
            for commit in 0..<commits {
                let held = store.snapshot()
                let profiles = (0..<10).map { offset in
                    var profile = audience.profile((commit * 7_919 + offset * 104_729) % users)
                    profile.sessionCount += 1
                    return profile
                }
                let events = (0..<50).map { offset in
                    AudienceEvent(
                        profile: profiles[offset % 10].rowID,
                        activity: .event("purchase"),
                        time: audience.now + Int64(commit)
                    )
                }
                store.apply(
                    AudienceChange(
                        sequence: held.sequence + 1,
                        profiles: profiles,
                        events: events
                    )
                )
            }
        }
        return Double(commits) / time.inSeconds
    }

    private func write(_ report: Report) throws {
        if isJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            print(String(decoding: try encoder.encode(report), as: UTF8.self))
            return
        }
        func text(_ value: Double) -> String { String(format: "%.2f", value) }
        print("\(users) users, \(events) events, seed \(seed), \(workers) workers")
        print(
            "import \(text(report.importSeconds)) s, "
                + "\(text(report.importProcessorSeconds)) s of processor time"
        )
        for (name, size) in report.megabytes.sorted(by: { $0.key < $1.key }) {
            print("  \(name) \(text(size)) MB")
        }
        print("\(text(report.megabytesPerMillionUsers)) MB per million users")
        print("\(text(report.peakResidentMegabytes)) MB resident at most")
        if let seconds = report.secondsToFillDatabase {
            print("\(text(seconds)) s to fill the database")
        }
        for (name, _) in SyntheticAudience.segments {
            let key = name == "f" ? "f_users" : name
            var line = "\(name): \(report.counts[key] ?? 0) users"
            line += ", \(text(report.milliseconds[name] ?? 0)) ms"
            if let other = report.duckDBMilliseconds?[name] {
                line += " (DuckDB, one thread: \(text(other)) ms"
                line += ", \(report.duckDBCounts?[key] ?? 0) users)"
            }
            print(line)
        }
        print("devices of f: \(report.counts["f_tokens"] ?? 0)")
        print(
            "streamed \(report.streamedUsers) users with \(report.streamedTokens) tokens in "
                + "\(text(report.streamSeconds)) s"
        )
        print("\(text(report.updatesPerSecond)) commits of 10 profiles and 50 events a second")
    }
}

extension Duration {
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

extension Int {
    fileprivate var inMegabytes: Double { Double(self) / 1_000_000 }
}

extension Optional {
    fileprivate func asyncMap<Value>(
        _ body: (Wrapped) async throws -> Value
    ) async rethrows -> Value? {
        guard let wrapped = self else { return nil }
        return try await body(wrapped)
    }
}
