import Tracing

/// The place of a span in a trace, as `traceparent` carries it (W3C Trace Context, level 1).
package struct TraceIdentity: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64
    private let span: UInt64
    /// Whether the trace is recorded.
    package let isSampled: Bool

    /// - Parameters:
    ///   - trace: The two halves of the trace's id, not both 0.
    ///   - span: Not 0.
    package init(trace: (UInt64, UInt64), span: UInt64, isSampled: Bool = true) {
        (high, low) = trace
        self.span = span
        self.isSampled = isSampled
    }

    /// - Returns: `nil` if the header is none that the standard allows.
    package init?(traceparent: String) {
        let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4,
            let version = Self.number(parts[0], digits: 2), version != 0xFF,
            // Later versions may say more.
            version > 0 || parts.count == 4,
            parts[1].utf8.count == 32,
            let high = Self.number(parts[1].prefix(16), digits: 16),
            let low = Self.number(parts[1].suffix(16), digits: 16), high | low != 0,
            let span = Self.number(parts[2], digits: 16), span != 0,
            let flags = Self.number(parts[3], digits: 2)
        else { return nil }
        self.init(trace: (high, low), span: span, isSampled: flags & 1 == 1)
    }

    /// Another span of the same trace.
    func child(_ span: UInt64) -> TraceIdentity {
        TraceIdentity(trace: (high, low), span: span, isSampled: isSampled)
    }

    /// 32 hexadecimal digits.
    package var traceID: String { Self.hex(high) + Self.hex(low) }
    /// 16 hexadecimal digits.
    package var spanID: String { Self.hex(span) }
    package var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    private static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Lowercase digits only.
    private static func number(_ text: Substring, digits: Int) -> UInt64? {
        guard text.utf8.count == digits,
            text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return nil }
        return UInt64(text, radix: 16)
    }
}

extension InstrumentationContext {
    private enum TraceKey: InstrumentationContextKey {
        typealias Value = TraceIdentity
    }

    /// The span in which the task runs.
    package var trace: TraceIdentity? {
        get { self[TraceKey.self] }
        set { self[TraceKey.self] = newValue }
    }
}
