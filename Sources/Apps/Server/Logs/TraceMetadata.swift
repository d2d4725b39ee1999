import Logging
import Monitoring
import Tracing

extension Logger.MetadataProvider {
    /// The trace and span in which a line is written, where there is one.
    static let traces = Logger.MetadataProvider {
        guard let trace = InstrumentationContext.current?.trace else { return [:] }
        return ["trace_id": "\(trace.traceID)", "span_id": "\(trace.spanID)"]
    }
}
