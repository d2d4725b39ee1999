import Foundation
import Gateways
import PostgresTesting
import Server
import Testing

/// A server whose database moves from SQLite to PostgreSQL and back, by the command.
@Suite(
    "A database that moves",
    .enabled(
        if: TemporaryPostgres.isInstalled,
        "PostgreSQL's programs and libpq are not installed on this machine"
    )
)
struct MovedServerTests {
    @Test(
        "a campaign that is cut off goes on after each move, and reaches everybody once",
        .timeLimit(.minutes(20))
    )
    func campaign() async throws {
        try await PushSite.run(file: "first.sqlite") { file in
            var server = file
            server.address = try PushSite.newPostgres()
            var back = file
            back.address = "sqlite:" + file.folder.appending(path: "back.sqlite").path

            let first = try ServerProcess(arguments: file.options + ["--listen", "127.0.0.1:0"])
            defer { first.kill() }
            try await file.tellOfPeople(first)
            try stall(after: 10, file)
            try await file.send(first)
            try await eventually("some have got it") { file.simulator.acceptedCount >= 10 }
            let (refused, words) = try move(file, server)
            #expect(refused != 0 && words.contains("process \(first.pid)"), "\(words)")
            first.kill()

            try expectMoved(file, to: server)
            try stall(after: 10, file)
            let second = try ServerProcess(arguments: server.options + ["--listen", "127.0.0.1:0"])
            defer { second.kill() }
            try await eventually("more have got it") { file.simulator.acceptedCount >= 20 }
            second.kill()

            // Back with another connection than the former server's, which PostgreSQL ends on its own.
            try await eventually("the database is free") {
                ((try? move(server, back))?.0 ?? 1) == 0
            }
            try expectEqualExports(server, back)
            file.simulator.play(FaultScript())
            let third = try ServerProcess(arguments: back.options + ["--listen", "127.0.0.1:0"])
            defer { third.kill() }
            try await back.expectAllSentOnce()
        }
    }

    /// Lets the push service answer some and then say nothing any more.
    private func stall(after answers: Int, _ site: PushSite) throws {
        site.simulator.play(
            try FaultScript(json: Data(#"{"faults": [{"skip": \#(answers), "stall": true}]}"#.utf8))
        )
    }

    private func move(_ old: PushSite, _ new: PushSite) throws -> (Int32, String) {
        try ServerProcess.runProgram(
            "noroshi-server",
            ["move", "--from", old.address, "--to", new.address]
        )
    }

    private func expectMoved(_ old: PushSite, to new: PushSite) throws {
        let (status, words) = try move(old, new)
        #expect(status == 0 && words.contains("Moved "), "\(words)")
        #expect(!words.contains(PushSite.password), "\(words)")
        try expectEqualExports(old, new)
        // Another time there is something in it.
        let (again, reason) = try move(old, new)
        #expect(again != 0 && reason.contains("a move needs a new one"), "\(reason)")
    }

    private func expectEqualExports(_ left: PushSite, _ right: PushSite) throws {
        for kind in ["users", "events", "sends", "content"] {
            let (status, rows) = try export(kind, left)
            #expect(status == 0 && !rows.isEmpty || kind == "events", "\(kind): \(rows)")
            #expect(try export(kind, right).1 == rows, "\(kind)")
        }
    }

    private func export(_ kind: String, _ site: PushSite) throws -> (Int32, String) {
        try ServerProcess.runProgram("noroshi-server", ["export", kind] + site.database)
    }
}
