import ArgumentParser
import Foundation
import Server
import StoreSQL

struct ServersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "servers",
        abstract: "Lists the servers that work on a database of PostgreSQL.",
        discussion: """
            What each does (--roles), which of them leads, when each gave its last sign of life, how much its clock differs from the \
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
        let servers = try await ServerLine.all(in: store)
        try await store.close()
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let data = try encoder.encode(servers)
            print(String(decoding: data, as: UTF8.self))
            return
        }
        guard !servers.isEmpty else {
            print("No server works on it.")
            return
        }
        print(ServerLine.header)
        for server in servers { print(server.text) }
        for server in servers where server.isClockOff {
            print("The clock of \(server.name) is off: set it and the database's by NTP.")
        }
    }
}

extension ServerLine {
    fileprivate static let header = row(
        "NAME",
        "PART",
        ["SILENT", "CLOCK", "USERS", "BEHIND", "PUSHES"],
        "VERSION",
        "PLACE",
        "ROLES"
    )

    fileprivate var text: String {
        Self.row(
            name,
            leads ? "leads" : isReady ? "works" : "reads",
            [
                Self.seconds(silence), Self.offset(clockOffset),
                keepsColumns ? "\(users)" : "–", keepsColumns ? Self.seconds(audienceLag) : "–",
                "\(pushesInFlight)",
            ],
            version,
            "\(host) \(address ?? "–"), process \(process)",
            roles.joined(separator: ", ")
        )
    }

    private static func row(
        _ name: String,
        _ part: String,
        _ figures: [String],
        _ version: String,
        _ place: String,
        _ roles: String
    ) -> String {
        ([name.rightPadded(16), part.rightPadded(6)] + figures.map { $0.leftPadded(10) }
            + ["", version.rightPadded(8), place.rightPadded(48), roles])
            .joined(separator: " ")
    }

    /// A difference that the digits do not show has no direction.
    private static func offset(_ seconds: Double) -> String {
        let size = Self.seconds(abs(seconds))
        guard size != Self.seconds(0) else { return size }
        return (seconds < 0 ? "-" : "+") + size
    }

    private static func seconds(_ seconds: Double) -> String {
        let tenths = Int((abs(seconds) * 10).rounded())
        return "\(seconds < 0 ? "-" : "")\(tenths / 10).\(tenths % 10) s"
    }
}
