import FCM
import Foundation
import Gateways
import Logging
import Model
import NIOPosix
import NoroshiWire
import Ports
import PushHTTP
import Testing
import _CryptoExtras

@Suite("A push travels through Firebase to an Android device")
struct FCMTransportTests {
    private static let project = "fires-1234"
    /// Making RSA keys is slow, so the tests share one; the other is for the wrong account.
    private static let keys = Result {
        try (0..<2).map { _ in
            try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
        }
    }

    private struct Bench {
        let simulator: FCMSimulator
        let transport: FCMTransport

        func push(
            to token: String,
            project: String = FCMTransportTests.project,
            options: DeliveryOptions = DeliveryOptions(),
            _ change: (inout PushMessage) -> Void = { _ in }
        ) -> OutgoingPush {
            var message = PushMessage(title: "狼煙", body: "The fire is lit.")
            change(&message)
            return OutgoingPush(
                dispatch: DispatchID(UUID()),
                sendID: SendID(42),
                address: .fcm(token: token, project: project),
                registeredAt: .distantPast,
                message: message,
                options: options,
                deadline: .seconds(10)
            )
        }
    }

    private func run(
        style: FCMConfiguration.Style = .notification,
        credentials: FCMCredentialLookup? = nil,
        _ body: (Bench) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let eventLoops = MultiThreadedEventLoopGroup.singleton
        let simulator = try await FCMSimulator.start(eventLoops: eventLoops, logger: logger)
        let account = try FCMCredentials(
            serviceAccount: simulator.makeServiceAccount(
                project: Self.project,
                privateKeyPEM: Self.keys.get()[0]
            )
        )
        let server = PushHTTPEndpoint(
            host: simulator.host,
            port: simulator.port,
            security: .tls(trust: .authorities(pem: simulator.authorityPEM), identity: nil)
        )
        let transport = try FCMTransport(
            configuration: FCMConfiguration(
                server: server,
                tokenServer: server,
                style: style,
                channelID: "offers"
            ),
            credentials: credentials ?? { _ in account },
            eventLoops: eventLoops,
            logger: logger
        )
        let result: Result<Void, any Error>
        do {
            try await body(Bench(simulator: simulator, transport: transport))
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await transport.shutDown(grace: .milliseconds(500))
        await simulator.stop()
        try result.get()
    }

    private func rejection(_ outcome: PushOutcome) -> PushRejection? {
        if case .rejected(let rejection) = outcome { rejection } else { nil }
    }

    @Test("a notification arrives with title, channel, tag and our data")
    func notification() async throws {
        try await run { bench in
            let token = bench.simulator.registerDevice(project: Self.project)
            let expiration = Date() + 3600
            let push = bench.push(to: token, options: DeliveryOptions(expiration: expiration)) {
                $0.keyValuePairs = ["color": "red", "google_x": "refused by FCM"]
            }

            let outcome = await bench.transport.send(push)

            let arrived = try #require(bench.simulator.accepted.first)
            #expect(outcome == .accepted(providerID: arrived.name))
            #expect(arrived.priority == "HIGH")
            #expect((3590...3600).contains(arrived.timeToLive))
            #expect(arrived.data["push_no"] == "42")
            #expect(arrived.data["color"] == "red")
            #expect(arrived.data["google_x"] == nil)
            #expect(arrived.data["noroshi"]?.contains(push.dispatch.description) == true)
            let notification = arrived.message["notification"]
            #expect(notification?["title"]?.stringValue == "狼煙")
            let android = arrived.message["android"]?["notification"]
            #expect(android?["channel_id"]?.stringValue == "offers")
            #expect(android?["tag"]?.stringValue == push.dispatch.description)
        }
    }

    @Test("in the data-only style the texts travel in data and nothing is shown by the system")
    func dataOnly() async throws {
        try await run(style: .dataOnly) { bench in
            let token = bench.simulator.registerDevice(project: Self.project)
            _ = await bench.transport.send(bench.push(to: token))
            let arrived = try #require(bench.simulator.accepted.first)
            #expect(arrived.message["notification"] == nil)
            #expect(arrived.data["title"] == "狼煙")
            #expect(arrived.data["body"] == "The fire is lit.")
        }
    }

    @Test("many pushes share one access token")
    func manyPushes() async throws {
        try await run { bench in
            let tokens = (0..<50).map { _ in
                bench.simulator.registerDevice(project: Self.project)
            }
            await withTaskGroup(of: Void.self) { group in
                for token in tokens {
                    group.addTask { _ = await bench.transport.send(bench.push(to: token)) }
                }
            }
            #expect(bench.simulator.acceptedCount == 50)
        }
    }

    @Test("a removed app, an unknown token and another project's token have their consequences")
    func tokens() async throws {
        try await run { bench in
            let gone = bench.simulator.registerDevice(project: Self.project)
            bench.simulator.unregisterDevice(token: gone)
            let foreign = bench.simulator.registerDevice(project: "other")
            for (token, reason, consequence) in [
                (gone, "UNREGISTERED", PushRejection.Consequence.retireToken),
                ("damaged", "INVALID_ARGUMENT", .retireToken),
                (foreign, "SENDER_ID_MISMATCH", .fixApp),
            ] {
                let outcome = rejection(await bench.transport.send(bench.push(to: token)))
                #expect(outcome?.reason == reason)
                #expect(outcome?.consequence == consequence)
            }
        }
    }

    @Test("an access token that ended early is replaced once")
    func expiredAccessToken() async throws {
        try await run { bench in
            let token = bench.simulator.registerDevice(project: Self.project)
            _ = await bench.transport.send(bench.push(to: token))
            bench.simulator.expireAccessTokens()
            _ = await bench.transport.send(bench.push(to: token))
            #expect(bench.simulator.acceptedCount == 2)
        }
    }

    @Test("quota and outages are tried again after the time the service names")
    func retries() async throws {
        try await run { bench in
            let script = """
                {"faults": [
                  {"times": 1, "status": 429, "reason": "QUOTA_EXCEEDED", "retry_after": 33},
                  {"times": 1, "status": 503, "reason": "UNAVAILABLE"},
                  {"times": 1, "status": 500, "reason": "INTERNAL"}]}
                """
            bench.simulator.play(try FaultScript(json: Data(script.utf8)))
            let token = bench.simulator.registerDevice(project: Self.project)
            for (reason, seconds) in [
                ("QUOTA_EXCEEDED", 33), ("UNAVAILABLE", 10), ("INTERNAL", 10),
            ] {
                let outcome = await bench.transport.send(bench.push(to: token))
                #expect(outcome == .retry(reason: reason, after: .seconds(seconds)))
            }
        }
    }

    @Test("a service account of another simulator is refused, with Google's words")
    func wrongAccount() async throws {
        let other = try await FCMSimulator.start(
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "test")
        )
        let account = try FCMCredentials(
            serviceAccount: other.makeServiceAccount(
                project: Self.project,
                privateKeyPEM: Self.keys.get()[1]
            )
        )
        await other.stop()
        try await run(credentials: { _ in account }) { bench in
            let token = bench.simulator.registerDevice(project: Self.project)
            let outcome = rejection(await bench.transport.send(bench.push(to: token)))
            #expect(outcome?.reason == "BadServiceAccount")
            #expect(outcome?.consequence == .fixCredentials)
            #expect(outcome?.advice.contains("Invalid JWT Signature") == true)
        }
    }

    @Test("a file that is not a service account says what it is missing")
    func badFiles() {
        #expect(throws: FCMCredentialError.notServiceAccount) {
            _ = try FCMCredentials(serviceAccount: Array("hello".utf8))
        }
        #expect(throws: FCMCredentialError.missing("client_email")) {
            _ = try FCMCredentials(serviceAccount: Array(#"{"project_id": "a"}"#.utf8))
        }
    }
}
