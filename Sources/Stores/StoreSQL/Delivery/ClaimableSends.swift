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
        let sends = try Row.fetchAll(
            try database.cachedStatement(
                sql: """
                    SELECT sends.id, workspace_id, sends.pushes_per_minute,
                        workspaces.pushes_per_minute
                    FROM sends JOIN workspaces ON workspaces.id = workspace_id
                    WHERE \(OpenSends.condition) AND state IN ('planning', 'sending')
                        AND \(SendingHoldSchema.isReleased)
                    ORDER BY sends.id
                    """
            )
        )
        // One seek in the index per lane, however many rows the lane has.
        let nextLane = try database.cachedStatement(
            sql: """
                SELECT lane, due_at FROM dispatches WHERE send_id = ? AND state = 0 AND lane > ?
                ORDER BY lane, due_at LIMIT 1
                """
        )
        for send in sends {
            var lane: Int64 = -1
            while let next = try Row.fetchOne(nextLane, arguments: [send[0] as Int64, lane]) {
                lane = next[0]
                guard limits[lane].map({ $0 > 0 }) ?? true else { continue }
                let due: Int64 = next[1]
                guard due <= now else {
                    nextPollAt = min(nextPollAt ?? .distantFuture, Date(milliseconds: due))
                    continue
                }
                entries.append(
                    Entry(
                        send: send[0],
                        workspace: send[1],
                        lane: lane,
                        sendLimit: send[2],
                        workspaceLimit: send[3]
                    )
                )
            }
        }
        if let leaseEnd {
            hasEndedLeases = leaseEnd <= now
            nextPollAt = min(nextPollAt ?? .distantFuture, Date(milliseconds: leaseEnd))
        }
    }
}
