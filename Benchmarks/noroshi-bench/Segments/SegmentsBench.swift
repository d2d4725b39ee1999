import ArgumentParser
import Audience
import Foundation
import Ports
import Segments
import StoreSQL
import SyntheticAudience

/// `segments`: measures the six segments of `audience-expected.json` on the columns.
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
    @Flag(
        help: """
            Also measures a server's start from a database with the same users and events, which is \
            made first: minutes for a million users.
            """
    )
    var start = false
    @Option(
        help: """
            The file for the start, kept for later runs; made and filled where it is missing. Without it, --start \
            makes one in a temporary folder and removes it. With a database of PostgreSQL, postgres://…, that \
            one's start is measured after the file's; it gets the file's users if it is empty.
            """
    )
    var database: String?
    @Option(
        help: """
            A file of expected counts such as Tests/Support/Audience/audience-expected.json; \
            other counts are a failure.
            """
    )
    var expected: String?
    @Option(
        help: """
            A Python with the package duckdb, for the comparison; by default one that has it is \
            looked for.
            """
    )
    var compare: String?
    @Flag(name: .customLong("json"), help: "Prints JSON.")
    var isJSON = false

    private static let warmRuns = 21

    func run() async throws {
        let audience = SyntheticAudience(users: users, events: events, seed: seed)
        let clock = ContinuousClock()
        let store = WorkspaceUserIndex()
        let processorBefore = ProcessorTime.own()
        let importTime = try await clock.measure {
            try await store.rebuild(
                from: SyntheticRowSource(audience: audience, workers: workers)
            )
        }
        var report = SegmentsReport(
            users: users,
            events: events,
            seed: seed,
            workers: workers,
            importSeconds: importTime.inSeconds,
            importProcessorSeconds: ProcessorTime.own() - processorBefore
        )
        let columns = store.snapshot()
        report.add(columns.memory)
        report.peakResidentMegabytes = Double(MemoryUse.peakBytes()) / 1_000_000
        try await count(columns, audience, into: &report)
        if let expected {
            report.countsAreExpected =
                try ExpectedCounts(file: expected)
                .counts(users: users, events: events) == report.counts
        }
        let (streamedUsers, streamTime) = try await stream(columns, clock)
        report.streamedUsers = streamedUsers
        report.streamSeconds = streamTime.inSeconds
        report.updatesPerSecond = updateRate(audience, store, clock)
        measureLoops(audience, into: &report)
        if start || database != nil {
            let measurement = StartMeasurement(audience: audience, expected: report.counts)
            (report.start, report.postgresStart) = try await measurement.measure(
                database.map(DatabaseLocation.init)
            )
        }
        compareWithDuckDB(audience, into: &report)
        try report.write(asJSON: isJSON)
        if !report.isConsistent { throw ExitCode.failure }
    }

    /// Counts the six segments, and measures each in warm runs.
    private func count(
        _ columns: ColumnSnapshot,
        _ audience: SyntheticAudience,
        into report: inout SegmentsReport
    ) async throws {
        let clock = ContinuousClock()
        for (name, text) in SyntheticAudience.segments {
            let rule = try SegmentParser.parse(text).rule
            var times: [Double] = []
            for _ in 0..<Self.warmRuns {
                let time = try await clock.measure {
                    let selection = try await columns.select(
                        rule,
                        at: EvaluationTime(now: audience.now),
                        workers: workers
                    )
                    report.counts.set(try await selection.count(), of: name)
                }
                times.append(time.inSeconds * 1_000)
            }
            report.milliseconds[name] = times.sorted()[times.count / 2]
        }
    }

    private func measureLoops(
        _ audience: SyntheticAudience,
        into report: inout SegmentsReport
    ) {
        let loops = HardCodedLoops(audience)
        let clock = ContinuousClock()
        var counts: [String: Int] = [:]
        for (name, _) in SyntheticAudience.segments {
            var times: [Double] = []
            for _ in 0..<Self.warmRuns {
                let time = clock.measure {
                    counts.merge(loops.counts(of: name)) { _, new in new }
                }
                times.append(time.inSeconds * 1_000)
            }
            let median = times.sorted()[times.count / 2]
            report.loopMilliseconds[name] = median
            report.timesLoops[name] = (report.milliseconds[name] ?? 0) / median
        }
        report.loopCountsAgree = counts == report.counts
    }

    private func compareWithDuckDB(
        _ audience: SyntheticAudience,
        into report: inout SegmentsReport
    ) {
        do {
            let python = try DuckDBComparison.python(compare)
            let compared = try DuckDBComparison.run(audience, python: python)
            report.duckDB = SegmentsReport.DuckDB(
                version: compared.version,
                milliseconds: compared.milliseconds,
                counts: compared.counts,
                countsAgree: compared.counts == report.counts,
                timesFaster: compared.milliseconds.reduce(into: [:]) { ratios, theirs in
                    ratios[theirs.key] = theirs.value / (report.milliseconds[theirs.key] ?? 0)
                }
            )
        } catch {
            // Our own results are useful without the comparison.
            report.duckDBReason = "\(error)"
        }
    }

    /// Streams the users of segment f, as for a push.
    private func stream(
        _ columns: ColumnSnapshot,
        _ clock: ContinuousClock
    ) async throws -> (users: Int, time: Duration) {
        guard let text = SyntheticAudience.segments.last?.text else { return (0, .zero) }
        let selection = try await columns.select(
            try SegmentParser.parse(text).rule,
            at: EvaluationTime(now: SyntheticAudience.usualNow),
            workers: workers
        )
        var users = 0
        let time = clock.measure {
            for batch in selection.stream() { users += batch.count }
        }
        return (users, time)
    }

    /// Applies consecutive commits of ten profiles and fifty events each, while a snapshot is held
    /// as by a running evaluation.
    private func updateRate(
        _ audience: SyntheticAudience,
        _ store: WorkspaceUserIndex,
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
}

extension Duration {
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

extension SegmentsReport {
    fileprivate mutating func add(_ memory: AudienceMemory) {
        func inMegabytes(_ bytes: Int) -> Double { Double(bytes) / 1_000_000 }
        megabytes = [
            "attributes": memory.attributes, "dictionaries": memory.dictionaries,
            "devices": memory.devices,
            "activities": memory.activities, "others": memory.others, "total": memory.total,
        ].mapValues(inMegabytes)
        megabytesPerMillionUsers = inMegabytes(memory.bytesPerMillionUsers)
    }
}

extension [String: Int] {
    /// By the names of `audience-expected.json`.
    mutating func set(_ count: SelectionCount, of segment: String) {
        if segment == "f" {
            self["f_users"] = count.users
            self["f_tokens"] = count.devices
        } else {
            self[segment] = count.users
        }
    }
}
