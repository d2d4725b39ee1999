import Model
import Ports
import Synchronization

/// A provider that keeps some pushes waiting until it is told to answer.
final class StallingTransport: PushTransport {
    private struct State {
        var isReleased = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let stalls: @Sendable (OutgoingPush) -> Bool

    init(stalls: @escaping @Sendable (OutgoingPush) -> Bool) {
        self.stalls = stalls
    }

    func release() {
        let waiting = state.withLock { state in
            state.isReleased = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func send(_ push: OutgoingPush) async -> PushOutcome {
        if stalls(push) {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if !state.isReleased { state.waiting.append(continuation) }
                    return state.isReleased
                }
                if goesOn { continuation.resume() }
            }
        }
        return .accepted(providerID: "p")
    }
}
