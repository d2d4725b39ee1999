import ArgumentParser
import Foundation
import StoreSQL

/// Measures a campaign from the audience to the last outcome.
struct DeliveryBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delivery",
        abstract: "A campaign end to end: from the audience to the last durable row.",
        discussion: """
            The delivery service with the APNs client over TLS and HTTP/2 on a database, and \
            the receiving side as a process of its own. Every push is rendered with Liquid (a \
            name, attributes, a condition, a filter); the time ends when every row of the ledger \
            has its outcome on the disk. While the campaign runs, pushes to one user are sent: \
            their delay says whether they are stuck behind it. Two sizes show that memory does \
            not grow with the audience. With --segment the recipients are found in the columns \
            that hold all users; these do grow with them and are reported by themselves.
            """
    )

    @Option(
        parsing: .upToNextOption,
        help: "Recipients; several numbers are measured one after the other."
    )
    var users: [Int] = [100_000, 1_000_000]

    @Option(help: "What receives: simulator or nghttpd (with h2, TLS, one thread).")
    var receiver = PushReceiver.nghttpd

    @Option(help: "A folder for the files with the users, which the next measurement uses again.")
    var folder: String?

    @Option(
        help: """
            An empty database of PostgreSQL, postgres://…, that is measured after the file; for one number of \
            users, who are moved into it.
            """
    )
    var database: String?

    @Option(help: "full: a commit survives the loss of power; normal: that of the process.")
    var synchronous = "full"

    @Flag(help: "Send to a segment, which all users match, instead of to everyone.")
    var segment = false

    @Flag(help: "Print the result as JSON.")
    var json = false

    func validate() throws {
        guard database == nil || users.count == 1 else {
            throw ValidationError(
                "a database takes the users of one measurement: one number for --users"
            )
        }
    }

    func run() async throws {
        let folder =
            self.folder.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-bench-delivery")
        var report = DeliveryReport(receiver: receiver.rawValue)
        for users in users {
            let audience = DeliveryAudience(folder: folder, users: users)
            try await audience.prepare { say($0) }
            var places: [String?] = [nil]
            if let database {
                try await audience.move(to: database) { say($0) }
                places.append(database)
            }
            for place in places {
                let run = try measure(audience, in: place)
                report.runs.append(run)
                if !json { report.show(run) }
            }
        }
        if json { print(try report.json()) } else { report.showComparison() }
    }

    private func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// - Parameter place: A database of PostgreSQL with the users; `nil` for a copy of the file.
    private func measure(
        _ audience: DeliveryAudience,
        in place: String?
    ) throws -> DeliveryReport.Run {
        guard let own = CommandLine.arguments.first, let this = ExternalTool.this(own) else {
            throw BenchError("this program does not know its own path")
        }
        let folder = audience.folder.appendingPathComponent("run-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent("noroshi.sqlite").path
        if place == nil { try FileManager.default.copyItem(atPath: audience.path, toPath: copy) }
        let running = try receiver.start(in: folder)
        defer { running.stop() }
        let before = ProcessorTime.of(running.process.processIdentifier)
        let output = try this.run(
            [
                "delivery-run", "--database", place ?? "sqlite:\(copy)", "--port",
                String(running.port),
                "--authority", running.authorityPath, "--synchronous", synchronous,
            ] + (segment ? ["--segment"] : []),
            processor: nil
        )
        let receiverSeconds = ProcessorTime.of(running.process.processIdentifier) - before
        let result = try JSONDecoder().decode(
            DeliveryRun.Result.self,
            from: Data(output.utf8)
        )
        guard result.outcomes == ["accepted": audience.users] else {
            throw BenchError("not every push was accepted: \(result.outcomes)")
        }
        return DeliveryReport.Run(
            database: place == nil ? "sqlite" : "postgres",
            recipients: audience.users,
            result: result,
            receiverProcessorSeconds: receiverSeconds
        )
    }
}
