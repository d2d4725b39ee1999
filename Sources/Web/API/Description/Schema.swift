import NoroshiWire

/// The schema of a value in a request or a response: a JSON Schema (2020-12), as in OpenAPI 3.1.
struct Schema: Sendable, ExpressibleByStringLiteral {
    private(set) var members: [String: JSONValue]
    /// Whether a member of an object with this schema is required.
    fileprivate var isRequired = false

    init(_ members: [String: JSONValue]) {
        self.members = members
    }

    /// A reference to a schema of `SharedSchemas` by its name.
    init(stringLiteral name: String) {
        self.init(["$ref": .string("#/components/schemas/\(name)")])
    }

    var json: JSONValue { .object(members) }

    // MARK: Values

    static let any = Schema([:])
    static let bool = Schema(["type": "boolean"])
    static let number = Schema(["type": "number"])
    /// An object with any members.
    static let map = Schema(["type": "object"])

    static let text = Schema(["type": "string"])

    /// `length` is in characters.
    static func text(_ length: ClosedRange<Int>) -> Schema {
        Schema([
            "type": "string", "minLength": .integer(Int64(length.lowerBound)),
            "maxLength": .integer(Int64(length.upperBound)),
        ])
    }

    /// A part of a path.
    static let name = text(1...255)

    static func integer(_ range: ClosedRange<Int>? = nil) -> Schema {
        var members: [String: JSONValue] = ["type": "integer"]
        if let range {
            members["minimum"] = .integer(Int64(range.lowerBound))
            members["maximum"] = .integer(Int64(range.upperBound))
        }
        return Schema(members)
    }

    /// A number of items; never negative.
    static let count = Schema(["type": "integer", "minimum": 0])
    /// A time in ISO 8601; requests may omit the zone (UTC) or contain a date alone.
    static let time = Schema([
        "type": "string", "minLength": 10, "examples": ["2026-07-04T18:30:00Z"],
    ])
    static let uuid = Schema(["type": "string", "format": "uuid"])

    static func choice(_ values: String...) -> Schema { choice(values) }

    static func choice(_ values: [String]) -> Schema {
        Schema(["type": "string", "enum": .array(values.map(JSONValue.string))])
    }

    /// Exactly this text.
    static func constant(_ text: String) -> Schema { Schema(["const": .string(text)]) }

    static func list(of element: Schema, limit: Int? = nil) -> Schema {
        var members: [String: JSONValue] = ["type": "array", "items": element.json]
        if let limit { members["maxItems"] = .integer(Int64(limit)) }
        return Schema(members)
    }

    static func either(_ schemas: Schema...) -> Schema {
        Schema(["anyOf": .array(schemas.map(\.json))])
    }

    /// An object with these members; other members are allowed unless `isClosed`.
    static func object(_ properties: [String: Schema], isClosed: Bool = false) -> Schema {
        var members: [String: JSONValue] = [
            "type": "object",
            "properties": .object(properties.mapValues(\.json)),
        ]
        let required = properties.filter(\.value.isRequired).keys.sorted()
        if !required.isEmpty { members["required"] = .array(required.map(JSONValue.string)) }
        if isClosed { members["additionalProperties"] = false }
        return Schema(members)
    }

    /// The object of a response: `message` is `success`, with these members.
    static func success(_ properties: [String: Schema] = [:]) -> Schema {
        var properties = properties
        properties["message"] = constant("success").required
        return object(properties)
    }

    // MARK: Refinements

    /// The schema of a required member of an object.
    var required: Schema {
        var schema = self
        schema.isRequired = true
        return schema
    }

    /// Also allows `null`, which in a request means the same as a missing value.
    var orNull: Schema {
        if case .string(let type)? = members["type"], members["enum"] == nil {
            var members = members
            members["type"] = [.string(type), "null"]
            return Schema(members)
        }
        return .either(self, Schema(["type": "null"]))
    }

    var notEmpty: Schema { least(1) }

    /// A list with at least so many elements.
    func least(_ count: Int) -> Schema {
        var schema = self
        schema.members["minItems"] = .integer(Int64(count))
        return schema
    }

    /// An object that has at least one of these members; examples have the first.
    func needingOne(of names: [String]) -> Schema {
        var schema = described(Alternatives.rule(names))
        schema.members["anyOf"] = .array(names.map { ["required": [.string($0)]] })
        return schema
    }

    func described(_ text: String) -> Schema {
        var schema = self
        schema.members["description"] = .string(text)
        return schema
    }

    func example(_ value: JSONValue) -> Schema {
        var schema = self
        schema.members["examples"] = [value]
        return schema
    }
}
