import Foundation
import Gateways
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
    @Test(
        "one that is killed in a campaign is followed by the next, which sends the rest once",
        .timeLimit(.minutes(20))
    )
    func takingOver() async throws {
        try await PushSite.run { site in
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
            #expect(!words.contains(PushSite.password), "\(words)")
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
        try await PushSite.run { site in
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
        try await PushSite.run { site in
            let folder = site.folder.path
            for (arguments, words) in [
                (["backup", "create", "--to", folder + "/backups"], "pg_dump"),
                (["restore", folder + "/backups/one"], "pg_restore"),
                (["doctor", "--mend"], "noroshi move"),
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
                            ? [] : site.passphrase)
                )
                #expect(status != 0 && output.contains(words), "\(arguments): \(output)")
                #expect(!output.contains(PushSite.password), "\(arguments): \(output)")
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
