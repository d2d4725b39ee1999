import Foundation
import Logging
import NIOCore

/// The kinds of simulated services.
package enum SimulatorKind: String, Sendable, CaseIterable {
    case apns, fcm, webpush
}

/// The options of a simulator on the command line.
package struct SimulatorOptions: Sendable {
    package var kind: SimulatorKind
    package var host: String
    package var port: Int
    /// The file of a fault script.
    package var script: URL?
    /// The file for the authority's certificate, for the trust store of a client.
    package var authorityFile: URL?
    /// APNs: whether tokens signed with any key, and any device token, are accepted.
    package var acceptsAnything = false
    /// APNs: maximum number of provider tokens within twenty minutes on one connection; `nil` means
    /// the default.
    package var tokensPerConnection: Int?
    /// APNs: the same for a team, on all connections together; `nil` means no limit.
    package var tokensPerTeam: Int?
    /// APNs: a separate port for the sandbox.
    package var sandboxPort: Int?
    /// APNs: a file that gets a line for each accepted push; pushes are then not stored for
    /// devices.
    package var recordFile: URL?

    /// - Parameter listen: `HOST:PORT`; port 0 chooses a free one.
    package init(kind: SimulatorKind, listen: String) throws(SimulatorOptionError) {
        guard let colon = listen.lastIndex(of: ":"),
            let port = Int(listen[listen.index(after: colon)...]), (0...65_535).contains(port)
        else { throw .badAddress(listen) }
        let host = listen[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        guard !host.isEmpty else { throw .badAddress(listen) }
        self.kind = kind
        self.host = host
        self.port = port
    }
}

/// The error in the options of a simulator.
package enum SimulatorOptionError: Error, CustomStringConvertible {
    case badAddress(String)
    case unreadableScript(String, String)
    case cannotListen(String, Int, String)

    package var description: String {
        switch self {
        case .badAddress(let text):
            "\"\(text)\" is not HOST:PORT, such as 127.0.0.1:2197."
        case .unreadableScript(let path, let detail):
            "The fault script \(path) cannot be used. \(detail)"
        case .cannotListen(let host, let port, let detail):
            """
            Cannot listen on \(host):\(port) (\(detail)). Is another program using the port? \
            Choose another with --listen, or port 0 for a free one.
            """
        }
    }
}

/// A simulator that was started from the command line.
package struct RunningSimulator: Sendable {
    package let host: String
    package let port: Int
    /// Instructions for its use, line by line.
    package let instructions: [String]
    private let stopping: @Sendable () async -> Void

    init(
        host: String,
        port: Int,
        instructions: [String],
        stopping: @escaping @Sendable () async -> Void
    ) {
        self.host = host
        self.port = port
        self.instructions = instructions
        self.stopping = stopping
    }

    package func stop() async {
        await stopping()
    }
}

/// Starts a simulator as a separate program: `simulate apns|fcm|webpush --listen … --script …`.
package enum SimulatorLauncher {
    package static func start(
        _ options: SimulatorOptions,
        eventLoops: any EventLoopGroup,
        logger: Logger
    ) async throws -> RunningSimulator {
        let faults = try options.script.map(readScript) ?? FaultScript()
        do {
            switch options.kind {
            case .apns: return try await startAPNs(options, faults, eventLoops, logger)
            case .fcm: return try await startFCM(options, faults, eventLoops, logger)
            case .webpush: return try await startWebPush(options, faults, eventLoops, logger)
            }
        } catch let error as IOError {
            throw SimulatorOptionError.cannotListen(options.host, options.port, "\(error)")
        }
    }

    private static func startAPNs(
        _ options: SimulatorOptions,
        _ faults: FaultScript,
        _ eventLoops: any EventLoopGroup,
        _ logger: Logger
    ) async throws -> RunningSimulator {
        var configuration = APNsSimulator.Configuration()
        configuration.host = options.host
        configuration.port = options.port
        configuration.sandboxPort = options.sandboxPort
        configuration.faults = faults
        configuration.recordFile = options.recordFile?.path
        configuration.authorityFile = options.authorityFile
        configuration.keepsForOfflineDevices = options.recordFile == nil
        configuration.acceptsAnyKey = options.acceptsAnything
        configuration.acceptsAnyDevice = options.acceptsAnything
        configuration.providerTokensPerTeam = options.tokensPerTeam
        if let count = options.tokensPerConnection {
            configuration.providerTokensPerConnection = count
        }
        let simulator = try await APNsSimulator.start(
            configuration,
            eventLoops: eventLoops,
            logger: logger
        )
        var lines: [String] = []
        if simulator.sandboxPort != simulator.port {
            lines.append("sandbox: https://\(options.host):\(simulator.sandboxPort)")
        }
        lines += [
            "add a key:    POST /simulator/keys {\"team_id\", \"key_id\", \"public_key\": PEM}",
            "add a device: POST /simulator/devices {\"topic\", \"environment\"} gives its token",
        ]
        return running(simulator, options, lines)
    }

    private static func startFCM(
        _ options: SimulatorOptions,
        _ faults: FaultScript,
        _ eventLoops: any EventLoopGroup,
        _ logger: Logger
    ) async throws -> RunningSimulator {
        let simulator = try await FCMSimulator.start(
            configuration(options, faults),
            eventLoops: eventLoops,
            logger: logger
        )
        return running(
            simulator,
            options,
            [
                "add a project: POST /simulator/accounts {\"project\"} gives the account's JSON",
                "add a device:  POST /simulator/devices {\"project\"} gives its token",
            ]
        )
    }

    private static func startWebPush(
        _ options: SimulatorOptions,
        _ faults: FaultScript,
        _ eventLoops: any EventLoopGroup,
        _ logger: Logger
    ) async throws -> RunningSimulator {
        let simulator = try await WebPushSimulator.start(
            configuration(options, faults),
            eventLoops: eventLoops,
            logger: logger
        )
        return running(
            simulator,
            options,
            [
                "add a browser: POST /simulator/subscriptions {\"application_server_key\"}",
                "               gives the subscription as PushSubscription.toJSON() does",
            ]
        )
    }

    private static func configuration(
        _ options: SimulatorOptions,
        _ faults: FaultScript
    ) -> GatewayConfiguration {
        var configuration = GatewayConfiguration()
        configuration.host = options.host
        configuration.port = options.port
        configuration.authorityFile = options.authorityFile
        configuration.faults = faults
        return configuration
    }

    private static func running(
        _ simulator: some GatewaySimulator,
        _ options: SimulatorOptions,
        _ lines: [String]
    ) -> RunningSimulator {
        RunningSimulator(
            host: options.host,
            port: simulator.port,
            instructions: introduction(options, simulator.port) + lines + ending,
            stopping: { await simulator.stop() }
        )
    }

    private static let ending = [
        "read what was accepted: GET /simulator/accepted",
        "play faults: PUT /simulator/faults with a script (docs/simulators.md)",
    ]

    private static func introduction(
        _ options: SimulatorOptions,
        _ port: Int
    ) -> [String] {
        var lines = ["\(options.kind.rawValue) simulator: https://\(options.host):\(port)"]
        if let file = options.authorityFile {
            lines.append("trust this authority: \(file.path)")
        }
        return lines
    }

    private static func readScript(_ file: URL) throws -> FaultScript {
        do {
            return try FaultScript(json: Data(contentsOf: file))
        } catch let error as FaultScriptError {
            throw SimulatorOptionError.unreadableScript(file.path, error.description)
        } catch {
            throw SimulatorOptionError.unreadableScript(file.path, error.localizedDescription)
        }
    }
}
