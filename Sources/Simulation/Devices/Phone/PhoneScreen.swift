import Foundation
import NoroshiOutbox

/// The visible state of a virtual device, and its observers.
final class PhoneScreen: Sendable {
    private static let logLimit = 200

    private struct Observer {
        let continuation: AsyncStream<VirtualPhoneState>.Continuation
        /// The revision that was sent last.
        var told: Int?
    }

    private struct Inside {
        var state: VirtualPhoneState
        var observers: [UUID: Observer] = [:]
        var isTelling = false
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
        inside.withLock { $0.observers[key] = Observer(continuation: continuation) }
        tell()
        return stream
    }

    func change(_ body: (inout VirtualPhoneState) -> Void) {
        inside.withLock { inside in
            var changed = inside.state
            body(&changed)
            guard changed != inside.state else { return }
            changed.revision += 1
            inside.state = changed
        }
        tell()
    }

    /// Sends the current state to every observer that has not seen it yet.
    ///
    /// Must not run inside the lock: the end of a stream calls back for it while holding a lock
    /// that a yield waits for. Only one caller at a time sends, until every observer is up to date,
    /// so that no observer gets an older state after a newer one.
    private func tell() {
        let isBusy = inside.withLock { inside in
            defer { inside.isTelling = true }
            return inside.isTelling
        }
        guard !isBusy else { return }
        while let (state, behind) = inside.withLock({ Self.next(&$0) }) {
            for continuation in behind { continuation.yield(state) }
        }
    }

    /// The next state to send and its observers; `nil` ends the sending once all are up to date.
    private static func next(
        _ inside: inout Inside
    ) -> (VirtualPhoneState, [AsyncStream<VirtualPhoneState>.Continuation])? {
        let revision = inside.state.revision
        let behind = inside.observers.filter { $0.value.told != revision }
        guard !behind.isEmpty else {
            inside.isTelling = false
            return nil
        }
        for key in behind.keys { inside.observers[key]?.told = revision }
        return (inside.state, behind.values.map(\.continuation))
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

    /// Ends all streams.
    func close() {
        // The end of a stream calls back for the lock.
        let observers = inside.withLock { inside in
            defer { inside.observers = [:] }
            return inside.observers.values.map(\.continuation)
        }
        for observer in observers { observer.finish() }
    }
}
