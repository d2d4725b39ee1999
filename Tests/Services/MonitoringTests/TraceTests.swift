import Foundation
import Monitoring
import Synchronization
import Testing
import Tracing

@Suite("Traces")
struct TraceTests {
    private final class Bench: Sendable {
        private let time = Mutex(Duration.zero)
        private let last = Mutex<UInt64>(0)
        let queue: SpanQueue

        init(limit: Int = 100) {
            queue = SpanQueue(limit: limit)
        }

        func advance(_ duration: Duration) { time.withLock { $0 += duration } }

        var spans: Spans {
            Spans(
                QueueTracer(
                    queue: queue,
                    now: { Date(timeIntervalSince1970: 1_780_000_000) },
                    uptime: { self.time.withLock(\.self) },
                    random: {
                        self.last.withLock { last in
                            last += 1
                            return last
                        }
                    }
                )
            )
        }
    }

    private struct Flaw: Error {}

    @Test("a traceparent is read and written as W3C Trace Context says")
    func traceparent() throws {
        let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        let trace = try #require(TraceIdentity(traceparent: text))
        #expect(trace.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(trace.spanID == "00f067aa0ba902b7")
        #expect(trace.isSampled)
        #expect(trace.traceparent == text)
        let later = "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00-more"
        #expect(TraceIdentity(traceparent: later)?.isSampled == false)
    }

    @Test(
        "what is no traceparent begins no trace",
        arguments: [
            "", "00", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
            "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ]
    )
    func malformed(text: String) {
        #expect(TraceIdentity(traceparent: text) == nil)
    }

    @Test("spans of parts are in the span of the whole, with their times and what became of them")
    func nested() async throws {
        let bench = Bench()
        await #expect(throws: Flaw.self) {
            try await bench.spans.measure("whole", .server) { _ in
                bench.advance(.milliseconds(5))
                try await bench.spans.measure("part", .internal, ["items": .int64(3)]) { _ in
                    #expect(InstrumentationContext.current?.trace != nil)
                    bench.advance(.milliseconds(2))
                    throw Flaw()
                }
            }
        }
        let (spans, dropped) = bench.queue.take(10)
        #expect(dropped == 0)
        #expect(spans.map(\.name) == ["part", "whole"])
        let (part, whole) = (spans[0], spans[1])
        #expect(part.parent == whole.identity)
        #expect(part.identity.traceID == whole.identity.traceID)
        #expect(whole.parent == nil)
        #expect(whole.start == 1_780_000_000_000_000_000)
        #expect(part.end - part.start == 2_000_000)
        #expect(whole.end - whole.start == 7_000_000)
        #expect(part.attributes["items"]?.toSpanAttribute() == .int64(3))
        #expect(part.status?.code == .error)
        #expect(part.status?.message == "Flaw")
        #expect(bench.queue.take(10).spans.isEmpty)
    }

    @Test("the trace of a caller goes on; one that is not recorded stays so")
    func parent() async throws {
        let bench = Bench()
        let caller = TraceIdentity(trace: (1, 2), span: 3)
        await bench.spans.measure("a", parent: caller) { _ in }
        let silent = TraceIdentity(trace: (1, 2), span: 3, isSampled: false)
        await bench.spans.measure("b", parent: silent) { _ in
            await bench.spans.measure("c") { _ in }
        }
        let spans = bench.queue.take(10).spans
        #expect(spans.map(\.name) == ["a"])
        #expect(spans.first?.parent == caller)
        #expect(spans.first?.identity.traceID == caller.traceID)
    }

    @Test("a full queue takes no more, and says how many it did not take")
    func bounded() async throws {
        let bench = Bench(limit: 3)
        for _ in 0..<5 { await bench.spans.measure("a") { _ in } }
        let first = bench.queue.take(2)
        #expect(first.spans.count == 2)
        #expect(first.dropped == 2)
        let second = bench.queue.take(2)
        #expect(second.spans.count == 1)
        #expect(second.dropped == 0)
    }

    @Test("without a tracer work is done as ever")
    func off() async throws {
        let result = await Spans().measure("a") { span in
            #expect(span == nil)
            #expect(InstrumentationContext.current == nil)
            return 7
        }
        #expect(result == 7)
        #expect(!Spans().isOn)
    }

    @Test("of the newest sends the trace of the last request that set them going is known")
    func sends() async throws {
        let bench = Bench()
        let traces = SendTraces(limit: 2)
        func note(_ send: Int64) async -> TraceIdentity? {
            await bench.spans.measure("request") { _ in
                traces.note(send)
                return InstrumentationContext.current?.trace
            }
        }
        let first = try #require(await note(1))
        #expect(traces.trace(of: 1) == first)
        let again = try #require(await note(1))
        #expect(again != first && traces.trace(of: 1) == again)
        // What nobody has asked for has none.
        traces.note(1)
        traces.note(2)
        #expect(traces.trace(of: 1) == again && traces.trace(of: 2) == nil)
        let third = try #require(await note(3))
        let fourth = try #require(await note(4))
        #expect(traces.trace(of: 1) == nil)
        #expect(traces.trace(of: 3) == third && traces.trace(of: 4) == fourth)
    }
}
