import Model
import Monitoring
import Ports
import Tracing

/// A span for each push that is handed to a provider.
struct TracedTransport: PushTransport {
    let inner: any PushTransport
    let provider: PushProvider
    let spans: Spans
    let traces: SendTraces

    func send(_ push: OutgoingPush) async -> PushOutcome {
        await spans.measure(
            "push \(provider.rawValue)",
            .client,
            parent: traces.trace(of: push.sendID.rawValue),
            ["push.provider": .string(provider.rawValue), "send.id": .int64(push.sendID.rawValue)]
        ) { span in
            let outcome = await inner.send(push)
            span?.attributes["push.outcome"] = Self.name(outcome)
            return outcome
        }
    }

    private static func name(_ outcome: PushOutcome) -> String {
        switch outcome {
        case .accepted: "accepted"
        case .rejected: "rejected"
        case .retry: "retry"
        case .unknown: "unknown"
        }
    }
}
