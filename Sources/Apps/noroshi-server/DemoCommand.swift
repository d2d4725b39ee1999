import ArgumentParser
import Foundation
import Logging
import Server

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Starts the server, simulated push services and virtual phones in one process."
    )

    @Flag(help: "Plays the scenario without a browser, prints what happened and ends.")
    var once = false

    @Flag(
        help: "Adds a year of 5,000 other guests, so that reports and lists have something to show."
    )
    var sample = false

    @Option(help: "HOST:PORT of the console and the phone; port 0 takes a free one.")
    var listen: String?

    @Option(help: "A folder to keep the data in; without it a new demo starts from nothing.")
    var data: String?

    @Option(help: "postgres://HOST/DATABASE for the rows, beside --data for everything else.")
    var database: String?

    @Option(
        help: """
            How many servers share a PostgreSQL, which is made for the demo and gone with it unless --database \
            names one. It has to be installed.
            """
    )
    var servers = 1

    @Option(name: .customLong("log-level"), help: "trace to critical.")
    var logLevel = Logger.Level.error.rawValue

    /// This program.
    private static var program: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments[0]
    }

    func run() async throws {
        if once, sample {
            throw ValidationError("--once plays with three guests alone; leave out --sample")
        }
        guard (1...9).contains(servers) else {
            throw ValidationError("--servers is a number from 1 to 9")
        }
        if servers > 1, data != nil, database == nil {
            throw ValidationError(
                "--data outlives the PostgreSQL of --servers; name another one with --database"
            )
        }
        if database != nil, data == nil {
            throw ValidationError("--database outlives the demo; keep the rest in --data FOLDER")
        }
        guard let level = Logger.Level(rawValue: logLevel) else {
            throw ValidationError("--log-level is one of trace, debug, info, … critical")
        }
        let (host, port) = try Settings.address(
            listen ?? (once ? "127.0.0.1:0" : "127.0.0.1:8080"),
            key: "listen"
        )
        let folder =
            data.map { URL(filePath: $0) }
            ?? FileManager.default.temporaryDirectory
            .appending(path: "noroshi-demo-\(UUID().uuidString.prefix(8))")
        defer { if data == nil { try? FileManager.default.removeItem(at: folder) } }
        let demo = try await Demo(
            folder: folder,
            database: try database.map(Settings.location),
            companions: servers > 1 ? Demo.Companions(servers - 1, program: Self.program) : nil,
            host: host,
            port: port,
            logger: .command(level)
        )
        if sample {
            print("Writing a year of a tea house", terminator: "")
            try await demo.addSample { days in
                if days % 30 == 0 {
                    print(".", terminator: "")
                    fflush(nil)
                }
            }
            print("")
        }
        if once {
            try await DemoScenario(demo: demo).run { line in
                print(line)
                fflush(nil)
            }
        } else {
            try await demo.run(onReady: { address, _ in
                let others = try? await demo.companions?.story(own: address)
                print(
                    """

                    Noroshi is running.

                      Console  \(address)/console
                               \(demo.login.email)
                               \(demo.login.password)
                      Phones   \(address)/phones

                    Open both side by side, choose "New push" in the console and send.
                    \(others.map { "\nServers\n\($0)\n" } ?? "")\
                    Ctrl-C stops everything\(data == nil ? " and forgets it" : "").
                    """
                )
                fflush(nil)
            })
        }
    }
}
