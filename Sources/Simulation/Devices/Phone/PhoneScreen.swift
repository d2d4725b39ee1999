import Foundation
import NoroshiOutbox

/// What is to be seen of a virtual device, and who looks at it.
final class PhoneScreen: Sendable {
    private static let logLimit = 200

    private struct Inside {
        var state: VirtualPhoneState
        var observers: [UUID: AsyncStream<VirtualPhoneState>.Continuation] = [:]
    }

    private let inside: Locked<Inside>
    private let now: @Sendable () -> Date

    init(_ state: VirtualPhoneState, now: @escaping @Sendable () -> Date) {
        inside = Locked(Inside(state: state))
        self.now = now
    }

    var state: VirtualPhoneState { inside.withLock { $0.state } }

    func states() -> AsyncStream<VirtualPhoneState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: VirtualPhoneState.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let key = UUID()
        continuation.onTermination = { [weak self] _ in
            self?.inside.withLock { _ = $0.observers.removeValue(forKey: key) }
        }
        inside.withLock { inside in
            inside.observers[key] = continuation
            continuation.yield(inside.state)
        }
        return stream
    }

    func change(_ body: (inout VirtualPhoneState) -> Void) {
        inside.withLock { inside in
            var changed = inside.state
            body(&changed)
            guard changed != inside.state else { return }
            changed.revision += 1
            inside.state = changed
            for observer in inside.observers.values { observer.yield(changed) }
        }
    }

    func log(_ text: String) {
        let line = VirtualPhoneState.LogLine(date: now(), text: text)
        change { state in
            state.log.append(line)
            if state.log.count > Self.logLimit {
                state.log.removeFirst(state.log.count - Self.logLimit)
            }
        }
    }

    /// Nothing more is to be seen.
    func close() {
        // A stream's end calls back for the lock.
        let observers = inside.withLock { inside in
            defer { inside.observers = [:] }
            return Array(inside.observers.values)
        }
        for observer in observers { observer.finish() }
    }
}
