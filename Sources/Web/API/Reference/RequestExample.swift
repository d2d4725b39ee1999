import Foundation
import HTTPTypes
import NoroshiWire

/// Sample calls of an endpoint, for copying.
struct RequestExample {
    let curl: String
    /// The call with `NoroshiAdmin`; `nil` if it has none.
    let swift: String?

    init(_ endpoint: RESTEndpoint) {
        swift = Self.swift[endpoint.path]
        var lines = ["curl -H \"Authorization: Bearer $KEY\""]
        if endpoint.hasBody {
            let body =
                endpoint.request.members["examples"]?.arrayValue?.first
                ?? Self.sample(endpoint.request.json, "")
            if endpoint.method != .post { lines[0] += " -X \(endpoint.method.rawValue)" }
            lines[0] += " -H 'Content-Type: application/json'"
            lines.append("  -d '\(Self.text(body).replacing("'", with: "'\\''"))'")
            lines.append("  \"$HOST\(endpoint.path)\"")
        } else {
            if endpoint.method != .get { lines[0] += " -X \(endpoint.method.rawValue)" }
            let query = endpoint.parameters.filter { $0.isInExamples && $0.place == .query }
                .map { "\($0.name)=\(Self.word(Self.sample($0.schema.json, $0.name)))" }
                .joined(separator: "&")
            lines.append("  \"$HOST\(endpoint.path)\(query.isEmpty ? "" : "?\(query)")\"")
        }
        curl = lines.joined(separator: " \\\n")
    }

    private static let swift = [
        "/users/track": """
        let admin = NoroshiAdmin(endpoint: host, apiKey: key)
        let receipt = try await admin.track(
            attributes: [.init(externalID: "ada", values: ["plan": "pro"])],
            events: [.init(externalID: "ada", name: "viewed_item", time: .now)]
        )
        """,
        "/messages/send": """
        let admin = NoroshiAdmin(endpoint: host, apiKey: key)
        try await admin.send(
            .init(push: .init(title: "Hello", body: "It works."), to: .users(["ada"]))
        )
        """,
        "/messages/schedule/create": """
        let admin = NoroshiAdmin(endpoint: host, apiKey: key)
        let receipt = try await admin.schedule(
            .init(push: .init(body: "Good morning"), to: .everyone),
            at: .init(time: tomorrow)
        )
        """,
        "/messages/schedule/delete": """
        let admin = NoroshiAdmin(endpoint: host, apiKey: key)
        try await admin.cancelSchedule(receipt.scheduleId ?? "")
        """,
        "/campaigns/trigger/send": """
        let admin = NoroshiAdmin(endpoint: host, apiKey: key)
        try await admin.triggerCampaign(
            campaignID,
            recipients: [.init(externalID: "ada", triggerProperties: ["order": "T-100"])]
        )
        """,
    ]

    /// A sample with the members that are needed only, from the examples of the schemas.
    private static func sample(_ schema: JSONValue, _ name: String) -> JSONValue {
        if let example = schema["examples"]?.arrayValue?.first { return example }
        if let reference = schema["$ref"]?.stringValue?.split(separator: "/").last {
            return sample(SharedSchemas.all[String(reference)]?.json ?? [:], name)
        }
        if schema["type"] == nil, let first = schema["anyOf"]?.arrayValue?.first {
            return sample(first, name)
        }
        if let first = schema["enum"]?.arrayValue?.first { return first }
        switch schema["type"]?.stringValue ?? schema["type"]?.arrayValue?.first?.stringValue {
        case "object":
            let members = schema["properties"]?.objectValue ?? [:]
            let required = schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
            let needed = Set(required).union(Alternatives.names(in: schema).prefix(1))
            let shown = needed.isEmpty ? Set(members.keys.sorted().prefix(1)) : needed
            return .object(
                Dictionary(uniqueKeysWithValues: shown.map { ($0, sample(members[$0] ?? [:], $0)) })
            )
        case "array":
            let count = max(1, Int(schema["minItems"]?.integerValue ?? 1))
            return .array(Array(repeating: sample(schema["items"] ?? [:], name), count: count))
        case "integer", "number":
            return name == "length" ? 14 : schema["minimum"] ?? 1
        case "boolean": return true
        default:
            return schema["format"] == "uuid"
                ? "0f2a1c3e-0000-4000-8000-000000000001"
                : name.hasPrefix("external_id") ? "ada" : .string(name.isEmpty ? "…" : name)
        }
    }

    private static func text(_ value: JSONValue) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A value of our own can always be encoded; otherwise an empty object is shown.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private static func word(_ value: JSONValue) -> String {
        value.stringValue ?? text(value)
    }
}
