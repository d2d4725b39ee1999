import Foundation
import FoundationNetworking
import Gateways
import Logging
import Model
import PostgresClient
import PostgresTesting
import Server
import ServerTesting
import StoreTesting
import Testing

/// Servers on one database of PostgreSQL: all of them work, and one of them leads.
@Suite(
    "Servers on PostgreSQL",
    .enabled(
        if: TemporaryPostgres.isInstalled,
        "PostgreSQL's programs and libpq are not installed on this machine"
    )
)
struct PostgresServerTests {
    @Test(
        "all of them take requests and send; what one that is killed had on its way, another one sends, once",
        .timeLimit(.minutes(20))
    )
    func working() async throws {
        try await PushSite.run { site in
            let first = try ServerProcess(arguments: site.options + ["--listen", "127.0.0.1:0"])
            defer { first.kill() }
            let next = try ServerProcess(arguments: site.options + ["--listen", "127.0.0.1:0"])
            defer { next.kill() }
            for server in [first, next] {
                try await eventually("it is ready") {
                    (try? await server.get("/ready", key: "").0) == 200
                }
            }
            try await site.tellOfPeople(first)
            // Then the service says nothing any more.
            site.simulator.play(
                try FaultScript(json: Data(#"{"faults": [{"skip": 10, "stall": true}]}"#.utf8))
            )
            // The one that does not lead takes the order as well as the other.
            try await site.send(next)
            try await eventually("some have got it") { site.simulator.acceptedCount >= 10 }

            first.kill()
            site.simulator.play(FaultScript())
            let (status, answer) = try await next.post(
                "/users/track",
                key: site.apiKey,
                #"{"attributes": [{"external_id": "late"}]}"#
            )
            #expect(status == 201, "\(answer)")
            try await site.expectAllSentOnce()
        }
    }

    @Test(
        "one whose clock is more than a minute away from the database's does not start",
        arguments: [-3_600.0, 3_600]
    )
    func clockOff(difference: TimeInterval) async throws {
        try await PushSite.run { site in
            let path = site.folder.appending(path: "none.sqlite").path
            let settings = try TestDatabase(at: path, on: .postgres).settings
            var dependencies = ServerDependencies.live
            dependencies.now = { Date().addingTimeInterval(difference) }
            dependencies.hasSystemClock = true
            let error = try await #require(throws: StoreError.self) {
                try await NoroshiServer.open(
                    settings: settings,
                    dependencies: dependencies,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                )
            }
            #expect("\(error)".contains("seconds away") && "\(error)".contains("NTP"), "\(error)")
        }
    }

    @Test("when the one that leads is told to stop, another one leads at once and plans")
    func stopping() async throws {
        try await PushSite.run { site in
            let first = try ServerProcess(arguments: site.options + ["--listen", "127.0.0.1:0"])
            defer { first.kill() }
            let next = try ServerProcess(arguments: site.options + ["--listen", "127.0.0.1:0"])
            defer { next.kill() }
            try await site.tellOfPeople(next)
            first.terminate()
            try await eventually("it has ended") { first.hasEnded }
            try await eventually("the next server is ready") {
                (try? await next.get("/ready", key: "").0) == 200
            }
            try await site.send(next)
            try await site.expectAllSentOnce()
        }
    }

    @Test(
        "behind a pooler they do the same; one whose pooler leads to another database does not start",
        .enabled(if: TemporaryPooler.isInstalled, "pgbouncer is not installed on this machine")
    )
    func pooling() async throws {
        try await PushSite.run { site in
            let pooler = try TemporaryPooler.shared()
            let options = site.options + ["--listen", "127.0.0.1:0", "--database-pooler"]
            let servers = try (0..<2).map { _ in
                try ServerProcess(arguments: options + [pooler.address(of: site.address)])
            }
            defer { for server in servers { server.kill() } }
            for server in servers {
                try await eventually("it is ready") {
                    (try? await server.get("/ready", key: "").0) == 200
                }
            }
            try await site.tellOfPeople(servers[0])
            try await site.send(servers[1])
            try await site.expectAllSentOnce()

            let other = try PushSite.newPostgres()
            let command = ["serve"] + site.database + ["--listen", "127.0.0.1:0"]
            let (status, words) = try ServerProcess.runProgram(
                "noroshi-server",
                command + ["--database-pooler", pooler.address(of: other)]
            )
            #expect(status != 0 && words.contains("leads to another database"), "\(words)")
            #expect(!words.contains(PushSite.password), "\(words)")
        }
    }

    @Test(
        "while a pooler lets nobody through, one says so, is not taken to be dead, and goes on afterwards",
        .enabled(if: TemporaryPooler.isInstalled, "pgbouncer is not installed on this machine"),
        .timeLimit(.minutes(10))
    )
    func heldBack() async throws {
        try await PushSite.run { site in
            let pooler = try TemporaryPooler.shared()
            let metrics = "127.0.0.1:\(try FreePort.find())"
            let server = try ServerProcess(
                arguments: site.options + ["--listen", "127.0.0.1:0", "--metrics-listen", metrics]
                    + ["--database-pooler", pooler.address(of: site.address)]
            )
            defer { server.kill() }
            try await eventually("it is ready") {
                (try? await server.get("/ready", key: "").0) == 200
            }
            try await site.tellOfPeople(server)
            try pooler.hold(site.address)
            try await eventually("it says that it cannot work") {
                try await server.get("/ready", key: "").0 == 503
            }
            // Whoever waited for the database with each of them would wait for half an hour.
            for _ in 0..<200 {
                let (status, words) = try await server.get("/health", key: "")
                #expect(status == 200 && words.contains("servers: 1"), "\(words)")
            }
            let address = try #require(URL(string: "http://\(metrics)/metrics"))
            for _ in 0..<50 {
                let (data, _) = try await URLSession.shared.data(from: address)
                let figures = String(decoding: data, as: UTF8.self)
                #expect(figures.contains("noroshi_store_writable 0\n"), "\(figures)")
            }
            try pooler.release(site.address)
            try await eventually("it works again") {
                try await server.get("/ready", key: "").0 == 200
            }
            try await site.send(server)
            try await site.expectAllSentOnce()
        }
    }

    @Test("one that takes requests leaves sending to one that does, which takes none")
    func roles() async throws {
        try await PushSite.run { site in
            let options = site.options + ["--listen", "127.0.0.1:0", "--roles"]
            let front = try ServerProcess(arguments: options + ["requests"])
            defer { front.kill() }
            let worker = try ServerProcess(arguments: options + ["delivery,leadership"])
            defer { worker.kill() }
            for server in [front, worker] {
                try await eventually("it is ready") {
                    (try? await server.get("/ready", key: "").0) == 200
                }
            }
            for path in ["/console", "/docs/api", "/campaigns/list", "/sdk/v1/batch"] {
                let (status, words) = try await worker.get(path, key: site.apiKey)
                #expect(status == 503 && words.contains("takes no requests"), "\(path): \(words)")
            }
            try await eventually("it says how many there are") {
                try await front.get("/health", key: "").1
                    .contains("servers: 2, this one does not lead")
            }
            let list = try ServerProcess.run(["servers"] + site.database)
            #expect(list.contains("delivery, leadership"), "\(list)")

            try await site.tellOfPeople(front)
            // Without the one that sends nothing goes out.
            worker.kill()
            try await site.send(front)
            #expect(site.simulator.acceptedCount == 0)
            let next = try ServerProcess(arguments: options + ["delivery,leadership"])
            defer { next.kill() }
            try await site.expectAllSentOnce()
        }
    }

    @Test("one that only sends has no users in its memory")
    func sender() async throws {
        try await PushSite.run { site in
            let options = site.options + ["--listen", "127.0.0.1:0", "--roles"]
            let front = try ServerProcess(arguments: options + ["requests,leadership"])
            defer { front.kill() }
            let metrics = "127.0.0.1:\(try FreePort.find())"
            let sender = try ServerProcess(
                arguments: options + ["delivery", "--metrics-listen", metrics]
            )
            defer { sender.kill() }
            for server in [front, sender] {
                try await eventually("it is ready") {
                    (try? await server.get("/ready", key: "").0) == 200
                }
            }
            try await site.tellOfPeople(front)
            try await site.send(front)
            try await site.expectAllSentOnce()

            let health = try await sender.get("/health", key: "").1
            #expect(health.contains("audience: in no memory"), "\(health)")
            let list = try ServerProcess.run(["servers"] + site.database)
            let lines = list.split(separator: "\n").filter { $0.contains(" works ") }
            #expect(lines.count == 1 && lines[0].hasSuffix(" delivery"), "\(list)")
            #expect(lines[0].contains(" –          – "), "\(list)")
            let address = try #require(URL(string: "http://\(metrics)/metrics"))
            let figures = String(
                decoding: try await URLSession.shared.data(from: address).0,
                as: UTF8.self
            )
            #expect(figures.contains("noroshi_delivery_claimed_pushes "), "\(figures)")
            #expect(!figures.contains("\nnoroshi_audience"), "\(figures)")
        }
    }

    @Test("commands that work on files say what to use instead, and never a password")
    func commands() async throws {
        try await PushSite.run { site in
            let folder = site.folder.path
            for (arguments, words) in [
                (["backup", "create", "--to", folder + "/backups"], "pg_dump"),
                (["restore", folder + "/backups/one"], "pg_restore"),
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
                        + (arguments[0] == "serve" ? [] : site.passphrase)
                )
                #expect(status != 0 && output.contains(words), "\(arguments): \(output)")
                #expect(!output.contains(PushSite.password), "\(arguments): \(output)")
            }
        }
    }

