import Synchronization

/// The memory budget for all bodies of a kind together.
///
/// When it is used up, the incomplete body that has held the most for the longest is evicted in
/// favor of a new one, so that a client with half a body cannot block others.
package final class BodyBudget: Sendable {
    fileprivate struct Entry {
        var bytes = 0
        var since: ContinuousClock.Instant
        /// Ends the body; `nil` once it is complete, and for bodies that are never evicted.
        var evict: (@Sendable () -> Void)?
    }

    private struct State {
        var taken = 0
        var entries: [Int: Entry] = [:]
        var next = 0
    }

    /// Minimum age of a body before it is evicted.
    private static let youth = Duration.seconds(1)

    private let limit: @Sendable () -> Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// - Parameter limit: Asked for each part of a body.
    package init(
        limit: @escaping @Sendable () -> Int,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.limit = limit
        self.now = now
    }

    /// Number of bytes in use.
    package var used: Int { state.withLock(\.taken) }

    fileprivate func enter(_ evict: (@Sendable () -> Void)?) -> Int {
        let now = now()
        return state.withLock { state in
            state.next += 1
            state.entries[state.next] = Entry(since: now, evict: evict)
            return state.next
        }
    }

    fileprivate func take(_ bytes: Int, _ id: Int) -> Bool {
        let limit = limit()
        return state.withLock { state in
            guard bytes <= limit - state.taken, state.entries[id] != nil else { return false }
            state.taken += bytes
            state.entries[id]?.bytes += bytes
            return true
        }
    }

    fileprivate func keep(_ id: Int) {
        state.withLock { $0.entries[id]?.evict = nil }
    }

    fileprivate func leave(_ id: Int) {
        state.withLock { state in
            state.taken -= state.entries.removeValue(forKey: id)?.bytes ?? 0
        }
    }

    fileprivate func makeRoom(for id: Int) -> Bool {
        let now = now()
        let evict = state.withLock { state -> (@Sendable () -> Void)? in
            func weight(_ entry: Entry) -> Double {
                Double(entry.bytes) * ((now - entry.since) / .seconds(1))
            }
            let victim = state.entries
                .filter { other, entry in
                    other != id && entry.evict != nil && entry.bytes > 0
                        && now - entry.since >= Self.youth
                }
                .max { weight($0.value) < weight($1.value) }
            guard let victim else { return nil }
            state.entries[victim.key]?.evict = nil
            return victim.value.evict
        }
        evict?()
        return evict != nil
    }
}

/// The part of a budget that one body uses; returned when the lease is released.
package final class BodyLease: Sendable {
    private let budget: BodyBudget
    private let id: Int

    /// - Parameter evict: Ends the body, so that its lease is released soon.
    package init(_ budget: BodyBudget, evict: (@Sendable () -> Void)? = nil) {
        self.budget = budget
        id = budget.enter(evict)
    }

    deinit { end() }

    /// - Returns: `false` if the budget is used up.
    package func take(_ bytes: Int) -> Bool { budget.take(bytes, id) }

    /// Evicts another body; returns whether there is one to evict.
    package func makeRoom() -> Bool { budget.makeRoom(for: id) }

    /// Marks the body as complete: it keeps its memory until the end.
    package func keep() { budget.keep(id) }

    package func end() { budget.leave(id) }
}
