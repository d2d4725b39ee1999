import Model
import Ports
import ServiceLifecycle
import Synchronization

/// Caches counts that take long to compute until their data changes.
///
/// An outdated count is still served for up to ten times as long as it took to compute, and at most
/// three seconds, so that many readers of a page do not repeat it. Other servers tell of their changes;
/// those of a command appear when the entry expires.
package final class ReportCache: Service {
    /// The data that is counted.
    package enum Subject: Sendable, Hashable {
        case send(SendID)
        case workspace(WorkspaceID)
        /// Past days.
        case past(WorkspaceID)
    }

    private struct Entry {
        var value: any Sendable
        var countedAt: ContinuousClock.Instant
        var cost: Duration
        var hasChanged = false
    }

    private static let maxLifetime = Duration.seconds(30)
    private static let maxPastLifetime = Duration.seconds(600)
    private static let maxDelay = Duration.seconds(3)
    private static let maxSubjects = 20_000

    private let feed: ChangeFeed
    private let clock = ContinuousClock()
    private let entries = Mutex<[Subject: [String: Entry]]>([:])

    package init(feed: ChangeFeed) {
        self.feed = feed
    }

    /// Marks the entries whose data has changed.
    package func run() async throws {
        for await change in feed.changes().cancelOnGracefulShutdown() {
            switch change {
            case .send(let send, let workspace):
                mark(.send(send))
                if let workspace { mark(.workspace(workspace)) }
            case .ingested(let workspace):
                mark(.workspace(workspace))
            }
        }
    }

    /// The cached count of a subject under a name, or a new one.
    package func value<Value: Sendable>(
        of subject: Subject,
        _ name: String,
        count: () async throws -> Value
    ) async throws -> Value {
        if let known: Value = known(subject, name) { return known }
        let start = clock.now
        let value = try await count()
        keep(value, of: subject, name, since: start)
        return value
    }

    /// The cached count, unless it has expired.
    package func known<Value: Sendable>(_ subject: Subject, _ name: String) -> Value? {
        guard let entry = entries.withLock({ $0[subject]?[name] }) else { return nil }
        let age = clock.now - entry.countedAt
        var life = Self.maxLifetime
        if case .past = subject { life = Self.maxPastLifetime }
        let limit = entry.hasChanged ? min(entry.cost * 10, Self.maxDelay) : life
        return age < limit ? entry.value as? Value : nil
    }

    /// Caches a count that was started at `start`.
    package func keep(
        _ value: some Sendable,
        of subject: Subject,
        _ name: String,
        since start: ContinuousClock.Instant
    ) {
        let entry = Entry(value: value, countedAt: start, cost: clock.now - start)
        entries.withLock { entries in
            // Recounting is better than growing without a limit.
            if entries.count >= Self.maxSubjects { entries.removeAll() }
            entries[subject, default: [:]][name] = entry
        }
    }

    package func forget(_ subject: Subject, _ name: String) {
        entries.withLock { $0[subject]?[name] = nil }
    }

    private func mark(_ subject: Subject) {
        entries.withLock { entries in
            for name in entries[subject]?.keys.map(\.self) ?? [] {
                entries[subject]?[name]?.hasChanged = true
            }
        }
    }
}
