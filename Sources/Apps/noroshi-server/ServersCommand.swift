import ArgumentParser
import Foundation
import Model
import NoroshiWire
import Ports
import Server
import StoreSQL

struct ServersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "servers",
        abstract: "Lists the servers that work on a database of PostgreSQL.",
        discussion: """
            Which of them leads, when each gave its last sign of life, how much its clock differs from the \
            database's, how many users it has in its memory and how long ago it had read all that was stored, and \
            how many pushes it has on their way. One that is silent for 15 seconds is struck off.

            A database in a file has one server; who that is, is said in a sentence.
            """
    )

    @OptionGroup var options: SettingsOptions
    @Flag(help: "As JSON, for programs.")
    var json = false

    func run() async throws {
        let settings = try await options.settings()
        if let path = settings.database.path {
            try settings.requireDatabase()
            let holder = try DatabaseClaim.holder(path: path)
            print(holder.map(\.sentence) ?? "No server works on it.")
            return
        }
        let store = try settings.openExistingStore()
        let servers = try await store.servers()
        try await store.close()
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let data = try encoder.encode(servers.map(ServerLine.init))
            print(String(decoding: data, as: UTF8.self))
            return
        }
        guard !servers.isEmpty else {
            print("No server works on it.")
            return
        }
        print(ServerLine.header)
        for line in servers.map(ServerLine.init) { print(line.text) }
        for server in servers where server.isClockOff {
            print("The clock of \(server.name) is off: set it and the database's by NTP.")
        }
    }
}

/// A server in the list.
private struct ServerLine: Encodable {
    enum CodingKeys: String, CodingKey {
        case id, name, host, process, address, version, leads, users
        case isReady = "ready"
        case startedAt = "started_at"
        case seenAt = "seen_at"
        case silence = "silent_seconds"
        case clockOffset = "clock_offset_seconds"
        case isClockOff = "clock_is_off"
        case audienceLag = "audience_lag_seconds"
        case pushesInFlight = "pushes_in_flight"
    }

    var id: String
    var name: String
    var host: String
    var process: Int32
    var address: String?
    var version: String
    var leads: Bool
    var isReady: Bool
    var startedAt: String
    var seenAt: String
    var silence: Double
    var clockOffset: Double
    var isClockOff: Bool
    var audienceLag: Double
    var users: Int
    var pushesInFlight: Int

    init(_ server: WorkingServer) {
        id = server.id.uuidString.lowercased()
        name = server.name
        host = server.host
        process = server.process
        address = server.address
        version = server.version
        leads = server.report.leads
        isReady = server.report.isReady
        startedAt = Timestamp.format(server.startedAt)
        seenAt = Timestamp.format(server.seenAt)
        silence = server.silence
        clockOffset = server.clockOffset
        isClockOff = server.isClockOff
        audienceLag = server.report.audienceLag
        users = server.report.users
        pushesInFlight = server.report.pushesInFlight
    }

    static let header = row(
        "NAME",
        "PART",
        ["SILENT", "CLOCK", "USERS", "BEHIND", "PUSHES"],
        "VERSION",
        "PLACE"
    )

    var text: String {
        Self.row(
            name,
            leads ? "leads" : isReady ? "works" : "reads",
            [
                Self.seconds(silence), (clockOffset < 0 ? "" : "+") + Self.seconds(clockOffset),
                "\(users)", Self.seconds(audienceLag), "\(pushesInFlight)",
            ],
            version,
            "\(host) \(address ?? "–"), process \(process)"
        )
    }

    private static func row(
        _ name: String,
        _ part: String,
        _ figures: [String],
        _ version: String,
        _ place: String
    ) -> String {
        ([name.rightPadded(16), part.rightPadded(6)] + figures.map { $0.leftPadded(10) }
            + ["", version.rightPadded(8), place])
            .joined(separator: " ")
    }

    private static func seconds(_ seconds: Double) -> String {
        let tenths = Int((abs(seconds) * 10).rounded())
        return "\(seconds < 0 ? "-" : "")\(tenths / 10).\(tenths % 10) s"
    }
}