    @Test("the doctor reads beside servers, and mends when they have ended")
    func doctor() async throws {
        try await PushSite.run { site in
            func doctor(_ options: [String] = []) throws -> (status: Int32, words: String) {
                try ServerProcess.runProgram(
                    "noroshi-server",
                    ["doctor"] + options + site.database
                )
            }
            let server = try ServerProcess(arguments: site.options + ["--listen", "127.0.0.1:0"])
            defer { server.kill() }
            try await eventually("it is ready") {
                (try? await server.get("/ready", key: "").0) == 200
            }
            try await site.tellOfPeople(server)
            let healthy = try doctor()
            #expect(healthy.status == 0 && healthy.words.contains("0 faults"), "\(healthy)")

            let connection = try PostgresConnection(site.address, application: "tests")
            try connection.run(script: "UPDATE profiles SET custom = 'x', created_at = -1e17")
            let found = try doctor()
            #expect(found.status != 0 && found.words.contains("pg_dump"), "\(found)")
            #expect(found.words.contains("created_at is -1"), "\(found)")
            let refused = try doctor(["--mend"])
            #expect(refused.status != 0 && refused.words.contains("is in use"), "\(refused)")
            server.terminate()
            try await eventually("it has ended") { server.hasEnded }
            let mended = try doctor(["--mend"])
            #expect(mended.status == 0 && mended.words.contains("Mended"), "\(mended)")
            let after = try doctor()
            #expect(after.status == 0 && after.words.contains("0 faults"), "\(after)")
            #expect(!(found.words + refused.words + mended.words).contains(PushSite.password))
        }
    }

    @Test("a server without a key, or without a database server, says what is missing")
    func missing() async throws {
        try await PushSite.run { site in
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
                ["serve", "--database", "postgres://tea:\(PushSite.password)@127.0.0.1:1/tea"]
                    + site.key
            )
            #expect(alone != 0 && reason.contains("postgres://127.0.0.1:1/tea"), "\(reason)")
            #expect(!reason.contains(PushSite.password), "\(reason)")
        }
    }
}
