import ArgumentParser
import Foundation
import Ingestion
import JSON
import Model
import NIOCore
import Ports
import StoreSQL

/// Events per second from HTTP to durable rows.
struct IngestBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Events through /users/track to durable rows.",
        discussion: """
            A server process with its usual settings on a database that holds events already; \
            this process posts bodies of 75 events over connections that stay open, and counts \
            an event when its answer is there, which comes after the commit.
            """
    )

    @Option(help: "Events to post in each run.")
    var events = 750_000

    @Option(help: "Events that are stored before.")
    var stored = 1_000_000

    @Option(help: "Users whose events they are.")
    var users = 50_000

    @Option(help: "Connections that post at the same time.")
    var connections = 32

    @Option(help: "The server's binary; the one beside this program by default.")
    var server: String?

    @Option(help: "A database of PostgreSQL, postgres://…, that is measured after a file.")
    var database: String?

    @Flag(help: "Measure the JSON readers only.")
    var reader = false

    @Flag(help: "Print the result as JSON.")
    var json = false

    func run() async throws {
        let workload = IngestWorkload(users: users)
        let now = Date()
        var report = IngestReport(
            stored_events: stored,
            users: users,
            connections: connections,
            events_of_a_body: IngestWorkload.eventsOfBody,
            json: try JSONReaders(workload.body(0, at: now), now: now)
        )
        if !reader {
            report.databases.append(try await measure(nil, workload))
            if let database { report.databases.append(try await measure(database, workload)) }
        }
        try report.show(asJSON: json)
    }

    /// - Parameter database: A database of PostgreSQL; `nil` for a file.
    private func measure(
        _ database: String?,
        _ workload: IngestWorkload
    ) async throws -> IngestReport.Database {
        let binary = try ServerUnderTest.binary(server)
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("bench.sqlite").path
        let place = database ?? "sqlite:\(path)"
        // A database of PostgreSQL has no folder for a key.
        try Data(Data(repeating: 7, count: 32).base64EncodedString().utf8)
            .write(to: URL(filePath: path + ".key"))
        let options = ["--database", place, "--secret-key-file", path + ".key"]
        // A database may know the keys of earlier measurements.
        let name = "bench \(UUID().uuidString)"
        let key =
            try binary.run(
                ["apikey", "create", "--name", name, "--permissions", "users.track"] + options,
                processor: nil
            ).split(separator: "\n").last.map(String.init) ?? ""
        var result = IngestReport.Database(
            kind: database == nil ? "sqlite" : "postgres",
            seeding_events_per_second: try await seed(DatabaseLocation(place), workload)
        )
        let process = try ServerUnderTest(binary, arguments: options)
        defer { process.stop() }
        for kind in IngestReport.Run.Kind.allCases {
            result.runs.append(try await load(kind, key, workload, process))
        }
        result.server_peak_memory_megabytes = process.peakBytes.map {
            (Double($0) / 1e5).rounded() / 10
        }
        return result
    }

    /// Stores the initial events directly, without the network.
    private func seed(
        _ place: DatabaseLocation,
        _ workload: IngestWorkload
    ) async throws -> Double {
        let store = try SQLStore(at: place, synchronous: .normal)
        guard let workspace = try await store.workspaces().first?.id else {
            throw BenchError("the database has no workspace")
        }
        let bodies = (stored + IngestWorkload.eventsOfBody - 1) / IngestWorkload.eventsOfBody
        let now = Date()
        let start = ContinuousClock.now
        for first in stride(from: 0, to: bodies, by: 200) {
            let requests = try (first..<min(first + 200, bodies)).map { number in
                // One body per second, the last one a minute ago.
                let date = now.addingTimeInterval(Double(number - bodies - 60))
                let body = try JSONDocument(bytes: workload.body(1_000_000 + number, at: date))
                return IngestRequest(
                    workspace: workspace,
                    source: .api,
                    items: try TrackRequest(body.root, now: now).items
                )
            }
            _ = try await store.ingest(requests, now: now)
        }
        let seconds = (ContinuousClock.now - start).seconds
        return (Double(bodies * IngestWorkload.eventsOfBody) / seconds).rounded()
    }

    private func load(
        _ kind: IngestReport.Run.Kind,
        _ key: String,
        _ workload: IngestWorkload,
        _ process: ServerUnderTest
    ) async throws -> IngestReport.Run {
        let now = Date()
        let delay: IngestWorkload.Delay = kind == .late ? .late : .live
        let firstKey = kind == .idempotent ? Self.requestKey(0) : nil
        let templates = (0..<500).map { number in
            RequestTemplate(
                IngestWorkload.request(
                    workload.body(number, at: now, delay),
                    host: "127.0.0.1:\(process.port)",
                    key: key,
                    requestKey: firstKey
                ),
                madeFor: now,
                hasKey: firstKey != nil
            )
        }
        let load = IngestLoad(
            host: "127.0.0.1",
            port: process.port,
            connections: connections,
            request: { number in
                templates[number % templates.count]
                    .request(at: Date(), requestKey: Self.requestKey(number))
            },
            isComplete: {
                $0.contains("\"events_processed\":\(IngestWorkload.eventsOfBody)")
                    && !$0.contains("errors")
            }
        )
        let count = max(connections, events / IngestWorkload.eventsOfBody)
        let before = (server: process.processorSeconds, own: ProcessorTime.own())
        let outcome = try await load.run(requests: count)
        let total = Double(count * IngestWorkload.eventsOfBody)
        let own = (ProcessorTime.own() - before.own) / total
        let server = zip([process.processorSeconds], [before.server]).compactMap { after, before in
            after.flatMap { after in before.map { (after - $0) / total } }
        }.first
        let latencies = outcome.latencies.sorted()
        return IngestReport.Run(
            kind: kind,
            events: Int(total),
            seconds: Self.rounded(outcome.seconds),
            events_per_second: (total / outcome.seconds).rounded(),
            p50_milliseconds: Self.rounded(latencies[latencies.count / 2] * 1000),
            p99_milliseconds: Self.rounded(latencies[latencies.count * 99 / 100] * 1000),
            refusals: outcome.refusals,
            server_processor_microseconds: server.map { Self.rounded($0 * 1e6) },
            generator_processor_microseconds: Self.rounded(own * 1e6),
            events_per_second_of_two_processors: server.map { (2 / ($0 + own)).rounded() }
        )
    }

    /// Tells this measurement's requests from those of earlier ones, which a database knows.
    private static let measurement = UUID().uuidString

    /// Keys of equal length, so that one can replace another.
    private static func requestKey(_ number: Int) -> String {
        let digits = String(number)
        return "bench-\(measurement)-" + String(repeating: "0", count: 10 - digits.count) + digits
    }

    private static func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }
}
