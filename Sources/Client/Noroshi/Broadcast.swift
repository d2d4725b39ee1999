import Foundation
import NoroshiOutbox

/// Keeps a subscription alive: it ends when this object is released or `cancel()` is called.
public final class NoroshiCancellable: Sendable {
    private let end: Locked<(@Sendable () -> Void)?>

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = Locked(end)
    }

    deinit {
        cancel()
    }

    /// Ends the subscription.
    public func cancel() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}

/// Sends values to all subscribers.
final class Broadcast<Value: Sendable>: Sendable {
    private struct Subscribers {
        var next = 0
        var handlers: [Int: @Sendable (Value) -> Void] = [:]
    }

    private let subscribers = Locked(Subscribers())

    func send(_ value: Value) {
        for (_, handler) in subscribers.withLock({ $0.handlers }).sorted(by: { $0.key < $1.key }) {
            handler(value)
        }
    }

    func subscribe(_ handler: @escaping @Sendable (Value) -> Void) -> NoroshiCancellable {
        let key = subscribers.withLock { subscribers in
            subscribers.next += 1
            subscribers.handlers[subscribers.next] = handler
            return subscribers.next
        }
        return NoroshiCancellable { [weak self] in
            self?.subscribers.withLock { _ = $0.handlers.removeValue(forKey: key) }
        }
    }

    /// The values from now on; if the reader falls more than 64 values behind, the oldest are
    /// dropped.
    func stream() -> AsyncStream<Value> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let subscription = subscribe { continuation.yield($0) }
            continuation.onTermination = { _ in subscription.cancel() }
        }
    }
}
