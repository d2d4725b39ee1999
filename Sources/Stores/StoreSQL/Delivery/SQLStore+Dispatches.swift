import Foundation
import Model
import Ports
import Relational

extension SQLStore: DispatchStore {
    package func claimDispatches(_ request: ClaimRequest) async throws -> ClaimedBatch {
        // Most calls find nothing: a reader answers without waiting for the writer.
        var work = try await read { try ClaimableSends(request, $0) }
        if work.hasEndedLeases {
            try await write { database in
                _ = try DispatchLeases(database).release(
                    where: "\(DispatchLeases.end) <= ?",
                    [request.owner, request.now.milliseconds],
                    now: request.now
                )
            }
            work = try await read { try ClaimableSends(request, $0) }
        }
        guard !work.entries.isEmpty else { return ClaimedBatch(nextPollAt: work.nextPollAt) }
        let (taken, nextPollAt) = try await write(mayRefuse: false) {
            [work] database -> ([DispatchClaimer.Taken], Date?) in
            // Others send what a server that was struck off had claimed; it must not claim more.
            guard try Self.isWorking(request.owner, database) else { return ([], nil) }
            var claimer = DispatchClaimer(request, database)
            return (try claimer.claim(work), claimer.nextPollAt)
        }
        // Devices and users are read without blocking the writer.
        let (rows, gone) = try await read { [unreadable, recipients] in
            try ClaimedRows(taken, $0, unreadable, known: recipients).read()
        }
        if !gone.isEmpty {
            // The user was deleted after planning: there is no recipient.
            try await record(
                gone.map {
                    DispatchUpdate(
                        send: $0.send,
                        device: $0.device,
                        change: .skipped(reason: "UserDeleted")
                    )
                },
                now: request.now
            )
        }
        return ClaimedBatch(
            rows: rows,
            nextPollAt: [work.nextPollAt, nextPollAt].compactMap(\.self).min()
        )
    }

    package func releaseLeases(owner: String?, now: Date) async throws -> Int {
        let released = try await write { database in
            let condition = owner == nil ? "TRUE" : "owner = ?"
            let arguments: StatementArguments = owner.map { [$0] } ?? []
            try database.execute(
                sql: "DELETE FROM closed_lanes WHERE \(condition)",
                arguments: arguments
            )
            return try DispatchLeases(database).release(where: condition, arguments, now: now)
        }
        try await skipQueuedOfStoppedSends(now: now)
        return released
    }

    /// What whoever stopped a send had no time for.
    func skipQueuedOfStoppedSends(now: Date) async throws {
        let stopped = try await read { database in
            try Int64.fetchAll(
                database,
                sql: """
                    SELECT id FROM sends WHERE state = 'cancelled' AND EXISTS (
                        SELECT TRUE FROM send_counts WHERE send_id = sends.id AND state = 0
                        AND rows > 0)
                    """
            )
        }
        for send in stopped { try await skipQueued(of: SendID(send), now: now) }
    }

    package func record(_ results: [DispatchUpdate], now: Date) async throws {
        guard !results.isEmpty else { return }
        try await write(mayRefuse: false) { database in
            var recorder = try DispatchRecorder(results, now: now, database)
            try recorder.record(results)
        }
    }

    package func nextDispatchDue() async throws -> Date? {
        try await read { database in
            try Int64.fetchOne(
                database,
                sql: """
                    WITH RECURSIVE \(OpenSends.waitingLanes)
                    SELECT min(due) FROM (
                        SELECT (SELECT min(due_at) FROM \(OpenSends.waitingRows)
                            WHERE send_id = waiting.send_id AND lane = waiting.lane AND state = 0)
                            AS due
                        FROM waiting WHERE lane IS NOT NULL
                        UNION ALL SELECT min(ends_at) FROM dispatch_leases)
                    """
            ).map(Date.init(milliseconds:))
        }
    }

    package func pushLimit(of workspace: WorkspaceID) async throws -> Int? {
        try await read { database in
            try Int.fetchOne(
                database,
                sql: "SELECT pushes_per_minute FROM workspaces WHERE id = ?",
                arguments: [workspace.rawValue]
            )
        }
    }

    package func setPushLimit(
        _ perMinute: Int?,
        of workspace: WorkspaceID,
        noting audit: AuditRecord
    ) async throws {
        try await write { database in
            try database.execute(
                sql: "UPDATE workspaces SET pushes_per_minute = ? WHERE id = ?",
                arguments: [perMinute, workspace.rawValue]
            )
            try Self.addAudit(audit, in: workspace, database)
        }
    }

    package func saveTrippedLanes(_ lanes: [TrippedLane], owner: String) async throws {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM closed_lanes WHERE owner = ?",
                arguments: [owner]
            )
            for lane in lanes {
                try database.execute(
                    sql: "INSERT INTO closed_lanes VALUES (?, ?, ?, ?, ?)",
                    arguments: [
                        owner, lane.lane.number, DispatchCountDeltas.stored(lane.reason),
                        lane.since.milliseconds, lane.until.milliseconds,
                    ]
                )
            }
        }
    }

    package func trippedLanes() async throws -> [TrippedLane] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM closed_lanes ORDER BY since")
                .compactMap { row in
                    DeliveryLane(number: row["lane"]).map {
                        TrippedLane(
                            lane: $0,
                            reason: row["reason"],
                            since: Date(milliseconds: row["since"]),
                            until: Date(milliseconds: row["until"])
                        )
                    }
                }
        }
    }
}
