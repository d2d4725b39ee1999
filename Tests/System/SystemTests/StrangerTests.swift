import Foundation
import StoreConformance
import Synchronization
import Testing

/// What clients cost that nobody knows, over sockets to a server process. The same in full size:
/// `./noroshi torture strangers`.
@Suite("Strangers cost little")
struct StrangerTests {
    @Test("half-open requests take no memory, and /health answers beside them")
    func halfOpen() async throws {
        try await StrangerSite.run { site in
            let running = try site.start(["--body-budget", "4000000", "--body-seconds", "5"])
            defer { running.server.kill() }
            let before = try running.memory()
            let part = String(repeating: " ", count: 1 << 20)
            let halves = try (0..<80).map { number in
                try running.connect(
                    running.head(4_000_000, hasKey: number.isMultiple(of: 2)) + part
                )
            }
            #expect(try running.get("/health").hasPrefix("HTTP/1.1 200"))
            #expect(try running.memory() - before < 60 << 20)
            // Who is known has the budget of all, who is not is refused by the head.
            let answers = try halves.map { try $0.answer() }
            for (number, answer) in answers.enumerated() {
                let allowed = number.isMultiple(of: 2) ? ["503", "408"] : ["401"]
                #expect(allowed.contains { answer.hasPrefix("HTTP/1.1 \($0)") }, "\(answer)")
            }
            #expect(try running.track("ada").hasPrefix("HTTP/1.1 201"))
        }
    }

    @Test("connections that trickle take no place from others")
    func places() async throws {
        try await StrangerSite.run { site in
            let running = try site.start(["--connection-limit", "20"])
            defer { running.server.kill() }
            let slow = try (0..<60).map { _ in
                try running.connect(running.head(4_000, hasKey: false))
            }
            for _ in 0..<10 {
                for connection in slow { connection.send(" ") }
                #expect(try running.get("/health").hasPrefix("HTTP/1.1 200"))
                #expect(try running.track("ada").hasPrefix("HTTP/1.1 201"))
            }
        }
    }

    @Test("a server that is told to stop ends in time, whatever its clients do")
    func stop() async throws {
        try await StrangerSite.run { site in
            let password = try ServerProcess.run(
                ["member", "create", "--email", "ada@example.org", "--name", "Ada"] + site.options
            )
            let running = try site.start(["--stop-seconds", "3"])
            defer { running.server.kill() }
            let session = try StrangerSite.Running.part(
                of: try running.signIn("ada@example.org", password),
                from: "noroshi_session=",
                to: ";"
            )
            let clients = [
                try running.connect(),
                try running.connect("GET /health HTTP/1.1\r\nHost: te"),
                try running.connect(running.head(4_000, hasKey: true) + "{"),
                try running.connect(running.head(4_000, hasKey: false) + "{"),
                try running.connect(
                    "GET /console/push/changes HTTP/1.1\r\nHost: test\r\n"
                        + "Cookie: noroshi_session=\(session)\r\n\r\n"
                ),
                try running.connect("GET /health HTTP/1.1\r\nHost: test\r\n\r\n"),
            ]
            let start = ContinuousClock.now
            running.server.terminate()
            while !running.server.hasEnded, ContinuousClock.now - start < .seconds(600) {
                for client in clients { client.send(" ") }
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(running.server.hasEnded)
        }
    }

    @Test("wrong passwords are counted across a restart, and say when to come back")
    func signIns() async throws {
        try await StrangerSite.run { site in
            _ = try ServerProcess.run(
                ["member", "create", "--email", "ada@example.org", "--name", "Ada"] + site.options
            )
            let first = try site.start()
            for _ in 0..<10 {
                #expect(try first.signIn("ada@example.org", "x").hasPrefix("HTTP/1.1 422"))
            }
            #expect(try first.signIn("ada@example.org", "x").hasPrefix("HTTP/1.1 429"))
            #expect(try first.get("/health").contains("10 wrong, 1 limited"))
            first.server.kill()
            try await eventually("the process has ended") { first.server.hasEnded }
            let second = try site.start()
            defer { second.server.kill() }
            let answer = try second.signIn("ada@example.org", "x")
            #expect(answer.hasPrefix("HTTP/1.1 429"))
            #expect(answer.lowercased().contains("retry-after: "))
            #expect(answer.contains("Too many wrong passwords"))
        }
    }

    @Test(
        "a second server on a file is refused and names the first, until that has ended",
        .aboutFiles
    )
    func twoServers() async throws {
        try await StrangerSite.run { site in
            let first = try site.start()
            let link = site.folder.appending(path: "link.sqlite").path
            try FileManager.default.createSymbolicLink(
                atPath: link,
                withDestinationPath: site.databasePath
            )
            for path in [site.databasePath, link] {
                let (status, text) = try ServerProcess.runProgram(
                    "noroshi-server",
                    ["serve", "--database", "sqlite:\(path)", "--listen", "127.0.0.1:0"]
                )
                #expect(status != 0)
                #expect(text.contains("process \(first.server.pid)"), "\(text)")
                #expect(text.contains("127.0.0.1:\(first.port)"), "\(text)")
            }
            // Commands that keep to transactions of their own may run beside it.
            _ = try ServerProcess.run(["apikey", "list"] + site.options)
            first.server.kill()
            try await eventually("the process has ended") { first.server.hasEnded }
            let second = try site.start()
            #expect(try second.track("ada").hasPrefix("HTTP/1.1 201"))
            second.server.kill()
        }
    }

    @Test(
        "while nothing can be written, /ready and writes say so with 503, and both recover",
        .aboutFiles
    )
    func fullDisk() async throws {
        try await StrangerSite.run { site in
            let running = try site.start(fileBlocks: 3_000)
            defer { running.server.kill() }
            try await eventually("the server is ready") {
                try running.get("/ready").hasPrefix("HTTP/1.1 200")
            }
            var refused = ""
            for number in 0..<2_000 where refused.isEmpty {
                let note = String(repeating: "x", count: 20_000)
                let body =
                    #"{"attributes": [{"external_id": "u\#(number)", "note": "\#(note)"}]}"#
                let answer = try running.ask(
                    running.head(body.utf8.count, hasKey: true) + body
                )
                if !answer.hasPrefix("HTTP/1.1 201") { refused = answer }
            }
            #expect(refused.hasPrefix("HTTP/1.1 503"), "\(refused)")
            #expect(refused.lowercased().contains("retry-after: 5"))
            let ready = try running.get("/ready")
            #expect(ready.hasPrefix("HTTP/1.1 503"), "\(ready)")
            #expect(ready.contains("store: the d"), "\(ready)")
            #expect(try running.get("/health").hasPrefix("HTTP/1.1 200"))
            // Nobody writes; it is found out all the same.
            try running.server.liftFileLimit()
            try await eventually("the server is ready again") {
                try running.get("/ready").hasPrefix("HTTP/1.1 200")
            }
            #expect(try running.track("ada").hasPrefix("HTTP/1.1 201"))
        }
    }
}
