import ArgumentParser
import Foundation
import Gateways
import Logging
import NIOPosix

/// The receiving side of a measurement, in a separate process.
enum PushReceiver: String, CaseIterable, ExpressibleByArgument {
    case simulator, nghttpd

    /// A running receiver.
    struct Running {
        let process: Process
        let port: Int
        let authorityPath: String

        /// Kills it: nghttpd does not end on other signals while a connection is open.
        func stop() { kill(process.processIdentifier, SIGKILL) }
    }

    func start(in folder: URL) throws -> Running {
        switch self {
        case .nghttpd:
            guard let nghttpd = ExternalTool.find("nghttpd") else {
                throw BenchError(
                    "nghttpd is not installed (Debian: apt-get install nghttp2-server)"
                )
            }
            let site = try NghttpdServer(folder: folder)
            let process = try Self.start(nghttpd, site)
            return Running(
                process: process,
                port: site.port,
                authorityPath: site.authorityPath
            )
        case .simulator:
            return try startSimulator(in: folder)
        }
    }

    /// Starts nghttpd so that it responds to every request with 200 and its own body.
    ///
    /// It stores each body in a file of `/tmp` until it has responded, which on a disk costs
    /// several times as much as the request. So it gets a `/tmp` in memory if the system permits
    /// it.
    private static func start(_ nghttpd: ExternalTool, _ site: NghttpdServer) throws -> Process {
        let options = ["--echo-upload"] + site.options
        if let unshare = ExternalTool.find("unshare") {
            let script = """
                exec 3<"$1" 4<"$2"; shift 2
                mount -t tmpfs tmpfs /tmp && exec "$@" /dev/fd/3 /dev/fd/4
                """
            let process = try unshare.start(
                ["--map-root-user", "--mount", "sh", "-c", script, "sh"] + site.identity
                    + [nghttpd.path] + options,
                processor: nil
            )
            Thread.sleep(forTimeInterval: 0.5)
            if process.isRunning { return process }
        }
        let process = try nghttpd.start(options + site.identity, processor: nil)
        Thread.sleep(forTimeInterval: 0.5)
        return process
    }

    private func startSimulator(in folder: URL) throws -> Running {
        guard let own = CommandLine.arguments.first else {
            throw BenchError("this program does not know its own path")
        }
        let authority = folder.appendingPathComponent("authority.pem").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: own)
        process.arguments = ["push-simulator", "--authority-file", authority]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var text = ""
        while !text.contains("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw BenchError("the simulator did not start") }
            text += String(decoding: data, as: UTF8.self)
        }
        guard let port = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchError("the simulator said: \(text)")
        }
        return Running(process: process, port: port, authorityPath: authority)
    }
}

/// The APNs simulator in a separate process without storing pushes, to measure its cost.
struct PushSimulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push-simulator",
        shouldDisplay: false
    )

    @Option var authorityFile: String

    func run() async throws {
        var configuration = APNsSimulator.Configuration()
        configuration.acceptsAnyKey = true
        configuration.acceptsAnyDevice = true
        configuration.keepsForOfflineDevices = false
        configuration.recordLimit = 100
        let simulator = try await APNsSimulator.start(
            configuration,
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        )
        try simulator.authorityPEM.write(toFile: authorityFile, atomically: true, encoding: .utf8)
        print(simulator.port)
        fflush(nil)
        // Until the process is told to stop.
        while !Task.isCancelled { try await Task.sleep(for: .seconds(3600)) }
    }
}
