import Foundation
import Synchronization
import Tracing

/// Records spans and puts those that have ended into a queue.
package struct QueueTracer: Tracer {
    private let queue: SpanQueue
    private let now: @Sendable () -> Date
    private let uptime: @Sendable () -> Duration
    private let random: @Sendable () -> UInt64

    /// - Parameters:
    ///   - uptime: Measures how long a span takes, whatever becomes of the clock.
    ///   - random: For identifiers.
    package init(
        queue: SpanQueue,
        now: @escaping @Sendable () -> Date,
        uptime: @escaping @Sendable () -> Duration,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.queue = queue
        self.now = now
        self.uptime = uptime
        self.random = random
    }

    /// The given instant is not read: spans begin by the clock of the tracer.
    package func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> InstrumentationContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> QueueSpan {
        var context = context()
        let parent = context.trace
        // 0 is no identifier.
        let span = max(1, random())
        let identity =
            parent?.child(span)
            ?? TraceIdentity(trace: (random(), max(1, random())), span: span)
        context.trace = identity
        return QueueSpan(
            FinishedSpan(
                identity: identity,
                parent: parent,
                name: operationName,
                kind: kind,
                start: UInt64(max(0, now().timeIntervalSince1970) * 1_000_000) * 1_000,
                end: 0,
                attributes: [:]
            ),
            context: context,
            began: uptime(),
            uptime: uptime,
            queue: queue
        )
    }

    package func forceFlush() {}

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout InstrumentationContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {
        context.trace = extractor.extract(key: "traceparent", from: carrier)
            .flatMap(TraceIdentity.init(traceparent:))
    }

    package func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let trace = context.trace else { return }
        injector.inject(trace.traceparent, forKey: "traceparent", into: &carrier)
    }
}

/// A span of ``QueueTracer``.
package final class QueueSpan: Span {
    package let context: InstrumentationContext
    private let began: Duration
    private let uptime: @Sendable () -> Duration
    private let queue: SpanQueue
    /// `nil` once it has ended.
    private let state: Mutex<FinishedSpan?>
    package let isRecording: Bool

    init(
        _ span: FinishedSpan,
        context: InstrumentationContext,
        began: Duration,
        uptime: @escaping @Sendable () -> Duration,
        queue: SpanQueue
    ) {
        state = Mutex(span)
        isRecording = span.identity.isSampled
        self.context = context
        self.began = began
        self.uptime = uptime
        self.queue = queue
    }

    package var operationName: String {
        get { state.withLock { $0?.name ?? "" } }
        set { state.withLock { $0?.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { state.withLock { $0?.attributes ?? [:] } }
        set { state.withLock { $0?.attributes = newValue } }
    }

    package func setStatus(_ status: SpanStatus) { state.withLock { $0?.status = status } }

    package func recordError<Instant: TracerInstant>(
        _ error: any Error,
        attributes: SpanAttributes,
        at instant: @autoclosure () -> Instant
    ) {
        // What an error says may hold what somebody has written; its type does not.
        setStatus(SpanStatus(code: .error, message: "\(type(of: error))"))
    }

    /// Nothing here has events or links.
    package func addEvent(_ event: SpanEvent) {}
    package func addLink(_ link: SpanLink) {}

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let ended = state.withLock { state in
            defer { state = nil }
            return state
        }
        guard var ended, isRecording else { return }
        let length = (uptime() - began).components
        let nanoseconds = length.seconds * 1_000_000_000 + length.attoseconds / 1_000_000_000
        ended.end = ended.start + UInt64(max(0, nanoseconds))
        queue.add(ended)
    }
}
