import API
import Front
import Synchronization

/// The limits on requests and connections, which may change while the server runs.
final class LiveLimits: Sendable {
    private let state: Mutex<(front: FrontSettings, rates: RateLimits)>
    /// How many connections the system lets the process have, at most as many as are asked for.
    private let connections: @Sendable (Int) -> Int

    init(
        _ settings: Settings,
        connections: @escaping @Sendable (Int) -> Int = FileDescriptorLimit.connections
    ) {
        self.connections = connections
        var front = settings.front
        front.connections = connections(front.connections)
        state = Mutex((front, settings.rateLimits))
    }

    var front: FrontSettings { state.withLock(\.front) }
    var rates: RateLimits { state.withLock(\.rates) }
    /// For bodies of those who do not say their key in the head.
    var strangersBudget: Int { front.bodyBudget / 8 }

    /// Takes the limits of these settings, except for those that belong to the beginning and the end
    /// of the process.
    ///
    /// - Returns: What has changed, with its new values.
    func change(to settings: Settings) -> [String] {
        var front = settings.front
        front.connections = connections(front.connections)
        let former = state.withLock { state in
            front.stopSeconds = state.front.stopSeconds
            defer { state = (front, settings.rateLimits) }
            return state
        }
        let before = Self.values(former.front, former.rates)
        return zip(before, Self.values(front, settings.rateLimits))
            .filter { $0.value != $1.value }
            .map { "\($1.key)=\($1.value)" }
    }

    /// The settings that can change, by their keys.
    static func values(
        _ front: FrontSettings,
        _ rates: RateLimits
    ) -> [(key: String, value: Int)] {
        [
            ("track-limit", rates.track.requests), ("sdk-limit", rates.sdk.requests),
            ("export-limit", rates.export.requests), ("request-limit", rates.other.requests),
            ("body-limit", rates.bodyBytes), ("connection-limit", front.connections),
            ("head-seconds", front.headSeconds), ("idle-seconds", front.idleSeconds),
            ("body-seconds", front.bodySeconds), ("unread-seconds", front.unreadSeconds),
            ("body-rate", front.bodyRate), ("body-budget", front.bodyBudget),
        ]
    }
}
