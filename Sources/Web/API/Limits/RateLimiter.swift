import Foundation
import HTTPTypes
import Model
import Synchronization

/// Counts requests in memory, one bucket for each key and kind.
///
/// Each of several servers allows its part of the limit, because a balancer spreads requests evenly; what is
/// left for all of them is an estimate then.
final class RateLimiter: Sendable {
    enum Kind: Sendable, Hashable {
        case track, sdk, export, broadcast, other
    }

    /// The limiter's decision about a request, with the data for the headers.
    struct Verdict: Sendable, Hashable {
        var isAllowed: Bool
        var limit: Int
        var remaining: Int
        /// When the whole limit is available again; for a rejected request, when the next one is
        /// allowed.
        var reset: Date
        var retryAfterSeconds: Int

        /// The rate limit headers of the response.
        var headers: [(HTTPField.Name, String)] {
            [
                ("X-RateLimit-Limit", String(limit)),
                ("X-RateLimit-Remaining", String(remaining)),
                ("X-RateLimit-Reset", String(Int(reset.timeIntervalSince1970.rounded(.up)))),
            ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
        }
    }

    private struct Bucket: Hashable {
        var workspace: WorkspaceID
        var key: String
        var kind: Kind
    }

    private struct Level {
        var tokens: Double
        var time: Date
    }

    private let limits: @Sendable () -> RateLimits
    private let servers: @Sendable () -> Int
    private let now: @Sendable () -> Date
    private let levels = Mutex<[Bucket: Level]>([:])

    /// - Parameter servers: Number of servers that share the limits.
    init(
        _ limits: @escaping @Sendable () -> RateLimits,
        servers: @escaping @Sendable () -> Int = { 1 },
        now: @escaping @Sendable () -> Date
    ) {
        self.limits = limits
        self.servers = servers
        self.now = now
    }

    func take(_ kind: Kind, for key: APIKey) -> Verdict {
        take(kind, Bucket(workspace: key.workspace, key: key.name, kind: kind))
    }

    /// The decision for a client without a valid key: the full limit of a key.
    func untouched(_ kind: Kind) -> Verdict {
        let rule = rule(of: kind)
        return Verdict(
            isAllowed: true,
            limit: rule.requests,
            remaining: rule.requests,
            reset: now(),
            retryAfterSeconds: 0
        )
    }

    private func rule(of kind: Kind) -> RateLimit {
        let limits = limits()
        return switch kind {
        case .track: limits.track
        case .sdk: limits.sdk
        case .export: limits.export
        case .broadcast: limits.broadcast
        case .other: limits.other
        }
    }

    /// A request of an app's SDK.
    func take(for app: App) -> Verdict {
        take(.sdk, Bucket(workspace: app.workspace, key: "\(app.id)", kind: .sdk))
    }

    private func take(_ kind: Kind, _ bucket: Bucket) -> Verdict {
        let rule = rule(of: kind)
        let servers = max(1, servers())
        // A limit of fewer requests than servers lets each begin with one.
        let capacity = max(1, Double(rule.requests) / Double(servers))
        let rate = Double(rule.requests) / Double(servers) / rule.seconds
        let now = now()
        return levels.withLock { levels in
            var level = levels[bucket] ?? Level(tokens: capacity, time: now)
            // A clock that was set back gives nothing and takes nothing.
            let elapsed = max(0, now.timeIntervalSince(level.time))
            level.tokens = min(capacity, level.tokens + elapsed * rate)
            level.time = now
            let isAllowed = level.tokens >= 1
            if isAllowed { level.tokens -= 1 }
            levels[bucket] = level
            let wait = max(1, ((1 - level.tokens) / rate).rounded(.up))
            let wholeLimit = (capacity - level.tokens) / rate
            return Verdict(
                isAllowed: isAllowed,
                limit: rule.requests,
                remaining: min(rule.requests, Int(level.tokens) * servers),
                reset: now.addingTimeInterval(isAllowed ? wholeLimit : wait),
                retryAfterSeconds: Int(wait)
            )
        }
    }
}
