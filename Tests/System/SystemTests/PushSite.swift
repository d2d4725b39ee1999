import APNs
import Crypto
import Foundation
import Gateways
import Logging
import Model
import NIOPosix
import PostgresTesting
import Testing

/// A database with an app, its credentials and a key, made by the commands, and a simulator of APNs.
struct PushSite {
    private static let bundleID = "dev.noroshi.site"
    static let people = 40

    let folder: URL
    var address: String
    let simulator: APNsSimulator
    /// PostgreSQL trusts everybody on its socket; it is in the address to be kept out of what is said.
    static let password = "tsukimi-dango"
    let key: [String]
    let passphrase: [String]
    let apiKey: String
    let appID: String
    private let authority: String

    /// - Parameter file: The name of an SQLite file; none for a database of PostgreSQL.
    static func run(file: String? = nil, _ body: (PushSite) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-site-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let simulator = try await APNsSimulator.start(
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let address =
            try file.map { "sqlite:" + folder.appending(path: $0).path } ?? newPostgres()
        try await body(try PushSite(folder, simulator, address))
        await simulator.stop()
    }

    /// The address of a new database of PostgreSQL.
    static func newPostgres() throws -> String {
        try TemporaryPostgres.shared().makeDatabase()
            .replacing("://postgres@", with: "://postgres:\(password)@")
    }

    private init(_ folder: URL, _ simulator: APNsSimulator, _ address: String) throws {
        self.folder = folder
        self.simulator = simulator
        self.address = address
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
                Self.bundleID,
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
                "credentials", "set", "--bundle-id", Self.bundleID, "--p8",
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
        let attributes = (0..<Self.people).map { number in
            let token = simulator.registerDevice(
                bundleID: Self.bundleID,
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
        let users = (0..<Self.people).map { "\"user-\($0)\"" }
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
            Set(simulator.accepted.map(\.deviceToken)).count == Self.people
        }
        let ids = Dictionary(grouping: simulator.accepted, by: \.deviceToken)
            .mapValues { Set($0.map(\.id)).count }
        #expect(ids.values.allSatisfy { $0 == 1 })
        let (watched, progress) = try ServerProcess.runProgram(
            "noroshi-server",
            ["sends", "watch", "1"] + database
        )
        let count = Self.people
        #expect(watched == 0 && progress.contains("finished \(count)/\(count)"), "\(progress)")
        let (verified, figures) = try ServerProcess.runProgram(
            "noroshi-server",
            ["sends", "verify", "1"] + database
        )
        #expect(verified == 0, "\(figures)")
    }
}
