import APNs
import ArgumentParser
import Foundation
import Gateways

/// Pushes per second of the APNs client against nghttpd, beside h2load.
struct APNsBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns",
        abstract: "The APNs client against nghttpd over TLS, beside h2load.",
        discussion: """
            One connection, 100 and 1,000 pushes in flight; the server on one processor, the \
            client on another. h2load sends the same headers and body. Needs nghttpd and h2load \
            (Debian: nghttp2-server, nghttp2-client).
            """
    )

    @Option(help: "Pushes in each measurement.")
    var count = 200_000

    @Option(help: "Measurements of each kind; the median counts.")
    var rounds = 3

    @Flag(help: "Print the result as JSON.")
    var json = false

    func run() async throws {
        var report = APNsReport(requests: count, rounds: rounds)
        guard let nghttpd = ExternalTool.find("nghttpd") else {
            report.reason = "nghttpd is not installed (Debian: apt-get install nghttp2-server)"
            try report.show(asJSON: json)
            return
        }
        let h2load = ExternalTool.find("h2load")
        if h2load == nil {
            report.reason = "h2load is not installed (Debian: apt-get install nghttp2-client)"
        }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let site = try NghttpdServer(folder: folder)
        let server = try nghttpd.start(site.serverArguments, processor: processors.server)
        // nghttpd ignores SIGTERM.
        defer { kill(server.processIdentifier, SIGKILL) }
        try await Task.sleep(for: .milliseconds(500))
        for inFlight in [100, 1000] {
            report.runs.append(try measure(inFlight, site: site, h2load: h2load))
        }
        try report.show(asJSON: json)
    }

    private var processors: (server: Int?, client: Int?) {
        ProcessInfo.processInfo.activeProcessorCount > 1 ? (0, 1) : (nil, nil)
    }

    private func measure(
        _ inFlight: Int,
        site: NghttpdServer,
        h2load: ExternalTool?
    ) throws -> APNsReport.Run {
        guard let own = CommandLine.arguments.first, let this = ExternalTool.this(own) else {
            throw BenchError("this program does not know its own path")
        }
        var ours: [Double] = []
        var theirs: [Double] = []
        var ourCost: [Double] = []
        var theirCost: [Double] = []
        var memory = 0
        // Alternating, so that a change of the machine's load affects both.
        for _ in 0..<rounds {
            let output = try this.run(
                [
                    "apns-client", "--port", String(site.port), "--authority", site.authorityPath,
                    "--count", String(count), "--in-flight", String(inFlight),
                ],
                processor: processors.client
            )
            let result = try JSONDecoder().decode(APNsClientResult.self, from: Data(output.utf8))
            ours.append(result.requestsPerSecond)
            ourCost.append(result.processorSeconds / Double(count))
            memory = max(memory, result.peakMemoryBytes)
            if let h2load {
                let arguments = try site.h2loadArguments(count: count, inFlight: inFlight)
                let before = ProcessorTime.children()
                theirs.append(
                    try Self.rate(in: h2load.run(arguments, processor: processors.client))
                )
                theirCost.append((ProcessorTime.children() - before) / Double(count))
            }
        }
        return APNsReport.Run(
            inFlight: inFlight,
            requestsPerSecond: ours.median ?? 0,
            h2loadRequestsPerSecond: theirs.median,
            processorSeconds: ourCost.median ?? 0,
            h2loadProcessorSeconds: theirCost.median,
            peakMemoryBytes: memory
        )
    }

    /// The figure in "finished in 4.40s, 45495.46 req/s, 1.18MB/s".
    private static func rate(in output: String) throws -> Double {
        for line in output.split(separator: "\n") where line.hasPrefix("finished in") {
            let parts = line.split(separator: ",")
            if parts.count > 1,
                let rate = parts[1].split(separator: " ").first.flatMap({ Double($0) })
            {
                return rate
            }
        }
        throw BenchError("h2load printed no rate: \(output)")
    }
}

extension [Double] {
    /// The median; `nil` if the array is empty.
    var median: Double? { isEmpty ? nil : sorted()[count / 2] }
}
