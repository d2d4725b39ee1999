import Foundation
import Gateways
import Logging
import Model
import NoroshiWire
import Ports
import Reasons
import StoreSQL

/// The servers of a demo that work on one database of PostgreSQL beside its own: processes like any other
/// server, which send to the demo's push services. They start first, so that one of them leads and can be
/// killed without the end of everything.
package final class DemoServers: Sendable {
    /// The database of all servers.
    package let database: DatabaseLocation
    private let postgres: DemoPostgres?
    private let address: String
    private let processes: [CompanionProcess]

    /// Starts the servers.
    ///
    /// - Parameters:
    ///   - count: How many, without the demo's own.
    ///   - database: The address of a database; without it a PostgreSQL is made that is gone with the demo.
    ///   - program: The program that knows `serve`.
    ///   - folder: Where the demo's key is, and where logs are written.
    /// - Throws: `SettingError` if a program does not start.
    package init(
        _ count: Int,
        database: DatabaseLocation?,
        program: String,
        folder: URL,
        gateways: DemoGateways
    ) async throws {
        let postgres: DemoPostgres?
        switch database {
        case .postgres(let given):
            postgres = nil
            address = given
        default:
            let made = try await DemoPostgres()
            postgres = made
            address = made.address
        }
        self.postgres = postgres
        self.database = .postgres(address)
        var processes: [CompanionProcess] = []
        do {
            let services = try gateways.serveOptions(in: folder)
            for number in 1...count {
                let words = [
                    program, "serve", "--database", address, "--secret-key-file",
                    folder.appending(path: "noroshi.sqlite.key").path, "--listen", "127.0.0.1:0",
                    "--node", "server-\(number)", "--log-level", "notice",
                ]
                processes.append(
                    try CompanionProcess(
                        words + services,
                        in: folder,
                        log: "server-\(number).log"
                    )
                )
            }
            try await Self.waitForLeader(address, processes, folder)
        } catch {
            processes.forEach { $0.stop() }
            postgres?.stop()
            throw error
        }
        self.processes = processes
    }

    private static func waitForLeader(
        _ address: String,
        _ processes: [CompanionProcess],
        _ folder: URL
    ) async throws {
        var store: SQLStore?
        for _ in 0..<600 {
            // The first server makes the schema; until then nobody else can open it.
            if store == nil { store = try? SQLStore(postgres: address, readers: 1) }
            let servers = (try? await store?.servers()) ?? []
            if servers.count == processes.count, servers.contains(where: \.report.leads) {
                try await store?.close()
                return
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        let log = try? String(contentsOf: folder.appending(path: "server-1.log"), encoding: .utf8)
        throw SettingError(
            "servers",
            .companion,
            ["program": "a server", "log": .text(String((log ?? "").suffix(500)))]
        )
    }

    /// How each of them can be reached, and the command that lists them.
    package func story(own: String) async throws -> String {
        let store = try SQLStore(postgres: address, readers: 1)
        var servers = try await store.servers()
        // The demo's own one begins to listen a moment before it says so to the others.
        for _ in 0..<100 where servers.contains(where: { $0.address == nil }) {
            try await Task.sleep(for: .milliseconds(100))
            servers = try await store.servers()
        }
        try await store.close()
        let numbers = Set(processes.map(\.number))
        let lines = servers.map { server in
            let part = server.report.leads ? ", leads" : ""
            let place = server.address.map { "http://\($0)/console" } ?? "–"
            return "  \(server.name)  \(place)  process \(server.process)\(part)"
                + (numbers.contains(server.process) ? "" : ", with the phones")
        }
        // Without the demo's own one the phones would be gone, too.
        let others = servers.filter { numbers.contains($0.process) }
        let victim = others.first(where: \.report.leads) ?? others.first
        let part = victim?.report.leads == true ? "It leads; a second later another one does." : ""
        return """
            \(lines.joined(separator: "\n"))

            All of them work on one PostgreSQL. Open \(own)/console/settings/system,
            send a push to everybody, and kill one of the others while it goes out:

              kill -9 \(victim?.process ?? 0)

            \(part) The push goes on, each phone shows it once, and the page does not list
            that server any more. The same from a shell:

              ./noroshi servers --database '\(address)'
            """
    }

    /// Stops the servers, and their database if it was made for them.
    package func stop() {
        processes.forEach { $0.stop() }
        postgres?.stop()
    }
}

extension DemoGateways {
    /// The options of a server that sends to these services.
    ///
    /// - Parameter folder: Where the authorities that it has to trust are written.
    fileprivate func serveOptions(in folder: URL) throws -> [String] {
        func written(_ name: String, _ pem: String) throws -> String {
            let file = folder.appending(path: name)
            try Data(pem.utf8).write(to: file)
            return file.path
        }
        return [
            "--apns-server", "\(apns.host):\(apns.port)",
            "--apns-authority", try written("apns.pem", apns.authorityPEM),
            "--fcm-server", "\(fcm.host):\(fcm.port)",
            "--fcm-authority", try written("fcm.pem", fcm.authorityPEM),
            "--webpush-server", "\(webPush.host):\(webPush.port)",
            "--webpush-authority", try written("webpush.pem", webPush.authorityPEM),
        ]
    }
}
