import Synchronization
import Tracing

/// The traces of the requests that sends come from, so that what is done for a send later is in the
/// same trace.
///
/// They are known of the newest sends, until the process ends; what is done for others begins a trace of
/// its own.
package final class SendTraces: Sendable {
    private struct State {
        var traces: [Int64: TraceIdentity] = [:]
        /// From the oldest to the newest.
        var sends: [Int64] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    package init(limit: Int = 1_024) {
        self.limit = limit
    }

    /// Notes that the task which runs has made a send, or has set it going again.
    package func note(_ send: Int64) {
        guard let trace = InstrumentationContext.current?.trace else { return }
        state.withLock { state in
            if state.traces.updateValue(trace, forKey: send) == nil { state.sends.append(send) }
            if state.sends.count > limit { state.traces[state.sends.removeFirst()] = nil }
        }
    }

    package func trace(of send: Int64) -> TraceIdentity? {
        state.withLock { $0.traces[send] }
    }
}
