import NIOCore
import Synchronization

/// The connections that are open, and which of them gives way when there are too many.
///
/// A connection on which the server waits for the client loses its place to a new one, the one that
/// has waited longest first. A connection whose request is being answered keeps it.
package final class ConnectionPlaces: Sendable {
    private struct Entry {
        var channel: any Channel
        /// `nil` while a request is answered.
        var waitingSince: NIODeadline?
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var evictions = 0
        var refusals = 0
    }

    /// One connection's place.
    package struct Place: Sendable {
        fileprivate let places: ConnectionPlaces
        fileprivate let id: ObjectIdentifier

        /// Bytes that trickle make nobody younger: it counts when the server's turn ended.
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

    private let limit: Int
    private let state = Mutex(State())

    package init(limit: Int) {
        self.limit = limit
    }

    package var count: Int { state.withLock(\.entries.count) }

    /// A place for a new connection; `nil` when all others are being answered.
    func enter(_ channel: any Channel, at now: NIODeadline) -> Place? {
        let id = ObjectIdentifier(channel)
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
        // Also where the pipeline does not come about.
        channel.closeFuture.whenComplete { _ in self.remove(id) }
        return Place(places: self, id: id)
    }

    /// Ends the connections on which the server waits for the client.
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
