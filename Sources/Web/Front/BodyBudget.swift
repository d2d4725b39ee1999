import Synchronization

/// The bytes that all bodies of a kind may take together.
///
/// When it is used up, the body that has held the most for the longest, and still is not complete,
/// gives way to one that comes: whoever holds half a body cannot keep others out.
package final class BodyBudget: Sendable {
    fileprivate struct Entry {
        var bytes = 0
        var since: ContinuousClock.Instant
        /// Ends the body; `nil` once all of it has come, and for bodies that keep their room.
        var evict: (@Sendable () -> Void)?
    }

    private struct State {
        var taken = 0
        var entries: [Int: Entry] = [:]
        var next = 0
    }

    /// A body that is on its way at its own pace gives way to nobody so soon.
    private static let youth = Duration.seconds(1)

    package let limit: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    package init(
        limit: Int,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.limit = limit
        self.now = now
    }

    /// The bytes that are held now.
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
        state.withLock { state in
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

/// What one body has of a budget; it goes back at the end.
package final class BodyLease: Sendable {
    private let budget: BodyBudget
    private let id: Int

    /// - Parameter evict: Ends the body, so that its lease ends soon.
    package init(_ budget: BodyBudget, evict: (@Sendable () -> Void)? = nil) {
        self.budget = budget
        id = budget.enter(evict)
    }

    deinit { end() }

    /// Whether there was room.
    package func take(_ bytes: Int) -> Bool { budget.take(bytes, id) }

    /// Asks another body to give way; whether one does.
    package func makeRoom() -> Bool { budget.makeRoom(for: id) }

    /// All has come: the body keeps its room until the end.
    package func keep() { budget.keep(id) }

    package func end() { budget.leave(id) }
}
