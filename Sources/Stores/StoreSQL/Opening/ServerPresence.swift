import Foundation
import Model
import Ports
import Reasons
import Relational

/// A server's place among those that work on a PostgreSQL database. It gives a sign of life every few seconds;
/// whoever was silent for too long is struck off by the one that leads, and has to end.
package final class ServerPresence: Sendable {
    package let server: WorkingServer
    private let lock: PresenceLock
    private let place: StorePlace
    private let now: @Sendable () -> Date

    private init(
        _ server: WorkingServer,
        _ lock: PresenceLock,
        _ place: StorePlace,
        now: @escaping @Sendable () -> Date
    ) {
        self.server = server
        self.lock = lock
        self.place = place
        self.now = now
    }

    /// Takes a place. The schema of an earlier version is brought up to date before, as soon as no server works
    /// with it.
    ///
    /// - Parameters:
    ///   - server: What the others read about this one; its times are set by the database's clock,
    ///     and how much its own differs.
    ///   - now: The server's clock.
    ///   - pause: Waits before the next attempt; what it throws ends the wait.
    ///   - onWaiting: Called before each pause with a process that works on the database; `nil` if that says
    ///     nothing of itself.
    /// - Throws: `StoreError` with code `unavailable` if the database cannot be reached, `unreadable` if a newer
    ///   version of Noroshi has made the schema.
    package static func take(
        _ address: String,
        as server: WorkingServer,
        now: @escaping @Sendable () -> Date,
        pause: @Sendable () async throws -> Void,
        onWaiting: @Sendable (String) throws -> Void
    ) async throws -> ServerPresence {
        let place = StorePlace(postgres: address)
        do {
            while true {
                do {
                    try bringUpToDate(address, place)
                    if let lock = try await PresenceLock.take(address) {
                        // Nobody changes the schema any more; somebody may have done so at the last moment.
                        try bringUpToDate(address, place)
                        let server = try await enter(server, lock, now)
                        return ServerPresence(server, lock, place, now: now)
                    }
                    try onWaiting("a command has it")
                } catch let error as StoreError where error.code == .taken {
                    try onWaiting("\(error)")
                }
                try await pause()
            }
        } catch {
            throw place.judge(error)
        }
    }

    private static func bringUpToDate(_ address: String, _ place: StorePlace) throws {
        let pool = try DatabasePool(postgres: address, readers: 1)
        defer { try? pool.close() }
        try PostgresMigrations.apply(to: pool, at: place, isClaimed: false)
    }

    private static func enter(
        _ server: WorkingServer,
        _ lock: PresenceLock,
        _ now: @escaping @Sendable () -> Date
    ) async throws -> WorkingServer {
        let entered = try await lock.perform { database in
            let (clock, offset) = try SQLStore.clock(database, beside: now)
            try database.execute(
                sql: """
                    INSERT INTO servers
                    VALUES (?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, 0, 0, 0, 0, 0, NULL, NULL, NULL, ?)
                    """,
                arguments: [
                    server.id.uuidString, server.name, server.host, server.machine,
                    Int64(server.process), server.version, clock, clock, offset,
                    server.roles.text,
                ]
            )
            return (clock: clock, offset: offset)
        }
        guard let entered else { throw DatabaseError(.lost, "the connection was lost at once") }
        var server = server
        server.startedAt = Date(milliseconds: entered.clock)
        server.seenAt = server.startedAt
        server.clockOffset = TimeInterval(entered.offset) / 1_000
        return server
    }

    /// Gives a sign of life. It waits for nobody who reads or writes.
    ///
    /// - Parameters:
    ///   - report: What the others read about it.
    ///   - address: Where the server listens.
    /// - Returns: How much the server's clock is ahead of the database's, in seconds, at the least, and all
    ///   servers; `nil` if the server was struck off, or somebody has the database to themselves: it must not go
    ///   on.
    /// - Throws: `StoreError` if the database cannot be reached.
    package func beat(
        _ report: ServerReport,
        address: String?
    ) async throws -> (offset: TimeInterval, servers: [WorkingServer])? {
        let id = server.id.uuidString
        do {
            let seen = try await lock.perform { [now] database in
                let (clock, offset) = try SQLStore.clock(database, beside: now)
                try database.execute(
                    sql: """
                        UPDATE servers SET seen_at = ?, clock_offset = ?, address = ?, leads = ?,
                            is_ready = ?, audience_lag = ?, users = ?, in_flight = ?,
                            change = ?, event = ?, interaction = ?
                        WHERE id = ?
                        """,
                    arguments: [
                        clock, offset, address, report.leads, report.isReady,
                        Int64(report.audienceLag * 1_000), report.users, report.pushesInFlight,
                        report.followed?.change, report.followed?.event,
                        report.followed?.interaction, id,
                    ]
                )
                let servers = try database.changesCount > 0 ? SQLStore.servers(database) : nil
                return servers.map { (TimeInterval(offset) / 1_000, $0) }
            }
            return seen.flatMap(\.self)
        } catch {
            throw place.judge(error)
        }
    }

    /// Gives the place up: what the server had claimed is due again as soon as another one sees it.
    package func leave() async {
        let id = server.id.uuidString
        // Whoever cannot say so is struck off by the others.
        _ = try? await lock.perform { database in
            try database.execute(sql: "DELETE FROM servers WHERE id = ?", arguments: [id])
        }
        lock.release()
    }
}
