import ArgumentParser
import Foundation
import Gateways
import Logging
import NIOPosix
import UnixSignals

struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Starts a push provider's simulator on its own: apns, fcm or webpush.",
        discussion: "What it can do, and how tests drive it: docs/simulators.md."
    )

    @Argument(help: "apns, fcm or webpush.")
    var service: String

    @Option(help: "HOST:PORT to listen on; port 0 takes a free one.")
    var listen = "127.0.0.1:0"

    @Option(help: "A fault script: what goes wrong, and when.")
    var script: String?

    @Option(
        name: .customLong("authority-file"),
        help: "Where to write the certificate of the simulator's authority, for clients to trust."
    )
    var authorityFile: String?

    @Option(
        name: .customLong("sandbox-port"),
        help: "apns: a second port for the sandbox; the first then takes production tokens only."
    )
    var sandboxPort: Int?

    @Flag(
        name: .customLong("accept-anything"),
        help: "apns: takes tokens signed with any key, and any device token."
    )
    var acceptsAnything = false

    @Option(
        name: .customLong("tokens-per-connection"),
        help: "apns: how many provider tokens a connection takes within twenty minutes; 3 without."
    )
    var tokensPerConnection: Int?

    @Option(
        name: .customLong("tokens-per-team"),
        help: "apns: how many are taken of a team on all connections together; any number without."
    )
    var tokensPerTeam: Int?

    @Option(help: "apns: a file that gets a line for each accepted push.")
    var record: String?

    @Option(name: .customLong("log-level"), help: "trace to critical.")
    var logLevel = Logger.Level.error.rawValue

    /// Returns at SIGTERM or SIGINT.
    private static func untilToldToEnd() async {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        for await _ in signals { return }
    }

    func run() async throws {
        guard let kind = SimulatorKind(rawValue: service) else {
            throw ValidationError(
                "there is no simulator '\(service)'; there are apns, fcm, webpush"
            )
        }
        guard let level = Logger.Level(rawValue: logLevel) else {
            throw ValidationError("--log-level is one of trace, debug, info, … critical")
        }
        if let sandboxPort, !(0...65_535).contains(sandboxPort) {
            throw ValidationError("--sandbox-port is a port, 0 to 65535")
        }
        for (name, value) in [
            ("--tokens-per-connection", tokensPerConnection), ("--tokens-per-team", tokensPerTeam),
        ] {
            if let value, value < 1 { throw ValidationError("\(name) is a number from 1 on") }
        }
        var options = try SimulatorOptions(kind: kind, listen: listen)
        options.script = script.map { URL(filePath: $0) }
        options.authorityFile = authorityFile.map { URL(filePath: $0) }
        options.sandboxPort = sandboxPort
        options.recordFile = record.map { URL(filePath: $0) }
        options.acceptsAnything = acceptsAnything
        options.tokensPerConnection = tokensPerConnection
        options.tokensPerTeam = tokensPerTeam
        let simulator = try await SimulatorLauncher.start(
            options,
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: .command(level)
        )
        for line in simulator.instructions { print(line) }
        print("Ctrl-C stops it.")
        fflush(nil)
        await Self.untilToldToEnd()
        await simulator.stop()
    }
}
