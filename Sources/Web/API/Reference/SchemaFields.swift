import NoroshiWire

/// The members of a schema as table rows, nested ones with their path.
struct SchemaFields {
    struct Row: Sendable {
        var name: String
        var type: String
        var meaning: String
        var isRequired: Bool
    }

    /// Maximum depth of nested members.
    private static let depthLimit = 3

    private(set) var rows: [Row] = []

    init(_ schema: Schema) {
        add(schema.json, "", 0)
    }

    private mutating func add(_ schema: JSONValue, _ path: String, _ depth: Int) {
        let schema = Self.resolved(schema)
        let required = Set(schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? [])
        let alternatives = Alternatives.names(in: schema)
        for (name, member) in (schema["properties"]?.objectValue ?? [:]).sorted(by: {
            (required.contains($0.key) ? 0 : 1, $0.key) < (
                required.contains($1.key) ? 0 : 1, $1.key
            )
        }) {
            let inner = Self.resolved(member)
            let field = path.isEmpty ? name : "\(path).\(name)"
            rows.append(
                Row(
                    name: field,
                    type: Self.type(inner),
                    meaning: [
                        member["description"]?.stringValue ?? inner["description"]?.stringValue,
                        alternatives.contains(name) ? Alternatives.rule(alternatives) : nil,
                    ].compactMap(\.self).joined(separator: " "),
                    isRequired: required.contains(name)
                )
            )
            guard depth < Self.depthLimit else { continue }
            if let element = inner["items"] {
                add(element, "\(field)[]", depth + 1)
            } else {
                add(inner, field, depth + 1)
            }
        }
    }

    private static func resolved(_ schema: JSONValue) -> JSONValue {
        guard let name = schema["$ref"]?.stringValue?.split(separator: "/").last else {
            return schema
        }
        return SharedSchemas.all[String(name)]?.json ?? schema
    }

    private static func type(_ schema: JSONValue) -> String {
        if let fixed = schema["const"]?.stringValue { return fixed }
        if let values = schema["enum"]?.arrayValue {
            return values.map { $0.stringValue ?? $0.integerValue.map(String.init) ?? "" }
                .joined(separator: ", ")
        }
        if schema["type"] == nil, let choices = schema["anyOf"]?.arrayValue {
            return choices.map { type(resolved($0)) }.joined(separator: " or ")
        }
        let names =
            schema["type"]?.stringValue.map { [$0] }
            ?? schema["type"]?.arrayValue?.compactMap(\.stringValue) ?? ["any value"]
        return names.map { name in
            switch name {
            case "array": "list" + limits(schema, "maxItems", "elements")
            case "string" where schema["format"] == "uuid": "UUID"
            case "string": "text" + limits(schema, "maxLength", "characters")
            case "integer": "whole number" + range(schema)
            case "boolean": "true or false"
            case "null": "null"
            default: name
            }
        }.joined(separator: " or ")
    }

    private static func limits(_ schema: JSONValue, _ key: String, _ noun: String) -> String {
        schema[key]?.integerValue.map { ", at most \($0) \(noun)" } ?? ""
    }

    private static func range(_ schema: JSONValue) -> String {
        guard let low = schema["minimum"]?.integerValue else { return "" }
        return schema["maximum"]?.integerValue.map { " from \(low) to \($0)" } ?? " from \(low) on"
    }
}
