import APNs
import Crypto
import Devices
import Foundation
import Gateways
import Logging
import NIOPosix
import Server
import ServerTesting
import Testing

/// The promise of the ledger: killed between the acceptance of a push and its record, the server
/// loses nothing, and the phone shows nothing twice.
@Suite("A server that is killed")
struct KilledServerTests {
    fileprivate static let topic = "dev.noroshi.test"

    @Test("loses no push and shows none twice", .timeLimit(.minutes(20)))
    func betweenAcceptanceAndRecord() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-kill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let simulator = try await APNsSimulator.start(
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: logger
        )

        // The first answer is lost: the push is accepted, and nobody learns of it.
        var loss = Fault()
        loss.loseAnswer = true
        loss.times = 1
        simulator.play(FaultScript(faults: [loss]))

        let site = try Site(folder: folder, simulator: simulator)
        var server = try ServerProcess(arguments: site.serveArguments)
        defer { server.kill() }
        let rack = VirtualPhones(simulator: simulator)
        await rack.connect(
            VirtualPhones.Settings(
                endpoint: server.address,
                sdkKey: site.sdkKey,
                appName: "Test",
                topic: Self.topic,
                folder: folder.appending(path: "phones")
            )
        )
        let phone = try await rack.add(id: UUID(), name: "Phone", language: "en", user: "ada")
        try await eventually("the phone has a token") { await phone.state.deviceToken != nil }
        try await eventually("the server knows the token") {
            try await site.reachableDevices() == 1
        }
        try await phone.perform(.lock)

        let (status, answer) = try await server.post(
            "/messages/send",
            key: site.apiKey,
            """
            {"external_user_ids": ["ada"], "messages": {"apple_push":
                {"alert": {"title": "Once", "body": "and only once"}, "mutable_content": true}}}
            """
        )
        try #require(status == 201, "\(answer)")
        try await eventually("the push is on the phone") { await !phone.state.banners.isEmpty }
        server.kill()
        #expect(try await site.counts() == "sending")

        let port = server.address.split(separator: ":").last.map(String.init) ?? "0"
        server = try ServerProcess(arguments: site.serveArguments(port: port))
        try await eventually("the ledger has its outcome") {
            try await site.counts() == "accepted"
        }
        // The repetition reached the service a second time, under the same id.
        #expect(simulator.acceptedCount == 2)
        #expect(Set(simulator.accepted.map(\.id)).count == 1)
        #expect(await phone.state.banners.count == 1)

        let banner = try #require(await phone.state.banners.first)
        try await phone.perform(.tap(banner: banner.id))
        try await eventually("the open is counted") { try await site.opened() == 1 }
        // The same from the command line, beside the server that runs.
        let database = site.database.options
        let (verified, figures) = try ServerProcess.runProgram(
            "noroshi-server",
            ["sends", "verify", "1"] + database
        )
        #expect(verified == 0, "\(figures)")
        let (explained, why) = try ServerProcess.runProgram(
            "noroshi-server",
            ["sends", "why", "1", "ada"] + database
        )
        #expect(explained == 0 && why.contains("ada and send 1: opened it at"), "\(why)")
        let (watched, progress) = try ServerProcess.runProgram(
            "noroshi-server",
            ["sends", "watch", "1"] + database
        )
        #expect(watched == 0 && progress.contains("finished 1/1 (100.0 %)"), "\(progress)")
        await rack.stop()
        await simulator.stop()
    }

    /// A database with a workspace, an app, its credentials and a key, made by the commands.
    private struct Site {
        let database: TestDatabase
        let sdkKey: String
        let apiKey: String
        let simulator: APNsSimulator
        let authority: String

        init(folder: URL, simulator: APNsSimulator) throws {
            self.simulator = simulator
            database = try TestDatabase(at: folder.appending(path: "noroshi.sqlite").path)
            let options = database.options
            sdkKey = try ServerProcess.run(
                ["app", "create", "--name", "Test", "--bundle-id", KilledServerTests.topic]
                    + options
            )
            apiKey = try ServerProcess.run(
                ["apikey", "create", "--name", "test", "--permissions", "messages.send"]
                    + options
            )
            let key = P256.Signing.PrivateKey()
            let p8 = folder.appending(path: "key.p8")
            try key.pemRepresentation.write(to: p8, atomically: true, encoding: .utf8)
            _ = try ServerProcess.run(
                [
                    "credentials", "set", "--bundle-id", KilledServerTests.topic, "--p8", p8.path,
                    "--key-id",
                    "KEY0000001", "--team-id", "TEAM000001",
                ] + options
            )
            simulator.register(
                try APNsSigningKey(
                    teamID: "TEAM000001",
                    keyID: "KEY0000001",
                    publicKeyPEM: key.publicKey.pemRepresentation
                )
            )
            authority = folder.appending(path: "authority.pem").path
            try simulator.authorityPEM.write(
                toFile: authority,
                atomically: true,
                encoding: .utf8
            )
        }

        var serveArguments: [String] { serveArguments(port: "0") }

        func serveArguments(port: String) -> [String] {
            database.options + [
                "--listen", "127.0.0.1:\(port)",
                "--apns-server", "\(simulator.host):\(simulator.port)", "--apns-authority",
                authority, "--log-level", "error",
                // A machine may take its time to kill it; without an answer the push has no outcome for so long.
                "--push-deadline", "60",
            ]
        }

        func reachableDevices() async throws -> Int {
            try await Ledger(database).number(
                "SELECT count(*) FROM devices WHERE push_token IS NOT NULL"
            )
        }

        /// The state of the only row of the ledger.
        func counts() async throws -> String {
            let states = ["queued", "sending", "accepted", "rejected", "unknown", "skipped"]
            let state = try await Ledger(database).number(
                "SELECT coalesce(max(state), 0) FROM dispatches"
            )
            return states[state]
        }

        func opened() async throws -> Int {
            try await Ledger(database).number("SELECT count(opened_at) FROM dispatches")
        }
    }
}
