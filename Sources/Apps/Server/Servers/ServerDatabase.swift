import Foundation
import Logging
import Model
import NoroshiWire
import Ports
import Reasons
import StoreSQL

/// The database of a server, and its right to work on it.
struct ServerDatabase: Sendable {
    let store: SQLStore
    let claim: ServerClaim

    /// Opens a file.
    ///
    /// - Throws: `StoreError` with code `taken` while another server uses the file.
    init(file settings: Settings, now: Date, _ logger: Logger) throws {
        guard let path = settings.database.path else {
            throw StoreError(.unsupported, .noFile, ["path": .text(settings.database.name)])
        }
        claim = .file(try DatabaseClaim.take(path: path, for: .current(.server, since: now)))
        store = try SQLStore(settings, logger)
    }

    /// Opens a database of PostgreSQL and takes a place among its servers.
    ///
    /// - Parameters:
    ///   - address: Where it is.
    ///   - standby: What the server is as long as servers of an earlier version work on the database, whose
    ///     schema has to be changed, or a command has it to itself.
    /// - Throws: `StoreError` if the database cannot be reached at the start. A server that waits goes on
    ///   waiting then.
    init(
        postgres address: String,
        _ settings: Settings,
        standby: Standby,
        dependencies: ServerDependencies,
        _ logger: Logger
    ) async throws {
        let server = WorkingServer.current(settings, now: dependencies.now())
        let presence = try await Self.presence(address, server, standby, dependencies.now)
        do {
            if dependencies.hasSystemClock { try Self.checkClock(presence.server, settings) }
            store = try SQLStore(settings, logger)
            try await Self.check(settings, knows: presence.server, store)
        } catch {
            await presence.leave()
            throw error
        }
        claim = .postgres(presence, address: address)
    }

    private static func checkClock(_ server: WorkingServer, _ settings: Settings) throws {
        guard abs(server.clockOffset) > WorkingServer.clockLimit else { return }
        throw StoreError(
            .unsupported,
            .clockOff,
            [
                "seconds": .text(String(Int(abs(server.clockOffset)))),
                "path": .text(settings.database.name),
            ]
        )
    }

    /// What has a place at the address has it behind the pooler, too, if both are one database.
    private static func check(
        _ settings: Settings,
        knows server: WorkingServer,
        _ store: SQLStore
    ) async throws {
        guard let pooler = settings.databasePooler,
            try await !store.servers().contains(where: { $0.id == server.id })
        else { return }
        throw StoreError(
            .unsupported,
            .otherDatabase,
            ["pooler": .text(pooler.name), "path": .text(settings.database.name)]
        )
    }

    private static func presence(
        _ address: String,
        _ server: WorkingServer,
        _ standby: Standby,
        _ now: @escaping @Sendable () -> Date
    ) async throws -> ServerPresence {
        while true {
            do {
                return try await ServerPresence.take(
                    address,
                    as: server,
                    now: now,
                    pause: { try await standby.pause() },
                    onWaiting: { standby.note($0) }
                )
            } catch let error as StoreError where error.code == .unavailable && standby.hasBegun {
                standby.note(trouble: "\(error)")
                try await standby.pause()
            }
        }
    }
}

extension WorkingServer {
    /// This process.
    static func current(_ settings: Settings, now: Date) -> WorkingServer {
        let own = DatabaseClaim.Holder.current(.server, since: now)
        return WorkingServer(
            id: UUID(),
            name: settings.node,
            host: own.host,
            machine: ownMachine,
            process: own.process,
            version: NoroshiVersion.current,
            roles: settings.roles,
            startedAt: now,
            seenAt: now,
            clockOffset: 0,
            report: ServerReport()
        )
    }

    /// Identifies the running system and the processes that this one can see; empty where nobody says.
    private static var ownMachine: String {
        let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        let manager = FileManager.default
        let space = try? manager.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
        guard let boot, let space else { return "" }
        return "\(boot.trimmingCharacters(in: .whitespacesAndNewlines)) \(space)"
    }

    /// Whether the process has ended, where this one can know: they run on the same machine.
    var hasEnded: Bool {
        guard !machine.isEmpty, machine == Self.ownMachine else { return false }
        let path = "/proc/\(process)/stat"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            return !FileManager.default.fileExists(atPath: "/proc/\(process)")
        }
        // One for which its parent has not asked yet.
        return text.contains(") Z ") || text.contains(") X ")
    }
}
