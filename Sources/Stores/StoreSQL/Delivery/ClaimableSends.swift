import Foundation
import Model
import Ports
import Relational

/// The running sends with due dispatches in lanes that have capacity.
struct ClaimableSends: Sendable {
    struct Entry: Sendable {
        var send: Int64
        var workspace: Int64
        /// The number of a lane; 0 if the dispatch has none.
        var lane: Int64
        var sendLimit: Int?
        var workspaceLimit: Int?
    }

    private(set) var entries: [Entry] = []
    private(set) var nextPollAt: Date?
    /// Whether leases have expired whose dispatches are not released yet.
    private(set) var hasEndedLeases = false

    init(_ request: ClaimRequest, _ database: Database) throws {
        let limits = Dictionary(
            uniqueKeysWithValues: request.laneLimits.map { ($0.key.number, $0.value) }
        )
        let now = request.now.milliseconds
        let leaseEnd = try Int64.fetchOne(
            try database.cachedStatement(
                sql: "SELECT min(\(DispatchLeases.end)) FROM dispatch_leases"
            ),
            arguments: [request.owner]
        )
        // One statement however many sends are open, and two seeks for each lane however many rows it has.
        try RawRows.forEach(
            database,
            sql: """
                WITH RECURSIVE \(OpenSends.waitingLanes)
                SELECT send_id, workspace_id, lane, sends.pushes_per_minute,
                    workspaces.pushes_per_minute,
                    (SELECT min(due_at) FROM \(OpenSends.waitingRows)
                        WHERE send_id = waiting.send_id AND lane = waiting.lane AND state = 0)
                FROM waiting CROSS JOIN sends ON sends.id = send_id
                CROSS JOIN workspaces ON workspaces.id = workspace_id
                WHERE lane IS NOT NULL AND \(SendingHoldSchema.isReleased)
                ORDER BY send_id, lane
                """,
            arguments: []
        ) { row in
            let lane = row.integer(2)
            guard limits[lane].map({ $0 > 0 }) ?? true else { return true }
            let due = row.integer(5)
            guard due <= now else {
                nextPollAt = min(nextPollAt ?? .distantFuture, Date(milliseconds: due))
                return true
            }
            entries.append(
                Entry(
                    send: row.integer(0),
                    workspace: row.integer(1),
                    lane: lane,
                    sendLimit: row.optionalInteger(3).map(Int.init),
                    workspaceLimit: row.optionalInteger(4).map(Int.init)
                )
            )
            return true
        }
        if let leaseEnd {
            hasEndedLeases = leaseEnd <= now
            nextPollAt = min(nextPollAt ?? .distantFuture, Date(milliseconds: leaseEnd))
        }
    }
}
