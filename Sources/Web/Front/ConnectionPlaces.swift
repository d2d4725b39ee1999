import NIOCore
import Synchronization

/// Something that is told whether the server waits for a client or serves it.
protocol WaitingPlace {
    /// Trickling bytes do not count as progress: the wait starts when the server has finished
    /// its part.
    func isWaiting(since now: NIODeadline)
    func isServed()
    func leave()
}

/// The open connections, and the choice of those to close when there are too many.
///
/// A connection on which the server waits for the client is closed in favor of a new one, the
/// longest waiting first. A connection with a request being served is kept.
package final class ConnectionPlaces: Sendable {
    private struct Entry {
        var channel: any Channel
        /// `nil` while a request is served.
        var waitingSince: NIODeadline?
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var evictions = 0
        var refusals = 0
    }

    /// The place of one connection.
    package struct Place: Sendable, WaitingPlace {
        fileprivate let places: ConnectionPlaces
        fileprivate let id: ObjectIdentifier

        func isWaiting(since now: NIODeadline) {
            places.state.withLock { state in
                guard let entry = state.entries[id], entry.waitingSince == nil else { return }
                state.entries[id]?.waitingSince = now
            }
        }

        func isServed() {
            places.state.withLock { $0.entries[id]?.waitingSince = nil }
        }

        func leave() { places.remove(id) }
    }

    private let limit: @Sendable () -> Int
    private let state = Mutex(State())

    /// - Parameter limit: Asked whenever somebody comes; whoever is there already may stay.
    package init(limit: @escaping @Sendable () -> Int) {
        self.limit = limit
    }

    /// Connections that found no place, or made room for another, since the start.
    package var turnedAway: (refused: Int, evicted: Int) {
        state.withLock { ($0.refusals, $0.evictions) }
    }

    package var count: Int { state.withLock(\.entries.count) }

    /// A place for a new connection; `nil` if all others are serving requests.
    func enter(_ channel: any Channel, at now: NIODeadline) -> Place? {
        let id = ObjectIdentifier(channel)
        let limit = limit()
        let (isLetIn, victim) = state.withLock { state -> (Bool, (any Channel)?) in
            var victim: (any Channel)?
            if state.entries.count >= limit {
                let waiting = state.entries.compactMap { id, entry in
                    entry.waitingSince.map { (id: id, since: $0) }
                }
                guard let oldest = waiting.min(by: { $0.since < $1.since }) else {
                    state.refusals += 1
                    return (false, nil)
                }
                victim = state.entries.removeValue(forKey: oldest.id)?.channel
                state.evictions += 1
            }
            state.entries[id] = Entry(channel: channel, waitingSince: now)
            return (true, victim)
        }
        victim?.close(promise: nil)
        guard isLetIn else { return nil }
        // Also called if the pipeline cannot be set up.
        channel.closeFuture.whenComplete { _ in self.remove(id) }
        return Place(places: self, id: id)
    }

    /// Closes the connections on which the server waits for the client.
    package func closeWaiting() {
        close { $0.waitingSince != nil }
    }

    package func closeAll() {
        close { _ in true }
    }

    private func close(where isMeant: (Entry) -> Bool) {
        let channels = state.withLock { $0.entries.values.filter(isMeant).map(\.channel) }
        for channel in channels { channel.close(promise: nil) }
    }

    private func remove(_ id: ObjectIdentifier) {
        state.withLock { _ = $0.entries.removeValue(forKey: id) }
    }
}
