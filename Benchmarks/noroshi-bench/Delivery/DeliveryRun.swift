import APNs
import Analytics
import ArgumentParser
import Audience
import Campaigns
import Crypto
import Delivery
import Foundation
import Logging
import Model
import Monitoring
import NIOPosix
import Ports
import PushHTTP
import StoreSQL

/// The measured side of `delivery`, in a separate process to measure its memory.
struct DeliveryRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delivery-run",
        shouldDisplay: false
    )

    /// The report of the measured process.
    struct Result: Codable {
        var seconds: Double
        var planningSeconds: Double
        var processorSeconds: Double
        var peakMemoryBytes: Int
        /// The part of the memory that is mapped from files, including the program itself, in
        /// bytes.
        var fileMemoryBytes: Int
        /// Memory of the columns of all users before the send was created, in bytes; 0 without
        /// them.
        var audienceMemoryBytes: Int
        /// Number of dispatches by state.
        var outcomes: [String: Int]
        /// Milliseconds from the creation of each small send to its handover to the transport.
        var smallDelays: [Double]
    }

    /// Interval between two small sends.
    private static let smallPause: Duration = .milliseconds(500)
    /// The measurement has failed after this time without any outcome.
    private static let patience: Duration = .seconds(60)

    @Option var database: String
    @Option var port: Int
    @Option var authority: String
    @Option var synchronous: String
    @Flag var segment = false

    /// Matches every user of the measurement.
    private static let everybody = SegmentQuery(
        filter: #"{"custom": "points", "test": "exists"}"#
    )

    func run() async throws {
        guard let synchronous = SQLStore.Synchronous(rawValue: synchronous) else {
            throw ValidationError("--synchronous is full or normal")
        }
        let store = try SQLStore(at: DatabaseLocation(database), synchronous: synchronous)
        let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        let transport = TimestampingTransport(try apns(logger: logger))
        let wake = WakeSignal()
        let audience = SegmentationService(store: store, now: { Date() }, logger: logger)
        let withoutAudience = MemoryUse.currentBytes()
        if segment { try await audience.rebuild() }
        let audienceBytes = segment ? MemoryUse.currentBytes() - withoutAudience : 0
        let began = ContinuousClock.now
        let service = DeliveryService(
            store: store,
            planner: SendPlanner(
                store: store,
                audience: audience,
                now: { Date() }
            ),
            transports: [.apns: transport],
            fetcher: NoContent(),
            feed: ChangeFeed(),
            wake: wake,
            now: { Date() },
            jitter: { Double.random(in: 0...1) },
            // As a server does for Prometheus.
            metrics: DeliveryMetrics(
                MetricRegistry(),
                uptime: { ContinuousClock.now - began }
            ),
            logger: logger
        )
        let composer = PushComposer(store: store, now: { Date() }) { _, _ in wake.signal() }
        guard let workspace = try await store.workspaces().first,
            let one = try await store.profile(.external("user-1"), in: workspace.id)
        else { throw BenchError("the file has no users") }

        let start = ContinuousClock.now
        let processorStart = ProcessorTime.own()
        let send = try await composer.send(
            SendContent(
                message: DeliveryAudience.message,
                audience: segment ? .matching(Self.everybody) : .everyone
            ),
            by: .commandLine(account: "bench", workspace.id)
        )
        let running = Task { try await service.run() }
        var planned: Duration?
        var small: [(send: SendID, at: ContinuousClock.Instant)] = []
        var nextSmall = start + .seconds(1)
        var lastChange = (rows: -1, at: start)
        while true {
            try await Task.sleep(for: .milliseconds(20))
            let state = try await store.send(send.id)?.state
            if state != .planning, state != .scheduled, planned == nil {
                planned = ContinuousClock.now - start
            }
            if state == .finished { break }
            guard ContinuousClock.now >= nextSmall else { continue }
            let done = try await store.counts(of: [send.id])[send.id]?[.accepted] ?? 0
            if done != lastChange.rows { lastChange = (done, ContinuousClock.now) }
            guard ContinuousClock.now - lastChange.at < Self.patience else {
                throw BenchError("nothing has happened for a minute after \(done) pushes")
            }
            nextSmall = ContinuousClock.now + Self.smallPause
            let at = ContinuousClock.now
            let made = try await composer.send(
                SendContent(
                    message: PushMessage(title: "Your order", body: "is on its way."),
                    audience: .profiles([one.id])
                ),
                by: .commandLine(account: "bench", workspace.id)
            )
            small.append((made.id, at))
        }
        let elapsed = ContinuousClock.now - start
        let processor = ProcessorTime.own() - processorStart
        let stamps = transport.stamps(except: send.id)
        let counts = try await store.counts(of: [send.id])[send.id]
        let result = Result(
            seconds: elapsed.seconds,
            planningSeconds: (planned ?? elapsed).seconds,
            processorSeconds: processor,
            peakMemoryBytes: MemoryUse.peakBytes(),
            fileMemoryBytes: MemoryUse.fileBytes(),
            audienceMemoryBytes: audienceBytes,
            outcomes: Dictionary(
                uniqueKeysWithValues: (counts?.states ?? [:]).map { ("\($0.key)", $0.value) }
            ),
            smallDelays: small.compactMap { small in
                stamps[small.send].map { ($0 - small.at).seconds * 1_000 }
            }
        )
        print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
        running.cancel()
        _ = await running.result
    }

    private func apns(logger: Logger) throws -> APNsTransport {
        let pem = try String(contentsOfFile: authority, encoding: .utf8)
        let key = P256.Signing.PrivateKey().pemRepresentation
        return APNsTransport(
            configuration: .single(
                APNsConfiguration.Server(
                    host: "127.0.0.1",
                    port: port,
                    trust: .authorities(pem: pem)
                )
            ),
            credentials: { _, _ in
                .token(
                    keyID: APNsWorkload.keyID,
                    teamID: APNsWorkload.teamID,
                    privateKeyPEM: key
                )
            },
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: logger
        )
    }
}
