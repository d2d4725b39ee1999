import Foundation
import NoroshiWire

/// Checks values against the JSON Schemas of a description, as far as the description uses them.
struct SchemaValidator {
    private let schemas: [String: JSONValue]

    init(_ description: JSONValue) {
        schemas = description["components"]?["schemas"]?.objectValue ?? [:]
    }

    /// What does not fit, with its place; nothing when all does.
    func problems(_ value: JSONValue, _ schema: JSONValue, at place: String = "$") -> [String] {
        if let reference = schema["$ref"]?.stringValue {
            let name = String(reference.split(separator: "/").last ?? "")
            guard let known = schemas[name] else { return ["\(place): there is no schema \(name)"] }
            return problems(value, known, at: place)
        }
        if let choices = schema["anyOf"]?.arrayValue {
            let fits = choices.contains { problems(value, $0, at: place).isEmpty }
            guard fits else { return ["\(place): \(value) fits none of the schemas"] }
        }
        if let fixed = schema["const"], fixed != value { return ["\(place): is not \(fixed)"] }
        if let allowed = schema["enum"]?.arrayValue, !allowed.contains(value) {
            return ["\(place): \(value) is not one of \(allowed)"]
        }
        let types = schema["type"]?.arrayValue ?? schema["type"].map { [$0] } ?? []
        guard types.isEmpty || types.contains(where: { Self.isOf($0.stringValue ?? "", value) })
        else { return ["\(place): \(value) is no \(types)"] }
        return bounds(value, schema, place) + members(value, schema, place)
    }

    private func bounds(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        var found: [String] = []
        if let number = value.doubleValue {
            if let least = schema["minimum"]?.doubleValue, number < least {
                found.append("\(place): \(number) is less than \(least)")
            }
            if let most = schema["maximum"]?.doubleValue, number > most {
                found.append("\(place): \(number) is more than \(most)")
            }
        }
        let length = value.stringValue?.count ?? value.arrayValue?.count
        let names =
            value.stringValue == nil ? ["minItems", "maxItems"] : ["minLength", "maxLength"]
        if let length, let least = schema[names[0]]?.integerValue, length < Int(least) {
            found.append("\(place): is shorter than \(least)")
        }
        if let length, let most = schema[names[1]]?.integerValue, length > Int(most) {
            found.append("\(place): is longer than \(most)")
        }
        if schema["format"] == "uuid", let text = value.stringValue, UUID(uuidString: text) == nil {
            found.append("\(place): '\(text)' is no UUID")
        }
        return found
    }

    private func members(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        var found: [String] = []
        if let object = value.objectValue {
            let properties = schema["properties"]?.objectValue ?? [:]
            for name in schema["required"]?.arrayValue ?? []
            where object[name.stringValue ?? ""] == nil {
                found.append("\(place): \(name) is missing")
            }
            for (name, member) in object {
                if let property = properties[name] {
                    found += problems(member, property, at: "\(place).\(name)")
                } else if schema["additionalProperties"] == false {
                    found.append("\(place): \(name) is not described")
                } else if let others = schema["additionalProperties"], others.objectValue != nil {
                    found += problems(member, others, at: "\(place).\(name)")
                }
            }
        }
        if let items = schema["items"] {
            for (index, element) in (value.arrayValue ?? []).enumerated() {
                found += problems(element, items, at: "\(place)[\(index)]")
            }
        }
        return found
    }

    private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch value {
        case .null: type == "null"
        case .bool: type == "boolean"
        case .integer: type == "integer" || type == "number"
        case .number(let number):
            type == "number" || type == "integer" && number == number.rounded()
        case .string: type == "string"
        case .array: type == "array"
        case .object: type == "object"
        }
    }
}
