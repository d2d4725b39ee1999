import APNs
import Crypto
import Foundation
import Gateways
import Logging
import Model
import NIOPosix
import PostgresTesting
import Server
import Testing

/// Servers on a database of PostgreSQL: one works, the next one waits for it.
@Suite(
    "Servers on PostgreSQL",
    .enabled(
        if: TemporaryPostgres.isInstalled,
        "PostgreSQL's programs and libpq are not installed on this machine"
    )
)
struct PostgresServerTests {
    private static let bundleID = "dev.noroshi.postgres"
    private static let people = 40

    @Test(
        "one that is killed in a campaign is followed by the next, which sends the rest once",
        .timeLimit(.minutes(20))
    )
    func takingOver() async throws {
        try await Site.run { site in
            let first = try ServerProcess(arguments: site.options + ["--listen", "127.0.0.1:0"])
            defer { first.kill() }
            let next = try ServerProcess(
                waitingAt: FreePort.find(),
                arguments: site.options
            )
            defer { next.kill() }
            try await eventually("the next server waits") {
                (try? await next.get("/health", key: "").1)?.contains("standby: ") == true
            }
            let (_, words) = try await next.get("/ready", key: "")
            #expect(words.contains("process \(first.pid)"), "\(words)")
            #expect(!words.contains(site.password), "\(words)")
            #expect(try await next.get("/ready", key: "").0 == 503)
            let (refused, silence) = try await next.get("/users/export/ids", key: site.apiKey)
            #expect(refused == 503 && silence == "standby\n")

            try await site.tellOfPeople(first)
            // The first answers come, then the service says nothing any more.
            site.simulator.play(
                try FaultScript(json: Data(#"{"faults": [{"skip": 10, "stall": true}]}"#.utf8))
            )
            try await site.send(first)
            try await eventually("some have got it") { site.simulator.acceptedCount >= 10 }
            #expect(try await next.get("/ready", key: "").0 == 503)

            first.kill()
            site.simulator.play(FaultScript())
            try await eventually("the next server is ready") {
                (try? await next.get("/ready", key: "").0) == 200
            }
            try await site.expectAllSentOnce()
            // It is the one that others are told of now.
            let (status, answer) = try await next.post(
                "/users/track",
                key: site.apiKey,
                #"{"attributes": [{"external_id": "late"}]}"#
            )
            #expect(status == 201, "\(answer)")
        }
    }

    @Test("one that is told to stop gives the database to the next at once")
    func stopping() async throws {
        try await Site.run { site in
            let first = try ServerProcess(arguments: site.options + ["--listen", "127.0.0.1:0"])
            let next = try ServerProcess(waitingAt: FreePort.find(), arguments: site.options)
            defer { next.kill() }
            try await eventually("the next server waits") {
                (try? await next.get("/ready", key: "").0) == 503
            }
            first.terminate()
            try await eventually("the next server is ready") {
                (try? await next.get("/ready", key: "").0) == 200
            }
        }
    }

    @Test("commands that work on files say what to use instead, and never a password")
    func commands() async throws {
        try await Site.run { site in
            let folder = site.folder.path
            for (arguments, words) in [
                (["backup", "create", "--to", folder + "/backups"], "pg_dump"),
                (["restore", folder + "/backups/one"], "pg_restore"),
                (["doctor", "--mend"], "noroshi move"),
                (["rehearse", "Welcome"], "noroshi move"),
                (["serve", "--synchronous", "normal"], "synchronous_commit"),
                (
                    [
                        "serve", "--backup-folder", folder + "/backups",
                        "--backup-passphrase-file", site.passphrase[1],
                    ], "pg_basebackup"
                ),
            ] {
                let (status, output) = try ServerProcess.runProgram(
                    "noroshi-server",
                    arguments + site.database
                        + (arguments[0] == "serve" || arguments[0] == "doctor"
                            || arguments[0] == "rehearse" ? [] : site.passphrase)
                )
                #expect(status != 0 && output.contains(words), "\(arguments): \(output)")
                #expect(!output.contains(site.password), "\(arguments): \(output)")
            }
            let (status, output) = try ServerProcess.runProgram(
                "noroshi-server",
                ["doctor"] + site.database
            )
            #expect(status == 0 && output.contains("0 faults"), "\(output)")
        }
    }

    @Test("a server without a key, or without a database server, says what is missing")
    func missing() async throws {
        try await Site.run { site in
            let (keyless, words) = try ServerProcess.runProgram(
                "noroshi-server",
                ["serve", "--database", site.address]
            )
            #expect(keyless != 0 && words.contains("openssl rand"), "\(words)")
            let key = site.folder.appending(path: "other.key").path
            let (elsewhere, path) = try ServerProcess.runProgram(
                "noroshi-server",
                ["serve", "--database", site.address, "--secret-key-file", key]
            )
            #expect(elsewhere != 0 && path.contains("is not there"), "\(path)")
            let (alone, reason) = try ServerProcess.runProgram(
                "noroshi-server",
                ["serve", "--database", "postgres://tea:\(site.password)@127.0.0.1:1/tea"]
                    + site.key
            )
            #expect(alone != 0 && reason.contains("postgres://127.0.0.1:1/tea"), "\(reason)")
            #expect(!reason.contains(site.password), "\(reason)")
        }
    }

    /// A database with an app, its credentials and a key, made by the commands.
    private struct Site {
        let folder: URL
        let address: String
        let simulator: APNsSimulator
        /// The server trusts everybody on its socket; it is in the address to be kept out of what is said.
        let password = "tsukimi-dango"
        let key: [String]
        let passphrase: [String]
        let apiKey: String
        let appID: String
        private let authority: String

        static func run(_ body: (Site) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "noroshi-postgres-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let simulator = try await APNsSimulator.start(
                eventLoops: MultiThreadedEventLoopGroup.singleton,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            try await body(try Site(folder, simulator))
            await simulator.stop()
        }

        private init(_ folder: URL, _ simulator: APNsSimulator) throws {
            self.folder = folder
            self.simulator = simulator
            address = try TemporaryPostgres.shared().makeDatabase()
                .replacing("://postgres@", with: "://postgres:\(password)@")
            let keyFile = folder.appending(path: "noroshi.key")
            try Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
                .base64EncodedData().write(to: keyFile)
            key = ["--secret-key-file", keyFile.path]
            let passphraseFile = folder.appending(path: "passphrase")
            try Data("correct horse battery\n".utf8).write(to: passphraseFile)
            passphrase = ["--passphrase-file", passphraseFile.path]
            let database = ["--database", address] + key
            appID = try ServerProcess.run(
                [
                    "app", "create", "--name", "Test", "--bundle-id",
                    PostgresServerTests.bundleID,
                ] + database
            )
            apiKey = try ServerProcess.run(
                [
                    "apikey", "create", "--name", "test", "--permissions",
                    "users.track,users.export.ids,messages.send",
                ] + database
            )
            let signing = P256.Signing.PrivateKey()
            let p8 = folder.appending(path: "key.p8")
            try signing.pemRepresentation.write(to: p8, atomically: true, encoding: .utf8)
            _ = try ServerProcess.run(
                [
                    "credentials", "set", "--bundle-id", PostgresServerTests.bundleID, "--p8",
                    p8.path, "--key-id", "KEY0000001", "--team-id", "TEAM000001",
                ] + database
            )
            simulator.register(
                try APNsSigningKey(
                    teamID: "TEAM000001",
                    keyID: "KEY0000001",
                    publicKeyPEM: signing.publicKey.pemRepresentation
                )
            )
            authority = folder.appending(path: "authority.pem").path
            try simulator.authorityPEM.write(
                toFile: authority,
                atomically: true,
                encoding: .utf8
            )
        }

        var database: [String] { ["--database", address] + key }

        var options: [String] {
            database + [
                "--apns-server", "\(simulator.host):\(simulator.port)", "--apns-authority",
                authority, "--log-level", "error",
            ]
        }

        /// Users, each with the token of an iPhone.
        func tellOfPeople(_ server: ServerProcess) async throws {
            let attributes = (0..<PostgresServerTests.people).map { number in
                let token = simulator.registerDevice(
                    bundleID: PostgresServerTests.bundleID,
                    environment: .sandbox
                )
                return """
                    {"external_id": "user-\(number)", "push_tokens":
                        [{"app_id": "\(appID)", "token": "\(token)"}]}
                    """
            }
            let (status, answer) = try await server.post(
                "/users/track",
                key: apiKey,
                "{\"attributes\": [\(attributes.joined(separator: ", "))]}"
            )
            try #require(status == 201, "\(answer)")
        }

        func send(_ server: ServerProcess) async throws {
            let users = (0..<PostgresServerTests.people).map { "\"user-\($0)\"" }
            let (status, answer) = try await server.post(
                "/messages/send",
                key: apiKey,
                """
                {"external_user_ids": [\(users.joined(separator: ", "))], "messages":
                    {"apple_push": {"alert": {"title": "Once", "body": "and only once"}}}}
                """
            )
            try #require(status == 201, "\(answer)")
        }

        /// Waits for the end of the send, and looks at what the service got: nobody twice, but for
        /// repetitions under the same id, which a phone shows once.
        func expectAllSentOnce() async throws {
            try await eventually("everybody has got it") {
                Set(simulator.accepted.map(\.deviceToken)).count == PostgresServerTests.people
            }
            let ids = Dictionary(grouping: simulator.accepted, by: \.deviceToken)
                .mapValues { Set($0.map(\.id)).count }
            #expect(ids.values.allSatisfy { $0 == 1 })
            let (watched, progress) = try ServerProcess.runProgram(
                "noroshi-server",
                ["sends", "watch", "1"] + database
            )
            let count = PostgresServerTests.people
            #expect(watched == 0 && progress.contains("finished \(count)/\(count)"), "\(progress)")
            let (verified, figures) = try ServerProcess.runProgram(
                "noroshi-server",
                ["sends", "verify", "1"] + database
            )
            #expect(verified == 0, "\(figures)")
        }
    }
}
