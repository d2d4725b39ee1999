import JSON
import Monitoring
import NoroshiWire
import Tracing

/// Spans as a collector takes them: OTLP 1.x over HTTP in JSON (`ExportTraceServiceRequest`).
enum OTLPText {
    /// - Parameter resource: What the spans are of, such as `service.name`.
    static func body(_ spans: [FinishedSpan], resource: [(String, String)]) -> String {
        let attributes = resource.map { attribute($0, ["stringValue": .string($1)]) }
        return JSONWriter.text([
            "resourceSpans": [
                [
                    "resource": ["attributes": .array(attributes)],
                    "scopeSpans": [
                        [
                            "scope": ["name": "noroshi"],
                            "spans": .array(spans.map { .object(object($0)) }),
                        ]
                    ],
                ]
            ]
        ])
    }

    private static func object(_ span: FinishedSpan) -> [String: JSONValue] {
        var attributes: [JSONValue] = []
        span.attributes.forEach { key, value in
            if let value = self.value(value) { attributes.append(attribute(key, value)) }
        }
        var object: [String: JSONValue] = [
            "traceId": .string(span.identity.traceID), "spanId": .string(span.identity.spanID),
            "name": .string(span.name), "kind": .integer(kind(span.kind)),
            // Numbers of 64 bits are texts in the JSON of protocol buffers.
            "startTimeUnixNano": .string("\(span.start)"),
            "endTimeUnixNano": .string("\(span.end)"),
            "attributes": .array(attributes),
        ]
        if let parent = span.parent { object["parentSpanId"] = .string(parent.spanID) }
        if let status = span.status {
            var members: [String: JSONValue] = ["code": status.code == .error ? 2 : 1]
            members["message"] = status.message.map(JSONValue.string)
            object["status"] = .object(members)
        }
        return object
    }

    private static func attribute(_ key: String, _ value: [String: JSONValue]) -> JSONValue {
        ["key": .string(key), "value": .object(value)]
    }

    /// The kinds of value that this server's spans have.
    private static func value(_ value: SpanAttribute) -> [String: JSONValue]? {
        switch value {
        case .int32(let number): ["intValue": .string("\(number)")]
        case .int64(let number): ["intValue": .string("\(number)")]
        case .double(let number): ["doubleValue": .number(number)]
        case .bool(let flag): ["boolValue": .bool(flag)]
        case .string(let text): ["stringValue": .string(text)]
        default: nil
        }
    }

    private static func kind(_ kind: SpanKind) -> Int64 {
        switch kind {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }
}
