import Analytics
import Audience
import Campaigns
import ContentTesting
import Delivery
import Foundation
import Logging
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Synchronization
import Testing

/// A store with users, a provider, and the service between them.
struct DeliveryBench {
    struct TimedOut: Error {
        var what: String
    }

    let store: SQLStore
    let fixture: StoreConformance.Fixture
    let transport: ScriptedTransport
    private let conformance: StoreConformance
    private let wake = WakeSignal()
    private let settings: DeliveryService.Settings

    /// Makes it, runs the service while `body` runs, and takes everything away.
    ///
    /// - Parameter before: Is done before the service starts.
    static func run(
        users: Int,
        transport: ScriptedTransport = ScriptedTransport(),
        stalling: StallingTransport? = nil,
        settings: DeliveryService.Settings = DeliveryService.Settings(),
        renderer: MessageRenderer = MessageRenderer(),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        before: (StoreConformance, StoreConformance.Fixture) async throws -> Void = { _, _ in },
        _ body: (DeliveryBench) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-delivery-\(UUID().uuidString).sqlite").path
        defer {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
        }
        let store = try SQLStore.testing(at: path)
        let conformance = StoreConformance(store)
        let fixture = try await conformance.fixture()
        for number in 0..<users {
            try await conformance.register("user-\(number)", token: "a\(number)", in: fixture)
        }
        let bench = DeliveryBench(
            store: store,
            fixture: fixture,
            transport: transport,
            conformance: conformance,
            settings: settings
        )
        try await before(conformance, fixture)
        let service = DeliveryService(
            store: store,
            planner: SendPlanner(
                store: store,
                audience: SegmentationService(store: store, now: { Date() }, logger: logger),
                now: { Date() }
            ),
            transports: [.apns: stalling ?? transport],
            fetcher: NoContent(),
            renderer: renderer,
            feed: ChangeFeed(),
            wake: bench.wake,
            settings: settings,
            now: { Date() },
            jitter: { 0.5 },
            logger: logger
        )
        let running = Task { try await service.run() }
        do {
            try await body(bench)
        } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        do {
            try await running.value
        } catch is CancellationError {
            // A body that is over before the service has begun.
        }
    }

    func send(
        _ message: PushMessage = PushMessage(title: "Hi", body: "there"),
        to audience: Audience = .everyone,
        options: DeliveryOptions = DeliveryOptions()
    ) async throws -> Send {
        let wake = wake
        return try await PushComposer(store: store, now: { Date() }) { _, _ in wake.signal() }
            .send(
                SendContent(message: message, audience: audience, options: options),
                by: .commandLine(account: "mio", fixture.workspace)
            )
    }

    func profile(_ externalID: String) async throws -> Profile {
        try #require(try await store.profile(.external(externalID), in: fixture.workspace))
    }

    func register(_ user: String, token: String, authorization: PushAuthorization) async throws {
        try await conformance.register(
            user,
            token: token,
            in: fixture,
            authorization: authorization
        )
    }

    /// Lets the user's device prove whose it is.
    func prove(_ user: String) async throws {
        let profile = try await profile(user)
        let device = try #require(try await store.devices(of: profile.id).first)
        let item = IngestItem(
            recordID: UUID(),
            user: .external(user),
            time: Date(),
            content: .event(name: "seen", properties: [:])
        )
        let request = IngestRequest(
            workspace: fixture.workspace,
            source: .device(
                SDKDevice(id: device.installation, platform: "ios"),
                app: fixture.app.id
            ),
            items: [item],
            provedUser: .external(user)
        )
        _ = try await store.ingest([request], now: Date())
    }

    func counts(of send: Send) async throws -> SendCounts {
        try await store.counts(of: [send.id])[send.id] ?? SendCounts()
    }

    func finish(_ send: Send) async throws -> SendCounts {
        try await eventually("the send is finished") {
            try await store.send(send.id)?.state == .finished
        }
        #expect(try await store.countMismatches(of: send.id) == [])
        return try await counts(of: send)
    }

    func eventually(_ what: String, _ isTrue: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(600)
        while ContinuousClock.now < end {
            if try await isTrue() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw TimedOut(what: what)
    }
}
