import Foundation
import NoroshiWire

/// Makes requests that fit a description, with given values for fields of given names.
struct SchemaSamples {
    private let schemas: [String: JSONValue]
    private let names: [String: JSONValue]

    init(_ description: JSONValue, names: [String: JSONValue]) {
        schemas = description["components"]?["schemas"]?.objectValue ?? [:]
        self.names = names
    }

    /// The path with its variable parts and all parameters.
    func path(_ path: String, _ operation: JSONValue) -> String {
        var path = path
        var items: [URLQueryItem] = []
        for parameter in operation["parameters"]?.arrayValue ?? [] {
            guard let name = parameter["name"]?.stringValue else { continue }
            // A filter that has no figures of its own would hide what is looked for.
            guard !["app_id", "segment_id", "Idempotency-Key"].contains(name) else { continue }
            let value = text(sample(parameter["schema"] ?? [:], name))
            switch parameter["in"]?.stringValue {
            case "path": path = path.replacing("{\(name)}", with: value)
            case "query": items.append(URLQueryItem(name: name, value: value))
            default: break
            }
        }
        guard !items.isEmpty else { return path }
        var components = URLComponents()
        components.queryItems = items
        let query = components.percentEncodedQuery ?? ""
        return "\(path)?\(query.replacing("+", with: "%2B"))"
    }

    func body(_ operation: JSONValue) -> JSONValue {
        sample(
            operation["requestBody"]?["content"]?["application/json"]?["schema"] ?? [:],
            ""
        )
    }

    private func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .array(let list): list.first.map(text) ?? ""
        default: "true"
        }
    }

    private func sample(_ schema: JSONValue, _ name: String) -> JSONValue {
        if let known = names[name] { return known }
        if let reference = schema["$ref"]?.stringValue {
            return sample(schemas[String(reference.split(separator: "/").last ?? "")] ?? [:], name)
        }
        if schema["type"] == nil, let first = schema["anyOf"]?.arrayValue?.first {
            return sample(first, name)
        }
        if let fixed = schema["const"] { return fixed }
        if let first = schema["enum"]?.arrayValue?.first { return first }
        let type = schema["type"]?.stringValue ?? schema["type"]?.arrayValue?.first?.stringValue
        switch type {
        case "object":
            let members = schema["properties"]?.objectValue ?? [:]
            return .object(
                Dictionary(uniqueKeysWithValues: members.map { ($0, sample($1, $0)) })
            )
        case "array": return [sample(schema["items"] ?? [:], name)]
        case "integer", "number": return schema["minimum"] ?? 1
        case "boolean": return false
        default: return "sample"
        }
    }
}
