import Foundation
import Logging
import Model
import Ports
import PostgresTesting
import Server
import ServerTesting
import StoreSQL
import StoreTesting
import Testing

/// What operators see of the servers of one database: a command, pages and `/health`.
@Suite(
    "The servers of a database",
    .enabled(if: TemporaryPostgres.isInstalled, "PostgreSQL is not installed")
)
struct ServerListTests {
    /// The list as a program reads it.
    private struct Line: Decodable {
        var name: String
        var process: Int32
        var address: String?
        var leads: Bool
        var ready: Bool
        var clock_is_off: Bool
        var silent_seconds: Double
    }

    private static func list(_ options: [String]) throws -> [Line] {
        let (status, text) = try ServerProcess.runProgram(
            "noroshi-server",
            ["servers", "--json"] + options
        )
        try #require(status == 0, "\(text)")
        return try JSONDecoder().decode([Line].self, from: Data(text.utf8))
    }

    @Test("are listed with the one that leads until they end", .timeLimit(.minutes(10)))
    func listing() async throws {
        try await PushSite.run { site in
            #expect(try Self.list(site.database).isEmpty)
            let servers = try ["tea", "cake"].map { name in
                try ServerProcess(
                    arguments: site.options + ["--listen", "127.0.0.1:0", "--node", name]
                )
            }
            defer { servers.forEach { $0.kill() } }
            try await eventually("both are ready, and one of them leads") {
                let lines = try Self.list(site.database)
                return lines.count == 2 && lines.allSatisfy { $0.ready && $0.address != nil }
                    && lines.filter(\.leads).count == 1
            }
            let lines = try Self.list(site.database)
            #expect(lines.map(\.name) == ["tea", "cake"])
            #expect(lines.map(\.process) == servers.map(\.pid))
            #expect(lines.allSatisfy { !$0.clock_is_off })
            let (status, table) = try ServerProcess.runProgram(
                "noroshi-server",
                ["servers"] + site.database
            )
            #expect(status == 0 && table.contains("tea ") && table.contains(" leads "), "\(table)")

            let leading = lines.first { $0.leads }
            let leader = try #require(leading).process
            for server in servers {
                let part = server.pid == leader ? "this one leads" : "this one does not lead"
                try await eventually("it says how many there are") {
                    try await server.get("/health", key: "").1.contains("servers: 2, \(part)\n")
                }
            }
            servers.first { $0.pid == leader }?.kill()
            try await eventually("the other one is alone, and leads") {
                let lines = try Self.list(site.database)
                return lines.count == 1 && lines[0].leads && lines[0].process != leader
            }
        }
    }

    @Test("of a file are one, of which others read who it is")
    func file() async throws {
        try await PushSite.run(file: "noroshi.sqlite") { site in
            let none = try ServerProcess.run(["servers"] + site.database)
            #expect(none == "No server works on it.")
            let server = try ServerProcess(arguments: site.options + ["--listen", "127.0.0.1:0"])
            defer { server.kill() }
            let words = try ServerProcess.run(["servers"] + site.database)
            #expect(words.contains("process \(server.pid) on"), "\(words)")
            let health = try await server.get("/health", key: "").1
            #expect(!health.contains("servers:"), "\(health)")
        }
    }

    @Test("are on the page of the system, with a mark where a clock is off")
    func page() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-servers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "database").path
        let address = try TestDatabase(at: file, on: .postgres).address
        try await ConsoleSession.open(database: file, on: .postgres) { console in
            var text = ""
            try await eventually("the only one leads") {
                text = try await console.get("/console/settings/system")
                return text.contains(#"<span class="mark live">leads</span>"#)
            }
            #expect(text.contains("<b>main</b>") && !text.contains("mark bad"))
            // A difference that the digits do not show has no direction; the audience beside it is behind.
            #expect(text.contains(#"data-label="Clock">"#))
            #expect(!text.contains(/data-label="Clock">0\.0 s (ahead|behind)/), "\(text)")

            let other = try await ServerPresence.take(
                address,
                as: WorkingServer(
                    id: UUID(),
                    name: "hasty",
                    host: "tea",
                    process: 1,
                    version: "0.2.0",
                    roles: [.delivery],
                    startedAt: Date(),
                    seenAt: Date(),
                    clockOffset: 0,
                    report: ServerReport()
                ),
                now: { Date() + 3_600 },
                pause: {},
                onWaiting: { _ in }
            )
            _ = try await other.beat(ServerReport(isReady: true), address: nil)
            text = try await console.get("/console/settings/system")
            #expect(text.contains("<b>hasty</b>"))
            #expect(text.contains(#"<span class="mark good">works</span>"#))
            // A machine that stands still between two readings makes the difference smaller.
            let ahead = /<span class="mark bad">(3,600\.0|3,5\d\d\.\d) s ahead<\/span>/
            #expect(text.contains(ahead), "\(text)")
            #expect(text.contains("by NTP"))
            // One that only sends has no users.
            #expect(text.contains(#"data-label="Users in memory">–<"#), "\(text)")
            await other.leave()
            text = try await console.get("/console/settings/system")
            #expect(!text.contains("hasty"))
        }
    }

    @Test("of a demo share a database, and all are gone with it", .timeLimit(.minutes(10)))
    func demo() throws {
        // A process of its own: the many tests beside it in this one would keep its signs of life back.
        let demo = Process()
        demo.executableURL = try ServerProcess.program
        demo.arguments = ["demo", "--servers", "2", "--listen", "127.0.0.1:0"]
        let output = Pipe()
        demo.standardOutput = output
        demo.standardError = FileHandle.nullDevice
        try demo.run()
        defer { if demo.isRunning { demo.terminate() } }
        var story = ""
        while !story.contains("Ctrl-C") {
            let data = output.fileHandleForReading.availableData
            try #require(!data.isEmpty, "the demo has ended: \(story)")
            story += String(decoding: data, as: UTF8.self)
        }
        // It was there first.
        let leading = /server-1 .* process (\d+), leads/
        let match = try #require(story.firstMatch(of: leading), "\(story)")
        let number = try #require(Int32(match.1))
        #expect(story.contains("kill -9 \(number)"), "\(story)")
        demo.interrupt()
        demo.waitUntilExit()
        #expect(kill(number, 0) != 0)
    }

    @Test("of a demo deliver what its scenario sends", .timeLimit(.minutes(10)))
    func scenario() throws {
        let (status, words) = try ServerProcess.runProgram(
            "noroshi-server",
            ["demo", "--servers", "2", "--once"]
        )
        #expect(status == 0, "\(words)")
        #expect(words.contains("sent 3, accepted 3, received 3, opened 3"), "\(words)")
    }
}
