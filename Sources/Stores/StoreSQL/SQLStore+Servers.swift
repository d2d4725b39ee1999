import Foundation
import Model
import Ports
import Relational

extension SQLStore: ServerStore {
    /// The database's clock, in milliseconds.
    static func clock(_ database: Relational.Database) throws -> Int64 {
        let sql =
            switch database.kind {
            case .sqlite: "SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER)"
            case .postgres: "SELECT CAST(date_part('epoch', clock_timestamp()) * 1000 AS bigint)"
            }
        return try Int64.fetchOne(database, sql: sql) ?? 0
    }

    /// The database's clock, and how much another one is ahead of it at the least, in milliseconds. A machine that
    /// stands still for a while between two readings makes the difference smaller, never larger.
    static func clock(
        _ database: Relational.Database,
        beside now: () -> Date
    ) throws -> (clock: Int64, offset: Int64) {
        let before = now().milliseconds
        let clock = try clock(database)
        let after = max(before, now().milliseconds)
        return (clock, min(max(0, before - clock), after - clock))
    }

    package func servers() async throws -> [WorkingServer] {
        try await read { try Self.servers($0) }
    }

    package func removeServers(
        silentFor limit: TimeInterval,
        or isGone: @escaping @Sendable (WorkingServer) -> Bool,
        now: Date
    ) async throws -> (servers: [WorkingServer], dispatches: Int) {
        // A process on SQLite is alone.
        guard pool.kind == .postgres else { return ([], 0) }
        do {
            // The row goes at once, whatever waits to be written: from then on the server claims nothing, and others
            // know of it. What it had claimed is given back among all that is written.
            let (gone, isNeeded) = try await pool.performAhead { database in
                let limit = try Self.clock(database) - Int64(limit * 1_000)
                let gone = try Self.servers(database)
                    .filter { $0.seenAt.milliseconds < limit || isGone($0) }
                    // It may have given a sign of life just now.
                    .filter { server in
                        try database.execute(
                            sql: "DELETE FROM servers WHERE id = ? AND seen_at = ?",
                            arguments: [server.id.uuidString, server.seenAt.milliseconds]
                        )
                        return try database.changesCount > 0
                    }
                return try (gone, Self.hasLeftClaims(database))
            }
            guard isNeeded else { return (gone, 0) }
            let released = try await pool.writeAhead { database in
                try database.execute(sql: "DELETE FROM closed_lanes WHERE \(Self.hasGone)")
                return try DispatchLeases(database).release(where: Self.hasGone, [], now: now)
            }
            try await skipQueuedOfStoppedSends(now: now)
            return (gone, released)
        } catch {
            throw condition.judge(error, isWrite: true)
        }
    }

    /// Whether something is claimed by a server that does not work any more.
    private static func hasLeftClaims(_ database: Relational.Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT TRUE FROM dispatch_leases WHERE \(hasGone))
                    OR EXISTS (SELECT TRUE FROM closed_lanes WHERE \(hasGone))
                """
        ) ?? false
    }

    /// Whether a server is one of those that work; a process on a database without any is alone.
    static func isWorking(_ server: String, _ database: Relational.Database) throws -> Bool {
        guard database.kind == .postgres else { return true }
        return try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT NOT EXISTS (SELECT TRUE FROM servers)
                        OR EXISTS (SELECT TRUE FROM servers WHERE id = ?)
                    """
            ),
            arguments: [server]
        ) ?? true
    }

    /// The condition of what a server had claimed that does not work any more.
    private static let hasGone = "owner NOT IN (SELECT id FROM servers)"

    static func servers(_ database: Relational.Database) throws -> [WorkingServer] {
        let clock = try Date(milliseconds: clock(database))
        return try Row.fetchAll(database, sql: "SELECT * FROM servers ORDER BY started_at, id")
            .compactMap(WorkingServer.init(row:))
            .map { server in
                var server = server
                server.silence = max(0, clock.timeIntervalSince(server.seenAt))
                return server
            }
    }

    package func share(
        _ changes: Set<SharedChange>,
        from server: UUID,
        now: Date
    ) async throws {
        guard !changes.isEmpty else { return }
        try await write { database in
            let statement = try database.cachedStatement(
                sql: """
                    INSERT INTO shared_changes (server_id, workspace_id, send_id, time)
                    VALUES (?, ?, ?, ?)
                    """
            )
            for change in changes {
                let (workspace, send): (WorkspaceID?, SendID?) =
                    switch change {
                    case .send(let send, let workspace): (workspace, send)
                    case .ingested(let workspace): (workspace, nil)
                    }
                try statement.execute(arguments: [
                    server.uuidString, workspace?.rawValue, send?.rawValue, now.milliseconds,
                ])
            }
        }
    }

    package func sharedChanges(
        after number: Int64?,
        besidesThoseOf server: UUID
    ) async throws -> (changes: Set<SharedChange>, last: Int64) {
        try await read { database in
            guard let number else {
                let last = try Int64.fetchOne(
                    database,
                    sql: "SELECT max(number) FROM shared_changes"
                )
                return ([], last ?? 0)
            }
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT number, server_id, workspace_id, send_id FROM shared_changes
                    WHERE number > ? ORDER BY number
                    """,
                arguments: [number]
            )
            let changes = rows.filter { $0["server_id"] != server.uuidString }.compactMap { row in
                let workspace = (row["workspace_id"] as Int64?).map(WorkspaceID.init)
                if let send: Int64 = row["send_id"] {
                    return SharedChange.send(SendID(send), workspace)
                }
                return workspace.map(SharedChange.ingested)
            }
            return (Set(changes), rows.last?["number"] ?? number)
        }
    }

    package func forgetSharedChanges(before moment: Date) async throws {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM shared_changes WHERE time < ?",
                arguments: [moment.milliseconds]
            )
        }
    }
}

extension WorkingServer {
    /// `nil` for a row without a proper id.
    init?(row: Row) {
        guard let id = UUID(uuidString: row["id"]) else { return nil }
        let followed = (row["change"] as Int64?).map { change in
            ChangeCursor(change: change, event: row["event"], interaction: row["interaction"])
        }
        self.init(
            id: id,
            name: row["name"],
            host: row["host"],
            machine: row["machine"],
            process: row["process"],
            address: row["address"],
            version: row["version"],
            // A name that this version does not know is a later one's, which works beside it for no long.
            roles: Set(text: row["roles"]) ?? .all,
            startedAt: Date(milliseconds: row["started_at"]),
            seenAt: Date(milliseconds: row["seen_at"]),
            clockOffset: TimeInterval(row["clock_offset"] as Int64) / 1_000,
            report: ServerReport(
                leads: row["leads"],
                isReady: row["is_ready"],
                audienceLag: TimeInterval(row["audience_lag"] as Int64) / 1_000,
                users: row["users"],
                pushesInFlight: row["in_flight"],
                followed: followed
            )
        )
    }
}
