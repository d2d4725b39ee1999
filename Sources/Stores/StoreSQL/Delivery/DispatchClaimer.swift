import Foundation
import Model
import Ports
import Relational
import Scheduling

/// Claims dispatches for a worker, within the lanes' capacity and the limits per minute, with a
/// fair share for every send.
struct DispatchClaimer {
    /// A claimed dispatch.
    struct Taken: Sendable {
        var send: Int64
        var device: Int64
        var recipient: Int64
        var attempts: Int
        var variant: Int?
    }

    private struct Limit: Hashable {
        var kind: String
        var id: Int64
    }

    private let request: ClaimRequest
    private let database: Database
    private var taken: [Taken] = []
    private var laneRoom: [Int64: Int] = [:]
    private var buckets: [Limit: TokenBucket] = [:]
    private var counts = DispatchCountDeltas()
    private(set) var nextPollAt: Date?

    init(_ request: ClaimRequest, _ database: Database) {
        self.request = request
        self.database = database
        laneRoom = Dictionary(
            uniqueKeysWithValues: request.laneLimits.map { ($0.key.number, $0.value) }
        )
    }

    mutating func claim(_ work: ClaimableSends) throws -> [Taken] {
        try claimShares(of: work.entries)
        try counts.write(database)
        try saveBuckets()
        return taken
    }

    /// Gives each send an equal share, so that a small push does not wait for a campaign of
    /// millions, and distributes unused shares among the others.
    private mutating func claimShares(of entries: [ClaimableSends.Entry]) throws {
        guard !entries.isEmpty else { return }
        // Starts with a different send each time, so that none starves when there are more sends
        // than rows.
        let start = Int(request.now.milliseconds % Int64(entries.count))
        var waiting = Array(entries[start...] + entries[..<start])
        while !waiting.isEmpty, taken.count < request.limit {
            let share = max(1, (request.limit - taken.count) / waiting.count)
            var hungry: [ClaimableSends.Entry] = []
            for entry in waiting where taken.count < request.limit {
                let wanted = try allowed(min(share, request.limit - taken.count), for: entry)
                guard wanted > 0 else { continue }
                let got = try claim(wanted, of: entry)
                spend(got, by: entry)
                if got == share { hungry.append(entry) }
            }
            waiting = hungry
        }
    }

    private mutating func claim(_ limit: Int, of entry: ClaimableSends.Entry) throws -> Int {
        let lease = try DispatchLeases(database).open(
            send: entry.send,
            owner: request.owner,
            end: request.leaseEnd
        )
        let areNext = FirstDispatches.include(
            where: "state = 0 AND lane = :lane AND due_at <= :now",
            by: "due_at, device_id",
            database.kind
        )
        let rows = try Row.fetchCursor(
            try database.cachedStatement(
                sql: """
                    UPDATE dispatches SET state = 1, lease_id = :lease, updated_at = :now
                    WHERE \(areNext)
                    RETURNING device_id, profile_id, attempts, reason, variant
                    """
            ),
            arguments: [
                "lease": lease, "now": request.now.milliseconds, "send": entry.send,
                "lane": entry.lane, "limit": limit,
            ]
        )
        var devices: [Int64] = []
        while let row = try rows.next() {
            let device: Int64 = row[0]
            devices.append(device)
            taken.append(
                Taken(
                    send: entry.send,
                    device: device,
                    recipient: row[1],
                    attempts: row[2],
                    variant: row[4]
                )
            )
            let reason: String? = row[3]
            counts.add(-1, to: entry.send, .queued, reason)
            counts.add(1, to: entry.send, .sending, reason)
        }
        try DispatchLeases(database).fill(lease, devices: devices)
        return devices.count
    }

    // MARK: Limits

    private mutating func allowed(_ wanted: Int, for entry: ClaimableSends.Entry) throws -> Int {
        var allowed = min(wanted, laneRoom[entry.lane] ?? wanted)
        for (limit, perMinute) in Self.limits(of: entry) {
            let bucket = try buckets[limit] ?? load(limit, perMinute)
            buckets[limit] = bucket
            let available = bucket.available(at: request.now)
            if available < wanted {
                // At most ten times a second, however fast tokens arrive.
                let next = max(
                    bucket.nextToken(after: request.now),
                    request.now.addingTimeInterval(0.1)
                )
                nextPollAt = min(nextPollAt ?? .distantFuture, next)
            }
            allowed = min(allowed, available)
        }
        return allowed
    }

    private mutating func spend(_ count: Int, by entry: ClaimableSends.Entry) {
        if let room = laneRoom[entry.lane] { laneRoom[entry.lane] = room - count }
        for (limit, _) in Self.limits(of: entry) { buckets[limit]?.take(count, at: request.now) }
    }

    private static func limits(of entry: ClaimableSends.Entry) -> [(Limit, Int)] {
        [
            entry.sendLimit.map { (Limit(kind: "send", id: entry.send), $0) },
            entry.workspaceLimit.map { (Limit(kind: "workspace", id: entry.workspace), $0) },
        ].compactMap(\.self)
    }

    private func load(_ limit: Limit, _ perMinute: Int) throws -> TokenBucket {
        let row = try Row.fetchOne(
            try database.cachedStatement(
                sql: "SELECT tokens, updated_at FROM push_tokens WHERE kind = ? AND id = ?"
            ),
            arguments: [limit.kind, limit.id]
        )
        guard let row else { return TokenBucket(perMinute: perMinute, now: request.now) }
        return TokenBucket(
            perMinute: perMinute,
            tokens: row[0],
            updatedAt: Date(milliseconds: row[1])
        )
    }

    private func saveBuckets() throws {
        for (limit, bucket) in buckets {
            try database.cachedStatement(
                sql: """
                    INSERT INTO push_tokens (kind, id, tokens, updated_at) VALUES (?, ?, ?, ?)
                    ON CONFLICT (kind, id) DO UPDATE SET tokens = excluded.tokens,
                        updated_at = excluded.updated_at
                    """
            ).execute(arguments: [
                limit.kind, limit.id, bucket.tokens, bucket.updatedAt.milliseconds,
            ])
        }
    }
}
