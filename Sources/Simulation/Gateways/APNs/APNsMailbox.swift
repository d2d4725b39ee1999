import Foundation

/// Where accepted pushes go: to the phones that listen, into the store for those that are offline,
/// and into a bounded record.
struct APNsMailbox {
    private struct Listener {
        var id: Int
        var continuation: AsyncStream<SimulatedPush>.Continuation
    }

    private let recordLimit: Int
    private var listeners: [String: [Listener]] = [:]
    private var stored: [String: SimulatedPush] = [:]
    private var nextListener = 0
    private var recent: [SimulatedPush] = []
    private(set) var acceptedCount = 0

    init(recordLimit: Int) {
        self.recordLimit = recordLimit
    }

    /// The accepted pushes that are still remembered, oldest first.
    var records: [SimulatedPush] { Array(recent.suffix(recordLimit)) }

    mutating func accept(_ push: SimulatedPush, now: Date) {
        acceptedCount += 1
        recent.append(push)
        // Twice the limit before cutting, so that cutting is rare.
        if recent.count >= recordLimit * 2 { recent.removeFirst(recent.count - recordLimit) }
        if let listening = listeners[push.deviceToken], !listening.isEmpty {
            for listener in listening { listener.continuation.yield(push) }
        } else if push.isStorable(now: now) {
            stored[push.deviceToken] = push
        }
    }

    /// Adds a listener, who gets the stored push first.
    mutating func listen(
        to token: String,
        now: Date,
        _ continuation: AsyncStream<SimulatedPush>.Continuation
    ) -> Int {
        nextListener += 1
        listeners[token, default: []].append(
            Listener(id: nextListener, continuation: continuation)
        )
        if let push = stored.removeValue(forKey: token), push.isStorable(now: now) {
            continuation.yield(push)
        }
        return nextListener
    }

    mutating func stopListening(_ id: Int, to token: String) {
        listeners[token]?.removeAll { $0.id == id }
        if listeners[token]?.isEmpty == true { listeners[token] = nil }
    }

    mutating func forget(_ token: String) {
        stored[token] = nil
    }

    /// Ends all streams.
    mutating func close() {
        for listening in listeners.values {
            for listener in listening { listener.continuation.finish() }
        }
        listeners = [:]
    }
}
