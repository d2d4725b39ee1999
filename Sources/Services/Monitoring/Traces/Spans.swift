import Tracing

/// Measures parts of the server's work as spans of traces, if somebody wants to have them.
package struct Spans: Sendable {
    private let begin: (@Sendable (String, InstrumentationContext, SpanKind) -> any Span)?

    /// Measures nothing.
    package init() {
        begin = nil
    }

    package init(_ tracer: some Tracer) {
        begin = { name, context, kind in
            tracer.startSpan(name, context: context, ofKind: kind)
        }
    }

    package var isOn: Bool { begin != nil }

    /// Does work in a span, in which the spans of its parts are.
    ///
    /// - Parameters:
    ///   - parent: A span of another program.
    ///   - attributes: Of short lists or numbers; nothing that users or members have written.
    ///   - work: Gets the span; `nil` if nothing is measured.
    package func measure<Result: Sendable>(
        _ name: String,
        _ kind: SpanKind = .internal,
        parent: TraceIdentity? = nil,
        _ attributes: @autoclosure () -> SpanAttributes = [:],
        _ work: ((any Span)?) async throws -> Result
    ) async rethrows -> Result {
        guard let begin else { return try await work(nil) }
        var context = InstrumentationContext.current ?? .topLevel
        if let parent { context.trace = parent }
        let span = begin(name, context, kind)
        span.attributes = attributes()
        defer { span.end() }
        return try await InstrumentationContext.withValue(span.context) {
            do {
                return try await work(span)
            } catch {
                span.recordError(error)
                throw error
            }
        }
    }
}
