import Foundation
import Model
import Ports
import Synchronization

/// A provider that answers as a test says, and keeps what it was sent.
final class ScriptedTransport: PushTransport {
    private struct State {
        var sent: [OutgoingPush] = []
        var answer: @Sendable (OutgoingPush, Int) -> PushOutcome
    }

    private let state: Mutex<State>
    private let delay: Duration

    /// - Parameter answer: is given the push and how many came before.
    init(
        delay: Duration = .zero,
        answer: @escaping @Sendable (OutgoingPush, Int) -> PushOutcome = { _, _ in
            .accepted(providerID: "p")
        }
    ) {
        self.delay = delay
        state = Mutex(State(answer: answer))
    }

    var sent: [OutgoingPush] { state.withLock(\.sent) }

    func change(_ answer: @escaping @Sendable (OutgoingPush, Int) -> PushOutcome) {
        state.withLock { $0.answer = answer }
    }

    func send(_ push: OutgoingPush) async -> PushOutcome {
        if delay > .zero { try? await Task.sleep(for: delay) }
        return state.withLock { state in
            state.sent.append(push)
            return state.answer(push, state.sent.count - 1)
        }
    }
}
