import Synchronization
import Tracing

/// A span that has ended.
package struct FinishedSpan: Sendable {
    package var identity: TraceIdentity
    package var parent: TraceIdentity?
    package var name: String
    package var kind: SpanKind
    /// Nanoseconds since 1970.
    package var start: UInt64
    package var end: UInt64
    package var attributes: SpanAttributes
    package var status: SpanStatus?
}

/// Finished spans that wait to be exported. A full queue takes no more: nobody waits for it.
package final class SpanQueue: Sendable {
    private struct State {
        var spans: [FinishedSpan] = []
        var dropped = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    package init(limit: Int = 8_192) {
        self.limit = limit
    }

    func add(_ span: FinishedSpan) {
        state.withLock { state in
            if state.spans.count < limit {
                state.spans.append(span)
            } else {
                state.dropped += 1
            }
        }
    }

    /// Takes the oldest spans out, and the number of those for which there was no room since the
    /// last time.
    package func take(_ count: Int) -> (spans: [FinishedSpan], dropped: Int) {
        state.withLock { state in
            let spans = Array(state.spans.prefix(count))
            state.spans.removeFirst(spans.count)
            defer { state.dropped = 0 }
            return (spans, state.dropped)
        }
    }
}
