import ArgumentParser
import Foundation
import Model
import Ports
import StoreSQL

/// The crash test of delivery.
struct DeliveryTorture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delivery",
        abstract: "A campaign through kill -9 and a push service with faults.",
        discussion: """
            The server runs as a process of its own and is killed at random moments, the APNs \
            simulator as another one that keeps a record and plays faults: cut connections, 429 \
            and 503 with Retry-After, 500, GOAWAY, resets, and pushes that are accepted without \
            an answer. At the end every device has to show the push exactly once, and the ledger \
            is compared with the simulator's record row by row. Ends with 1 when they differ.
            """
    )

    @Option(help: "Users, each with one device.")
    var recipients = 100_000
    @Option(help: "How often the server is killed.")
    var kills = 20
    @Option(help: "How many requests of a hundred go wrong.")
    var faults = 2.0
    @Option(help: "Chooses the moments; the same seed repeats a run as far as time allows.")
    var seed: UInt64?
    @Option(help: "The noroshi-server to torture; the one beside this program without it.")
    var server: String?
    @Option(help: "A folder for the file with the users, which the next run uses again.")
    var folder: String?

    /// The run has failed after this many seconds without progress.
    private static let patience: TimeInterval = 60

    func run() async throws {
        guard recipients > 0, kills >= 0, (0...50).contains(faults) else {
            throw ValidationError("give at least one recipient, and faults from 0 to 50")
        }
        let seed = self.seed ?? UInt64.random(in: 1...999_999)
        print("seed \(seed): \(recipients) recipients, \(kills) kills, \(faults) % faults")
        let users = DeliveryAudience(folder: usersFolder, users: recipients)
        try await users.prepare { print($0) }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-torture-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let site = TortureEnvironment(
            folder: folder,
            serverPath: try serverPath(),
            recipients: recipients,
            seed: seed
        )
        try site.prepare(users)
        let verdict = try await torture(site, SeededRandom(seed: seed))
        for line in verdict.summary { print(line) }
        guard verdict.differences.isEmpty else {
            for line in verdict.differences.prefix(20) { print("  \(line)") }
            print(
                "FAILED: \(verdict.differences.count) differences; the files are in \(folder.path)"
            )
            throw ExitCode(1)
        }
        try? FileManager.default.removeItem(at: folder)
        print("PASSED: every device shows the push once, and the ledger agrees with the record.")
    }

    private var usersFolder: URL {
        folder.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-bench-delivery")
    }

    private func serverPath() throws -> String {
        let path =
            server
            ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("noroshi-server").path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw ValidationError("there is no noroshi-server at \(path); name it with --server")
        }
        return path
    }

    private func torture(
        _ site: TortureEnvironment,
        _ random: SeededRandom
    ) async throws -> TortureVerdict {
        var random = random
        let start = ContinuousClock.now
        let simulator = try site.startSimulator(faults: faults)
        defer { simulator.kill() }
        let store = try SQLStore(path: site.database)
        let send = try await site.makeSend(in: store)
        var record = try AcceptedRecord(path: site.recordPath)
        var server = try site.startServer(simulator: simulator)
        defer { server.kill() }
        let moments = (0..<kills).map { _ in Int.random(in: 0..<recipients, using: &random) }
        for (number, moment) in moments.sorted().enumerated() {
            try await wait(for: moment, of: send, store, &record, server)
            // At any point of a transaction, a claim or a response.
            try await Task.sleep(for: .microseconds(Int.random(in: 0...50_000, using: &random)))
            server.kill()
            try record.follow()
            print("kill \(number + 1) of \(kills) after \(record.lines) accepted pushes")
            fflush(nil)
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...200, using: &random)))
            server = try site.startServer(simulator: simulator)
        }
        try await wait(for: nil, of: send, store, &record, server)
        server.stop()
        try record.follow()
        return try await TortureVerdict(
            site: site,
            send: send,
            store: store,
            record: record,
            seconds: (ContinuousClock.now - start).seconds
        )
    }

    /// Waits until the simulator has accepted `moment` pushes, or the send is finished.
    private func wait(
        for moment: Int?,
        of send: SendID,
        _ store: SQLStore,
        _ record: inout AcceptedRecord,
        _ server: ProgramProcess
    ) async throws {
        var lastChange = Date()
        var lastDone = -1
        while true {
            try record.follow()
            if let moment, record.devices.count >= moment { return }
            guard let stored = try await store.send(send) else {
                throw BenchError("the send is gone")
            }
            if stored.state == .finished { return }
            guard server.isRunning else { throw BenchError("the server ended by itself") }
            let counts = try await store.counts(of: [send])[send] ?? SendCounts()
            let done = counts.total - counts[.queued] - counts[.sending]
            if done != lastDone { (lastDone, lastChange) = (done, Date()) }
            guard Date().timeIntervalSince(lastChange) < Self.patience else {
                throw BenchError("nothing has happened for a minute: \(counts.states)")
            }
            try await Task.sleep(for: .milliseconds(moment == nil ? 50 : 5))
        }
    }
}
