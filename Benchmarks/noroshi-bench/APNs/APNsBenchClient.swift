import APNs
import ArgumentParser
import Crypto
import Foundation
import Logging
import Model
import NIOPosix
import Ports
import PushHTTP

/// The measured side of `apns`, in a separate process so that it can be bound to one processor.
struct APNsBenchClient: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns-client",
        shouldDisplay: false
    )

    @Option var port: Int
    @Option var authority: String
    @Option var count: Int
    @Option var inFlight: Int

    func run() async throws {
        let pem = try String(contentsOfFile: authority, encoding: .utf8)
        let key = P256.Signing.PrivateKey().pemRepresentation
        var limits = PushHTTPLimits()
        limits.connections = 1
        let server = APNsConfiguration.Server(
            host: "127.0.0.1",
            port: port,
            trust: .authorities(pem: pem)
        )
        let transport = APNsTransport(
            configuration: APNsConfiguration(
                servers: [.production: server],
                limits: limits
            ),
            credentials: { _, _ in
                .token(
                    keyID: APNsWorkload.keyID,
                    teamID: APNsWorkload.teamID,
                    privateKeyPEM: key
                )
            },
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        )
        // Connects and warms up before the measurement.
        try await send(count: max(1000, count / 20), through: transport)
        let start = ContinuousClock.now
        let processorStart = ProcessorTime.own()
        try await send(count: count, through: transport)
        let elapsed = ContinuousClock.now - start
        let result = APNsClientResult(
            requestsPerSecond: Double(count) / elapsed.seconds,
            processorSeconds: ProcessorTime.own() - processorStart,
            peakMemoryBytes: MemoryUse.peakBytes()
        )
        print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
        await transport.shutDown(grace: .seconds(1))
    }

    private func send(count: Int, through transport: APNsTransport) async throws {
        let left = Countdown(count)
        try await withThrowingTaskGroup { group in
            for _ in 0..<inFlight {
                group.addTask {
                    while let number = left.takeOne() {
                        let outcome = await transport.send(APNsWorkload.push(number))
                        guard case .accepted = outcome else {
                            throw BenchError("a push ended as \(outcome)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// The report of the measured process.
struct APNsClientResult: Codable {
    var requestsPerSecond: Double
    var processorSeconds: Double
    var peakMemoryBytes: Int
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
